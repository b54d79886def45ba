import type { GivenSettings, SimulateAllOptions } from "../../simulation/index.ts";
import type { Farm, Machines, Workload } from "../../workload/index.ts";

/** Runs of a study over the same jobs. Each is made of these and its own settings alone, wherever and whenever. */
export interface StudyRuns<On extends Machines | Farm = Machines | Farm> {
  /** The jobs. A study may generate several such logs, each when it is asked for, and has one at a time. */
  readonly jobs: () => Workload;
  readonly jobCount: number;
  /** Of all that generated jobs are made from; null: they are those of a log. */
  readonly generated: readonly unknown[] | null;
  readonly on: On;
  readonly settings: readonly GivenSettings[];
}

/** How a study makes its runs on this machine. */
export type RunOptions = Omit<SimulateAllOptions, "onSchedule">;

/** A study as lists of runs, of which each can be made by itself. */
export interface ListedStudy<Runs extends StudyRuns, Run> {
  readonly lists: readonly Runs[];
  /** In the order of the settings. */
  readonly make: (runs: Runs, options: RunOptions) => Promise<readonly Run[]>;
}

/** Makes all runs on this machine, list by list. */
export async function makeHere<Runs extends StudyRuns, Run>(
  { lists, make }: ListedStudy<Runs, Run>,
  { onProgress, ...options }: RunOptions,
): Promise<(readonly Run[])[]> {
  const runsOf = (some: readonly Runs[]): number =>
    some.reduce((sum, { settings }) => sum + settings.length, 0);
  const jobsOf = (some: readonly Runs[]): number =>
    some.reduce((sum, { jobCount, settings }) => sum + jobCount * settings.length, 0);
  const made: (readonly Run[])[] = [];
  for (const list of lists) {
    const before = lists.slice(0, made.length);
    const runs = await make(list, {
      ...options,
      onProgress: ({ jobsSubmitted, runsDone }) =>
        onProgress?.({
          jobsSubmitted: jobsOf(before) + jobsSubmitted,
          jobs: jobsOf(lists),
          runsDone: runsOf(before) + runsDone,
          runs: runsOf(lists),
        }),
    });
    made.push(runs);
  }
  return made;
}
