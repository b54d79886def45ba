import { InputError, type FairShareUsage } from "../../workload/index.ts";

/** Which jobs may pass the first waiting job when it does not fit. */
export type Passing =
  /** No job passes it. */
  | "none"
  /** Every job that fits. */
  | "all"
  /** Every job that fits on machines that are not kept free for a job before it. */
  | "kept"
  /** Jobs that do not delay it, in the order of the queue. */
  | "easy"
  /** Jobs that do not delay it, the shortest estimate first. */
  | "easy-sjbf"
  /** Jobs that delay none of the first so many waiting jobs: `depth`. */
  | "backfill"
  /** Jobs that delay no waiting job. */
  | "conservative";

/** By the cores that projects use now, or by what they have used. */
export type FairShareRule = "running" | FairShareUsage;

/** What a batch system is to do: a scheduling policy in the words of batch systems. */
export interface SchedulingPolicy {
  /** As Croft prints it: `easy/best-fit-memory`. */
  readonly name: string;
  readonly passing: Passing;
  /** Of `backfill`: how many waiting jobs may not be delayed; 0 for all others. */
  readonly depth: number;
  /** The heuristic that chooses a machine. */
  readonly placement: string;
  /** Of a policy that no batch system has: what it does beyond passing and placement. */
  readonly beyond: string | null;
  /** What projects are served by; null: jobs come in order of arrival. */
  readonly fairShare: FairShareRule | null;
  /** Whether jobs hold memory as well as cores. */
  readonly hasMemory: boolean;
}

const passings: Readonly<Record<string, Passing>> = {
  fcfs: "none",
  easy: "easy",
  "easy-sjbf": "easy-sjbf",
  "easy++": "easy-sjbf",
  conservative: "conservative",
};

const beyonds: Readonly<Record<string, string>> = {
  "easy++": "predicting run times from those of the user's last two jobs",
  "max-jobs": "trying several ways to place in every pass and keeping the one that starts the most jobs",
  "max-cores": "trying several ways to place in every pass and keeping the one that fills the most cores",
  "max-wait":
    "trying several ways to place in every pass and keeping the one whose jobs have waited longest in sum",
  "max-starved":
    "trying several ways to place in every pass and keeping the one that starts those that starve",
  lookahead: "choosing among the first 50 waiting jobs those that fill the machines best",
  "either-order": "trying the smallest jobs first and keeping the order that starts the most",
};

/**
 * @param options `hasReservations`: whether jobs that do not fit keep machines free, where the policy has a choice
 * @param kind a policy's name without its heuristic
 * @param heuristic the one that it places by
 * @throws {InputError} for policies that share nodes in parts
 */
export function schedulingPolicy(
  name: string,
  kind: string,
  heuristic: string,
  options: { fairShare?: FairShareRule | null; hasMemory?: boolean; hasReservations?: boolean } = {},
): SchedulingPolicy {
  const { fairShare = null, hasMemory = true, hasReservations = true } = options;
  const depth = Number(/^backfill:(\d+)$/.exec(kind)?.[1] ?? 0);
  if (name === "") throw new InputError("no policy: say which, as in easy");
  return {
    name,
    passing: depth > 0 ? "backfill" : (passings[kind] ?? (hasReservations ? "kept" : "all")),
    depth,
    placement: heuristic,
    beyond: beyonds[kind] ?? null,
    fairShare,
    hasMemory,
  };
}

/** What the policy does, in a sentence. */
export function schedulingInWords({
  name,
  passing,
  depth,
  placement,
  beyond,
  fairShare,
}: SchedulingPolicy): string {
  const order =
    fairShare === null
      ? "jobs in order of arrival"
      : fairShare === "running"
        ? "jobs of those first who use the fewest cores at the time"
        : `jobs of those first who used least, half of it counting after ${daysText(fairShare.halfLifeSeconds)}${measureText(fairShare)}`;
  const words: Readonly<Record<Passing, string>> = {
    none: "no job passes the first one that does not fit",
    all: "jobs that fit pass those that do not",
    kept: "a machine is kept free for a job that does not fit, and later jobs use the others",
    easy: "others pass the first waiting job where that does not delay it",
    "easy-sjbf": "others pass the first waiting job where that does not delay it, the shortest first",
    backfill: `others pass where that delays none of the first ${depth} waiting jobs`,
    conservative: "others pass where that delays no waiting job",
  };
  return `${name}: ${order}; ${words[passing]}; placed by ${placement}${beyond === null ? "" : `; ${beyond}`}.`;
}

/** `7 days`, `36 hours`, `90 seconds`. */
export function daysText(seconds: number): string {
  const units = [
    [86_400, "day"],
    [3600, "hour"],
    [60, "minute"],
  ] as const;
  const [size, unit] = units.find(([each]) => seconds % each === 0) ?? [1, "second"];
  const count = seconds / size;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

function measureText({ of }: FairShareUsage): string {
  return of === "cores" ? "" : of === "memory" ? ", by memory" : ", by the dominant resource";
}
