import { parentPort, workerData } from "node:worker_threads";

import { Refusal, type RefusalStatus } from "../refusal.ts";
import { Connection } from "../store/connection.ts";
import type { RequestGroup } from "../store/chosen-jobs.ts";
import { inlineReader, type Input, type TaskName } from "./tasks.ts";

/** Something to do, and what came of it. */
export interface Asked {
  readonly name: TaskName;
  readonly input: unknown;
}
export type Answered =
  | { readonly result: unknown }
  | { readonly refusal: { readonly status: RefusalStatus; readonly message: string } }
  | { readonly error: unknown };

const { path } = workerData as { readonly path: string };
const port = parentPort!;
const reader = inlineReader(new Connection(path));

port.on("message", ({ name, input }: Asked) => {
  void reader.do(name, input as Input<TaskName>).then(
    (result) => {
      port.postMessage({ result } satisfies Answered, bytesIn(result));
    },
    (error: unknown) => port.postMessage(failure(error)),
  );
});

/** The bytes in a result, which are given away rather than copied: a result, or those of requests. */
function bytesIn(result: unknown): ArrayBuffer[] {
  if (result instanceof Uint8Array) return [result.buffer as ArrayBuffer];
  const groups = Array.isArray(result) ? (result as Partial<RequestGroup>[]) : [];
  return groups.flatMap((group) => (group?.requests ?? []).map(({ buffer }) => buffer as ArrayBuffer));
}

/** A copy of an error between threads has no class of ours any more. */
function failure(error: unknown): Answered {
  if (!(error instanceof Refusal)) return { error };
  return { refusal: { status: error.status, message: error.message } };
}
