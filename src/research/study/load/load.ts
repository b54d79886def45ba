import {
  offeredLoad,
  simulateAll,
  type RunResult,
  type GivenSettings,
  type Schedule,
  type SimulationSettings,
} from "../../../simulation/index.ts";
import { InputError, type Machines, type Workload } from "../../../workload/index.ts";
import { thesisHeuristics } from "../heuristics.ts";
import type { Parts } from "../claims/parts.ts";
import type { RunOptions, StudyRuns } from "../runs.ts";
import { leavingOut, TENTHS, tenths } from "../tenths.ts";

/** Those that the thesis compares, and first-fit, which it tried and left out (Shai 2014, section 3). */
export const loadPolicies: readonly string[] = ["first-fit", ...thesisHeuristics, "max-jobs"];

/** Offered loads to raise a log to; those below its own are left out. */
const studiedLoads: readonly number[] = [0.6, 0.7, 0.8, 0.9, 0.95, 1];

/** How fast jobs arrive in a run: a load to reach, or the factor of the arrival times. */
export type Pace = { readonly load: number } | { readonly beta: number };

/** Which runs are made. */
export interface LoadChoice {
  /** `loadPolicies` unless told otherwise. */
  readonly policies?: readonly string[];
  /** `defaultPaces` unless told otherwise. */
  readonly paces?: readonly Pace[];
  /** How all runs are made; as `simulate` does by itself unless told otherwise. */
  readonly settings?: Partial<Omit<SimulationSettings, "policy" | "beta" | "load">>;
}

export type LoadOptions = LoadChoice & RunOptions;

export interface LoadRun {
  readonly result: RunResult;
  /** Of each tenth of the log. */
  readonly sums: readonly WaitSums[];
}

/** The figures of a run that claims are about. */
export type LoadFigures = Pick<
  RunResult,
  | "policy"
  | "beta"
  | "offeredLoad"
  | "intervalSeconds"
  | "waitMeanSeconds"
  | "slowdownMean"
  | "queueLengthMean"
  | "wins"
>;

export interface LoadStudy {
  /** Load by load in the order given, and within a load policy by policy. */
  readonly runs: readonly RunResult[];
  /** The same runs by tenths of the log. Max-Jobs' choices are not known in parts. */
  readonly parts: Parts<readonly LoadFigures[]>;
}

/**
 * The log's own pace (β = 1), and the loads above it: the thesis only ever
 * raises the load (section 6), since stretched arrivals make a queue nowhere.
 */
export function defaultPaces(workload: Workload, machines: Machines): Pace[] {
  const own = offeredLoad(workload, machines);
  return [{ beta: 1 }, ...studiedLoads.filter((load) => load > own).map((load) => ({ load }))];
}

/**
 * Replays a workload at several loads under several policies, side by side
 * (Shai 2014, section 6; Figures 6.1 to 6.4).
 *
 * @throws InputError where a policy is not known, or needs memory and there is none
 */
export async function studyLoad(
  workload: Workload,
  machines: Machines,
  options: LoadOptions = {},
): Promise<LoadStudy> {
  return loadStudyOf(workload, await makeLoadRuns(loadRuns(workload, machines, options), options));
}

/** @throws InputError where there is nothing to run */
export function loadRuns(
  workload: Workload,
  machines: Machines,
  {
    policies = loadPolicies,
    paces = defaultPaces(workload, machines),
    settings: common = {},
  }: LoadChoice = {},
): StudyRuns<Machines> {
  if (policies.length === 0 || paces.length === 0)
    throw new InputError("give at least one policy and one load");
  const settings: GivenSettings[] = paces.flatMap((pace) =>
    policies.map((policy) => ({ ...common, ...pace, policy })),
  );
  return { jobs: () => workload, jobCount: workload.count, generated: null, on: machines, settings };
}

/** In the order of the settings. */
export async function makeLoadRuns(
  { jobs, on, settings }: StudyRuns<Machines>,
  options: RunOptions = {},
): Promise<LoadRun[]> {
  const workload = jobs();
  const sums: WaitSums[][] = [];
  const onSchedule = (schedule: Schedule, run: number): void => {
    sums[run] = tenths(workload.count).map((rows) => waitSums(workload, schedule, rows));
  };
  const results = await simulateAll(workload, on, settings, { ...options, onSchedule });
  return results.map((result, run) => ({ result, sums: sums[run]! }));
}

/** What the runs show together. */
export function loadStudyOf(workload: Workload, made: readonly LoadRun[]): LoadStudy {
  const runs = made.map(({ result }) => result);
  const figuresOf = (of: (sums: readonly WaitSums[]) => readonly WaitSums[]): LoadFigures[] =>
    runs.map(({ policy, beta, offeredLoad, intervalSeconds }, run) => ({
      policy,
      beta,
      offeredLoad,
      intervalSeconds,
      ...meansOf(of(made[run]!.sums)),
    }));
  const numbers = tenths(workload.count).map((_, tenth) => tenth);
  return {
    runs,
    parts: {
      what: TENTHS,
      alone: numbers.map((tenth) => figuresOf((each) => [each[tenth]!])),
      without: numbers.map((tenth) => figuresOf((each) => leavingOut(each)[tenth]!)),
    },
  };
}

/** Of the jobs of some rows that started. */
interface WaitSums {
  readonly started: number;
  readonly waitSeconds: number;
  readonly slowdowns: number;
  /** From the first to the last submission. */
  readonly spanSeconds: number;
}

function waitSums(
  { runtimeSeconds }: Workload,
  { submitSeconds, startSeconds }: Schedule,
  { first, end }: { first: number; end: number },
): WaitSums {
  let started = 0;
  let waitSeconds = 0;
  let slowdowns = 0;
  for (let row = first; row < end; row++) {
    const wait = startSeconds[row]! - submitSeconds[row]!;
    if (Number.isNaN(wait)) continue;
    started++;
    waitSeconds += wait;
    slowdowns += (wait + runtimeSeconds[row]!) / Math.max(runtimeSeconds[row]!, 1);
  }
  const spanSeconds = end === first ? 0 : submitSeconds[end - 1]! - submitSeconds[first]!;
  return { started, waitSeconds, slowdowns, spanSeconds };
}

/** Their queue is by Little's law: their waits ÷ the time they came in. */
function meansOf(
  sums: readonly WaitSums[],
): Pick<RunResult, "waitMeanSeconds" | "slowdownMean" | "queueLengthMean"> {
  const total = (of: (each: WaitSums) => number): number => sums.reduce((sum, each) => sum + of(each), 0);
  const started = total((each) => each.started);
  return {
    waitMeanSeconds: total((each) => each.waitSeconds) / started,
    slowdownMean: total((each) => each.slowdowns) / started,
    queueLengthMean: total((each) => each.waitSeconds) / total((each) => each.spanSeconds),
  };
}
