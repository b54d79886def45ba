import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { shareWorkload } from "../../../simulation/index.ts";
import { InputError, type Machines, type Workload } from "../../../workload/index.ts";
import { onlineStudyDefaults, planUnits, type OnlineStudyOptions, type Unit } from "./plan.ts";
import { ResultsFile } from "./results-file.ts";
import { rowKey, type OnlineRow } from "./row.ts";
import type { OnlineReply, OnlineWorkerInput } from "./trace-worker.ts";

export interface StudyOnlineOptions extends Partial<OnlineStudyOptions> {
  /** The file that rows are written to as they come, and read from when the study is resumed. */
  readonly resultsFile?: string;
  /** As many as there are cores unless told otherwise. */
  readonly threads?: number;
  readonly onProgress?: (progress: OnlineProgress) => void;
}

export interface OnlineProgress {
  readonly runsDone: number;
  readonly runs: number;
  /** Of those, taken from the results file. */
  readonly runsKept: number;
}

/** The worker's file is TypeScript if this module runs from the sources, and JavaScript if it was built. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./trace-worker.ts" : "./trace-worker.js",
  import.meta.url,
);

/**
 * Runs the online algorithms over many traces, loads, penalties and periods
 * (Stillwell 2014, "Methodology").
 *
 * @param slices parts of a log to run instead of synthetic traces
 * @returns a row a run, in the order of the plan
 * @throws InputError where an option cannot be used, or the results file is of another study
 */
export async function studyOnline(
  machines: Machines,
  slices: readonly Workload[] | null,
  options: StudyOnlineOptions = {},
): Promise<OnlineRow[]> {
  const { resultsFile, threads = availableParallelism(), onProgress, ...given } = options;
  const settings: OnlineStudyOptions = { ...onlineStudyDefaults, ...given };
  const { jobs, nodeMemoryGiB } = settings;
  if (
    settings.loads.length === 0 ||
    settings.algorithms.length === 0 ||
    settings.penaltiesSeconds.length === 0
  )
    throw new InputError("give at least one load, one algorithm and one penalty");
  const names = slices?.map(({ name }) => name) ?? null;
  const file =
    resultsFile === undefined
      ? null
      : new ResultsFile(resultsFile, {
          machines: machines.name,
          jobs,
          nodeMemoryGiB,
          slices: slices?.map(markOf) ?? null,
        });
  const known = new Map<string, OnlineRow>();
  const keyOf = (unit: Unit, policy: string): string =>
    rowKey(unit.trace, unit.load, unit.penaltySeconds, unit.periodSeconds, policy);
  for (const row of file?.earlier ?? [])
    known.set(
      rowKey(row.trace, slices === null ? row.load : null, row.penaltySeconds, row.periodSeconds, row.policy),
      row,
    );

  const plan = planUnits(settings, names);
  const runs = plan.reduce((sum, { policies }) => sum + policies.length, 0);
  const missing = plan
    .map((unit) => ({ ...unit, policies: unit.policies.filter((policy) => !known.has(keyOf(unit, policy))) }))
    .filter(({ policies }) => policies.length > 0);
  const runsKept = runs - missing.reduce((sum, { policies }) => sum + policies.length, 0);
  let runsDone = runsKept;
  onProgress?.({ runsDone, runs, runsKept });

  const input: OnlineWorkerInput = {
    machines,
    jobs,
    nodeMemoryGiB,
    slices: slices?.map(shareWorkload) ?? null,
  };
  let next = 0;
  const work = async (): Promise<void> => {
    const worker = new Worker(workerFile, { workerData: input });
    try {
      while (next < missing.length) {
        const unit = missing[next++]!;
        await makeUnit(worker, unit, (row) => {
          file?.append(row);
          known.set(keyOf(unit, row.policy), row);
          runsDone++;
          onProgress?.({ runsDone, runs, runsKept });
        });
      }
    } catch (error) {
      // Stops the other workers after their present unit.
      next = missing.length;
      throw error;
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(threads, missing.length)) }, work));
  return plan.flatMap((unit) => unit.policies.map((policy) => known.get(keyOf(unit, policy))!));
}

/** A part of a log by name and by content: "week 1" is in every log. */
function markOf(slice: Workload): string {
  const hash = createHash("sha256");
  for (const [name, column] of Object.entries(slice))
    if (ArrayBuffer.isView(column))
      hash.update(name).update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  return `${slice.name} ${hash.digest("hex").slice(0, 16)}`;
}

/** Has a worker make all runs of a unit. */
function makeUnit(worker: Worker, unit: Unit, onRow: (row: OnlineRow) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const failed = (cause: unknown): void =>
      reject(new Error(`the study crashed in ${unit.trace}: ${String(cause)}`, { cause }));
    const ended = (code: number): void => failed(`its thread ended with code ${code}`);
    const took = (reply: OnlineReply): void => {
      if (reply.kind === "row") onRow(reply.row);
      else if (reply.kind === "bad-input") reject(new InputError(reply.message));
      else if (reply.kind === "failed") failed(reply.error);
      else {
        worker.off("error", failed);
        worker.off("exit", ended);
        worker.off("message", received);
        resolve();
      }
    };
    // What `onRow` throws must reject the promise, not be lost in the event handler.
    const received = (reply: OnlineReply): void => {
      try {
        took(reply);
      } catch (error) {
        reject(error);
      }
    };
    worker.once("error", failed);
    worker.once("exit", ended);
    worker.on("message", received);
    worker.postMessage(unit);
  });
}
