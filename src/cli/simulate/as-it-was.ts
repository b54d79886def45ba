import {
  closestRun,
  fidelityOf,
  recordedRun,
  type Fidelity,
  type NearestBecause,
  type RecordedRun,
  type RunResult,
  type SimulationSettings,
} from "../../simulation/index.ts";
import type { Machines, Workload } from "../../workload/index.ts";
import type { PlannedRun } from "./runs.ts";

/** What batch systems do unless told otherwise, by the format of their logs. */
const usualPolicies: Readonly<Record<string, string>> = {
  // SchedulerType=sched/backfill is the default.
  slurm: "easy",
  "slurm-json": "easy",
  // strict_ordering: false is the default: what does not fit is passed over.
  pbs: "first-fit",
  // FCFS without reservation passes over what does not fit.
  lsf: "first-fit",
  "grid-engine": "first-fit",
  qacct: "first-fit",
  condor: "first-fit",
  "condor-json": "first-fit",
  kubernetes: "first-fit",
};

/** Of a log that does not say of which system it is, this is tried beside the policies that were asked for. */
const USUAL_OF_PARALLEL_MACHINES = "easy";

/** The record of a log, and the run that is to be held against it. */
export interface AsItWas {
  readonly recorded: RecordedRun;
  /** A policy that is simulated only for the check; null: it is among those asked for. */
  readonly extra: SimulationSettings | null;
  /** Null: the closest to the record. */
  readonly nearest: { readonly policy: string; readonly because: NearestBecause } | null;
}

/**
 * What the log tells of the farm as it was, and what to hold against it.
 *
 * @param baseline the policy that the user named as theirs
 * @returns null where the log tells no waits, or no run is made at its own pace
 */
export function asItWas(
  workload: Workload,
  machines: Machines,
  planned: readonly PlannedRun[],
  baseline: string | undefined,
): AsItWas | null {
  const own = planned.filter(({ settings }) => isAsTheLog(settings));
  const [first] = own;
  if (first === undefined) return null;
  const recorded = recordedRun(workload, machines, first.settings);
  if (recorded === null) return null;
  const usual = usualPolicies[workload.format ?? ""];
  const isPlain = first.policy !== "" && first.settings.packing === null;
  const nearest =
    baseline !== undefined
      ? { policy: baseline, because: "named" as const }
      : usual !== undefined && isPlain
        ? { policy: usual, because: "usual" as const }
        : null;
  const wanted = nearest?.policy ?? USUAL_OF_PARALLEL_MACHINES;
  const isThere = own.some(({ policy }) => policy === wanted);
  const extra = isThere || !isPlain ? null : { ...first.settings, policy: wanted };
  return { recorded, extra, nearest };
}

/**
 * @param runs those asked for
 * @param extra the one that was simulated for the check only
 */
export function checkAgainstRecord(
  { recorded, nearest }: AsItWas,
  workload: Workload,
  machines: Machines,
  runs: readonly RunResult[],
  extra: RunResult | undefined,
): Fidelity | undefined {
  const all = [...runs, ...(extra === undefined ? [] : [extra])].filter(({ beta }) => beta === 1);
  const known = nearest === null ? undefined : all.find(({ policy }) => policy === nearest.policy);
  const run = known ?? closestRun(all, recorded);
  if (run === undefined) return undefined;
  return fidelityOf(workload, machines, recorded, run, known === undefined ? "closest" : nearest!.because);
}

function isAsTheLog({ beta, load, clock }: SimulationSettings): boolean {
  return beta === 1 && load === null && clock === "time";
}
