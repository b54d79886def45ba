import {
  checkPolicy,
  closestRun,
  fidelityOf,
  recordedRun,
  type Fidelity,
  type NearestBecause,
  type RecordedRun,
  type RunResult,
  type SimulationSettings,
} from "../../simulation/index.ts";
import { InputError, type Machines, type Workload } from "../../workload/index.ts";
import { machinesOf, type Place } from "./place.ts";
import type { PlannedRun } from "./runs.ts";

/** A policy as batch systems have it. */
interface Usual {
  readonly policy: string;
  /** Whether a job that does not fit keeps no machine free: `--reservations none`. */
  readonly isWithoutReservations?: true;
}

const passesOver: Usual = { policy: "first-fit", isWithoutReservations: true };

/** The policies nearest to the defaults of batch systems, by the format of their logs. */
const usualPolicies: Readonly<Record<string, Usual>> = {
  // SchedulerType=sched/backfill is the default; it keeps nodes free for more than the first job, as conservative does.
  slurm: { policy: "easy" },
  "slurm-json": { policy: "easy" },
  // strict_ordering: false is the default.
  pbs: passesOver,
  // FCFS without SLOT_RESERVE.
  lsf: passesOver,
  // max_reservation 0 is the default.
  "grid-engine": passesOver,
  qacct: passesOver,
  htcondor: passesOver,
  "htcondor-json": passesOver,
  kubernetes: passesOver,
};

/** For a log of an unknown system: most parallel machines use backfilling of this kind. */
const presumed: Usual = { policy: "easy" };

/** What farms are known to run of themselves: one of them that follows the record may be what ran. */
const plausible: readonly string[] = ["fcfs", "first-fit", "easy", "conservative"];

/** The record of a log, and the run to compare with it. */
export interface AsItWas {
  readonly recorded: RecordedRun;
  /** Simulated only for the check. */
  readonly extras: readonly SimulationSettings[];
  /** The index of the run that is compared with the record, among all runs with the extra ones last. */
  readonly run: number;
  /** Of that run. */
  readonly settings: SimulationSettings;
  /** What it is called. */
  readonly name: string;
  /** All runs at the log's own pace, the extra ones too. */
  readonly ownPace: readonly number[];
  readonly because: NearestBecause;
  /** Why the policy nearest to the site's own is not simulated; null if it is. */
  readonly leftOut: string | null;
}

/**
 * The record of the log, and the run to compare with it.
 *
 * @param baseline the policy that the user named as theirs
 * @returns null where the log tells no waits, or no run is made at its own pace
 */
export function asItWas(
  workload: Workload,
  place: Place,
  planned: readonly PlannedRun[],
  baseline: string | undefined,
): AsItWas | null {
  const ownPace = planned.flatMap(({ settings }, run) => (isAsTheLog(settings) ? [run] : []));
  const [first] = ownPace;
  if (first === undefined) return null;
  const { policy, settings } = planned[first]!;
  const recorded = recordedRun(workload, machinesOf(place), settings);
  if (recorded === null) return null;
  const was = { recorded, ownPace, extras: [], settings, leftOut: null };
  if (baseline === undefined && policy === "") return { ...was, run: first, name: "", because: "farm" };
  if (baseline === undefined && workload.farm?.policy === null)
    return { ...was, run: first, name: "", because: "closest", leftOut: SEVERAL_RAN };
  const { nearest, because } = nearestTo(workload, baseline);
  const wanted: SimulationSettings = {
    ...settings,
    policy: nearest.policy,
    ...(nearest.isWithoutReservations === true ? { reserving: 0 } : {}),
  };
  const there = ownPace.find(
    (run) => planned[run]!.policy === nearest.policy && planned[run]!.settings.reserving === wanted.reserving,
  );
  const isToldApart = nearest.isWithoutReservations === true && settings.reserving !== 0;
  const name = isToldApart ? `${nearest.policy} without reservations` : nearest.policy;
  const problem = there === undefined ? whyNot(workload, place, wanted) : null;
  // Where it is only assumed what ran, the plainest policy is held against the record too.
  const isAssumed = because === "usual" || because === "presumed";
  const isPlannedToo = ownPace.some((run) => planned[run]!.policy === PLAINEST);
  const plainest = { ...settings, policy: PLAINEST };
  const extras = [
    ...(there === undefined && problem === null ? [wanted] : []),
    ...(isAssumed && !isPlannedToo && whyNot(workload, place, plainest) === null ? [plainest] : []),
  ];
  const all = { ...was, extras, ownPace: [...ownPace, ...extras.map((_, at) => planned.length + at)] };
  if (there !== undefined) return { ...all, run: there, settings: planned[there]!.settings, name, because };
  if (problem === null) return { ...all, run: planned.length, settings: wanted, name, because };
  return { ...all, run: first, name: "", because: "closest", leftOut: `${name}: ${problem}` };
}

const PLAINEST = "fcfs";
const SEVERAL_RAN =
  "the log says that several policies ran, or one with settings of its own: name what it comes nearest to (--baseline POLICY)";

/** The policy nearest to the site's own, and how that is known. */
function nearestTo(
  { farm, format }: Workload,
  baseline: string | undefined,
): { nearest: Usual; because: NearestBecause } {
  if (baseline !== undefined) return { nearest: { policy: baseline }, because: "named" };
  if (farm?.policy != null) return { nearest: { policy: farm.policy }, because: "ran" };
  const usual = usualPolicies[format ?? ""];
  return usual === undefined
    ? { nearest: presumed, because: "presumed" }
    : { nearest: usual, because: "usual" };
}

/** Why a run cannot be made, though others with nearly the same settings are; null if it can. */
function whyNot(workload: Workload, place: Place, settings: SimulationSettings): string | null {
  try {
    checkPolicy(workload, place, settings);
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

/**
 * Compares the policy nearest to the site's own with the record. If that cannot be simulated, the policy that comes
 * closest is taken, from which nothing follows but how far all are. One that follows the record where the site's does not
 * is named where farms run such, and no more: it may be near by accident.
 *
 * @param runs those planned, and the extra ones
 */
export function checkAgainstRecord(
  { recorded, run, name, ownPace, because }: AsItWas,
  workload: Workload,
  machines: Machines,
  runs: readonly RunResult[],
): Fidelity {
  const planned = ownPace.map((each) => runs[each]!);
  const nearest = because === "closest" ? closestRun(planned, recorded)! : runs[run]!;
  const fidelity = fidelityOf(workload, machines, recorded, nearest, because);
  const likely = planned.filter(({ policy }) => plausible.includes(policy));
  const other = fidelity.isNear ? undefined : closestRun(likely, recorded);
  const isOther =
    other !== undefined &&
    other !== nearest &&
    fidelityOf(workload, machines, recorded, other, "closest").isNear;
  return {
    ...fidelity,
    policy: name === "" ? nearest.policy : name,
    ...(isOther ? { nearer: other.policy } : {}),
  };
}

function isAsTheLog({ beta, load, clock }: SimulationSettings): boolean {
  return beta === 1 && load === null && clock === "time";
}
