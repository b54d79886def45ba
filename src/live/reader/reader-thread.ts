import { parentPort, workerData } from "node:worker_threads";

import { Refusal, type RefusalStatus } from "../refusal.ts";
import { Connection } from "../store/connection.ts";
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
      // Given away rather than copied.
      const given = result instanceof Uint8Array ? [result.buffer] : [];
      port.postMessage({ result } satisfies Answered, given);
    },
    (error: unknown) => port.postMessage(failure(error)),
  );
});

/** A copy of an error between threads has no class of ours any more. */
function failure(error: unknown): Answered {
  if (!(error instanceof Refusal)) return { error };
  return { refusal: { status: error.status, message: error.message } };
}
