import { simulateAll, type Family, type PackingChoice, type RunResult } from "../../../simulation/index.ts";
import { durationName, InputError, type Machines, type Workload } from "../../../workload/index.ts";
import type { RunOptions, StudyRuns } from "../runs.ts";
import { runLock, type LockOutcome } from "./lock.ts";
import { indexBeforeSaturation } from "./before-saturation.ts";
import { ttlLimits, type TtlLimits } from "./ttl-limits.ts";
import { throughputLoss, type ThroughputLoss } from "./loss.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

/** The paper's least loaded node. */
const POLICY = "worse-fit-cores";

/** Times to live that are tried unless told otherwise. */
export const studiedTtls: readonly number[] = [HOUR, 6 * HOUR, DAY];

export interface PackingChoices {
  readonly families: readonly Family[];
  /** Seconds; `studiedTtls` unless told otherwise. */
  readonly ttlSeconds?: readonly number[];
  /** The heuristic; the paper's least loaded node unless told otherwise. */
  readonly policy?: string;
  /** The farm's filling is left out of the figures: a day unless told otherwise. */
  readonly warmupSeconds?: number;
  /** Jobs that wait at a time: as many as there are nodes unless told otherwise. */
  readonly queuedJobs?: number;
  readonly pictures?: boolean;
}

export type PackingStudyOptions = PackingChoices & RunOptions;

export interface PackingStudyResult {
  readonly machines: { readonly nodes: number; readonly slots: number };
  readonly warmupSeconds: number;
  /** Relaxed first, then exclusive, then exclusive with each time to live, then spreading. */
  readonly runs: readonly PackingStudyRun[];
  /** Of the constructed sequence: relaxed, exclusive, and exclusive with each time to live. */
  readonly locks: readonly LockOutcome[];
  /** The packing index once the first jobs fill nine tenths of the farm. */
  readonly beforeSaturation: { readonly relaxed: number; readonly exclusive: number };
  readonly limits: TtlLimits;
}

export interface PackingStudyRun {
  readonly run: RunResult;
  /** Against the relaxed run. */
  readonly throughput: ThroughputLoss;
}

/**
 * The experiment of Dal Pra 2014, section 4: the same sequence of jobs on a farm
 * that is never short of them, under each packing policy.
 *
 * @throws InputError where the machines are no equal nodes of slots, a family has no job, or the runs are too short
 */
export async function studyPacking(
  workload: Workload,
  machines: Machines,
  options: PackingStudyOptions,
): Promise<PackingStudyResult> {
  const runs = await makePackingRuns(packingRuns(workload, machines, options), options);
  return packingStudyOf(workload, machines, options, runs);
}

/** In the order of the result. */
export function packingRuns(
  workload: Workload,
  machines: Machines,
  choices: PackingChoices,
): StudyRuns<Machines> {
  const { families, policy = POLICY, warmupSeconds = DAY, queuedJobs = null, pictures = false } = choices;
  const settings = [...packingsOf(choices), { policy: "none" as const, ttlSeconds: 0 }].map((choice) => ({
    policy,
    clock: "order" as const,
    queuedJobs,
    warmupSeconds,
    pictures,
    packing: { ...choice, families },
  }));
  return { jobs: () => workload, jobCount: workload.count, generated: null, on: machines, settings };
}

/** In the order of the settings. */
export function makePackingRuns(
  { jobs, on, settings }: StudyRuns<Machines>,
  options: RunOptions,
): Promise<RunResult[]> {
  return simulateAll(jobs(), on, settings, options);
}

/**
 * What the runs show together, and the smaller experiments beside them.
 *
 * @throws InputError where the runs are too short
 */
export function packingStudyOf(
  workload: Workload,
  machines: Machines,
  choices: PackingChoices,
  runs: readonly RunResult[],
): PackingStudyResult {
  const { families, policy = POLICY, warmupSeconds = DAY } = choices;
  const steps = runs[0]!.fillFactorSteps;
  if (steps === undefined || steps.means.length === 0)
    throw new InputError(
      `workload ${workload.name}: too short to judge by: its runs are over within the warm-up of ${durationName(warmupSeconds)} ` +
        "or soon after it; give a longer log, or a shorter --warmup",
    );
  return {
    machines: { nodes: machines.count, slots: machines.coresMilli[0]! / 1000 },
    warmupSeconds,
    // The runs' steps begin after the warm-up.
    runs: runs.map((run) => ({ run, throughput: throughputLoss(runs[0]!, run, 0) })),
    locks: packingsOf(choices).map((choice) => runLock(machines, choice)),
    beforeSaturation: {
      relaxed: indexBeforeSaturation(workload, machines, families, "relaxed"),
      exclusive: indexBeforeSaturation(workload, machines, families, "exclusive"),
    },
    limits: ttlLimits(workload, machines, families, policy),
  };
}

/** Relaxed, exclusive, and exclusive with each time to live. */
function packingsOf({ ttlSeconds = studiedTtls }: PackingChoices): Omit<PackingChoice, "families">[] {
  return [
    { policy: "relaxed", ttlSeconds: 0 },
    { policy: "exclusive", ttlSeconds: Infinity },
    ...ttlSeconds.map((ttl) => ({ policy: "exclusive" as const, ttlSeconds: ttl })),
  ];
}
