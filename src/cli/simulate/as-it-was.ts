import {
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

/** Of a log that does not say of which system it is: most parallel machines fill holes this way. */
const PRESUMED_POLICY = "easy";

/** The record of a log, and the run that is to be held against it. */
export interface AsItWas {
  readonly recorded: RecordedRun;
  /** A policy that is simulated only for the check; null: it is among those asked for. */
  readonly extra: SimulationSettings | null;
  /** Of all runs, the extra one last, the one that is held against the record. */
  readonly run: number;
  readonly because: NearestBecause;
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
  const first = planned.findIndex(({ settings }) => isAsTheLog(settings));
  if (first === -1) return null;
  const { policy, settings } = planned[first]!;
  const recorded = recordedRun(workload, machines, settings);
  if (recorded === null) return null;
  if (baseline === undefined && policy === "") return { recorded, extra: null, run: first, because: "farm" };
  const usual = usualPolicies[workload.format ?? ""];
  const nearest = baseline ?? usual ?? PRESUMED_POLICY;
  const because = baseline !== undefined ? "named" : usual !== undefined ? "usual" : "presumed";
  const there = planned.findIndex((run) => run.policy === nearest && isAsTheLog(run.settings));
  return there === -1
    ? { recorded, extra: { ...settings, policy: nearest }, run: planned.length, because }
    : { recorded, extra: null, run: there, because };
}

/** @param runs those planned, and the extra one */
export function checkAgainstRecord(
  { recorded, run, because }: AsItWas,
  workload: Workload,
  machines: Machines,
  runs: readonly RunResult[],
): Fidelity {
  return fidelityOf(workload, machines, recorded, runs[run]!, because);
}

function isAsTheLog({ beta, load, clock }: SimulationSettings): boolean {
  return beta === 1 && load === null && clock === "time";
}
