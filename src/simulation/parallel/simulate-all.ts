import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

import { findPolicy } from "../../core/index.ts";
import { InputError, type Farm, type Machines, type Workload } from "../../workload/index.ts";
import type { RunResult } from "../result.ts";
import type { FarmRunResult } from "../simulation.ts";
import { PlacementLog, type Schedule } from "../schedule.ts";
import { nodePolicyModules } from "../settings/node-policies.ts";
import { registry } from "../settings/plugin.ts";
import { nameOfPolicy } from "../settings/policy-names.ts";
import { checkPolicy, type GivenSettings } from "../simulate.ts";
import type { RunReply, RunRequest, WorkerInput } from "./messages.ts";
import { shareWorkload } from "./share-workload.ts";

export interface SimulateAllOptions {
  /** Runs that go on at the same time; one for each core unless told otherwise, and fewer where there are few jobs. */
  readonly threads?: number;
  /**
   * Takes the schedule of each run, in the order of `settings`. A thread goes on
   * only when its schedule was taken, so that no more than `threads` are in memory.
   */
  readonly onSchedule?: (schedule: Schedule, run: number) => Promise<void> | void;
  /** For each run the seed of a log drawn from this one (`resampled`); null, or absent: the log itself. */
  readonly draws?: readonly (number | null)[];
  /** Takes the result of each run as soon as it has ended, in whatever order. A thread goes on when it was taken. */
  readonly onResult?: (result: RunResult, run: number) => Promise<void> | void;
  /** The file of a plugin that has been loaded here and that the threads are to load as well. */
  readonly plugin?: string;
  /** Told every `PROGRESS_MILLISECONDS`. */
  readonly onProgress?: (progress: SimulationProgress) => void;
  /** Ends all runs; the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

export interface SimulationProgress {
  /** Of all runs together. */
  readonly jobsSubmitted: number;
  readonly jobs: number;
  readonly runsDone: number;
  readonly runs: number;
}

const PROGRESS_MILLISECONDS = 200;
/** A thread takes as long to start as the slowest policies take for so many jobs. */
const JOBS_OF_A_THREAD = 5000;

/** The worker's file is TypeScript if this module runs from the sources, and JavaScript if it was built. */
const workerFile = new URL(
  import.meta.url.endsWith(".ts") ? "./run-worker.ts" : "./run-worker.js",
  import.meta.url,
);

/**
 * Makes several runs side by side, in worker threads over one copy of the workload.
 *
 * Columns that are not on shared memory are copied there first. The results come
 * in the order of `settings`, and are the ones that `simulate` gives.
 *
 * @throws InputError where the settings of a run do not fit the workload or the machines
 */
export async function simulateAll(
  workload: Workload,
  on: Farm,
  settings: readonly GivenSettings[],
  options?: SimulateAllOptions,
): Promise<FarmRunResult[]>;
export async function simulateAll(
  workload: Workload,
  on: Machines | Farm,
  settings: readonly GivenSettings[],
  options?: SimulateAllOptions,
): Promise<RunResult[]>;
export async function simulateAll(
  workload: Workload,
  on: Machines | Farm,
  settings: readonly GivenSettings[],
  options: SimulateAllOptions = {},
): Promise<RunResult[]> {
  // All settings are checked first: otherwise the last run might be refused after all others were made.
  for (const each of settings) {
    checkPolicy(workload, on, each);
    refuseUnsent(each, options.plugin);
  }
  const { onSchedule, onResult, onProgress, signal } = options;
  signal?.throwIfAborted();
  const keepSchedule = onSchedule !== undefined;
  const input: WorkerInput = {
    workload: shareWorkload(workload),
    on,
    keepSchedule,
    plugin: options.plugin ?? null,
    modules: [...nodePolicyModules],
  };
  const submitted = settings.map(() => new Int32Array(new SharedArrayBuffer(4)));
  const results: RunResult[] = [];
  const deliveries = settings.map(() => Promise.withResolvers<void>());
  let runsDone = 0;
  let nextRun = 0;

  const makeRuns = async (runner: Runner): Promise<void> => {
    while (nextRun < settings.length) {
      const run = nextRun++;
      const { result, schedule } = await runner.run({
        settings: settings[run],
        draw: options.draws?.[run] ?? null,
        progress: submitted[run],
      });
      submitted[run][0] = workload.count;
      results[run] = result;
      await onResult?.(result, run);
      runsDone++;
      if (onSchedule === undefined || schedule === null) continue;
      if (run > 0) await deliveries[run - 1].promise;
      await onSchedule(schedule, run);
      deliveries[run].resolve();
    }
  };

  const useful = Math.ceil((workload.count * settings.length) / JOBS_OF_A_THREAD);
  const wanted = options.threads ?? Math.min(availableParallelism(), useful);
  const threads = Math.max(1, Math.min(wanted, settings.length));
  const runners = Array.from({ length: threads }, () => new Runner(input));
  const stopped = Promise.withResolvers<never>();
  const stop = (): void => stopped.reject(signal?.reason);
  signal?.addEventListener("abort", stop);
  const ticks = setInterval(() => {
    const jobsSubmitted = submitted.reduce((sum, [jobs]) => sum + jobs, 0);
    try {
      onProgress?.({
        jobsSubmitted,
        jobs: workload.count * settings.length,
        runsDone,
        runs: settings.length,
      });
    } catch (error) {
      stopped.reject(error);
    }
  }, PROGRESS_MILLISECONDS);
  try {
    await Promise.race([Promise.all(runners.map(makeRuns)), stopped.promise]);
    return results;
  } finally {
    clearInterval(ticks);
    signal?.removeEventListener("abort", stop);
    await Promise.all(runners.map((runner) => runner.end()));
  }
}

/** @throws InputError where the threads would not know the policy */
function refuseUnsent({ policy }: GivenSettings, plugin: string | undefined): void {
  if (policy == null || plugin !== undefined) return;
  if (typeof policy !== "string")
    throw new InputError(
      `policy ${policy.name} is an object, which cannot be passed to worker threads: give its name and the file of its plugin (options.plugin), or use simulate`,
    );
  if (findPolicy(policy) === undefined && findPolicy(policy, registry) !== undefined)
    throw new InputError(
      `policy ${policy} is of a plugin, which the threads are to load: give its file (options.plugin)`,
    );
}

/** A worker thread seen from outside: one run at a time. */
class Runner {
  private readonly worker: Worker;

  constructor(input: WorkerInput) {
    this.worker = new Worker(workerFile, { workerData: input });
  }

  run(request: RunRequest): Promise<{ result: RunResult; schedule: Schedule | null }> {
    const { worker } = this;
    const crashed = (cause: unknown): Error =>
      new Error(`the run of ${labelOf(request.settings)} crashed: ${describe(cause)}`, { cause });
    return new Promise((resolve, reject) => {
      const failed = (cause: unknown): void => reject(crashed(cause));
      const ended = (code: number): void => reject(crashed(`its thread ended with code ${code}`));
      worker.once("error", failed);
      worker.once("exit", ended);
      worker.once("message", (reply: RunReply) => {
        worker.off("error", failed);
        worker.off("exit", ended);
        if (reply.kind === "bad-input") reject(new InputError(reply.message));
        else if (reply.kind === "failed") reject(crashed(reply.error));
        else resolve({ result: reply.result, schedule: received(reply.schedule) });
      });
      worker.postMessage(request);
    });
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

function received(schedule: Extract<RunReply, { kind: "done" }>["schedule"]): Schedule | null {
  if (schedule === null) return null;
  const { machines } = schedule;
  return { ...schedule, machines: machines === null ? null : PlacementLog.fromLists(machines) };
}

function labelOf({ policy, strategy }: GivenSettings): string {
  return policy == null ? `strategy ${strategy ?? "of the farm"}` : `policy ${nameOfPolicy(policy)}`;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
