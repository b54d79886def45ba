import type { Attainable } from "./advice.ts";
import type { Passing, SchedulingPolicy } from "./policy.ts";

/** What a batch system does in place of what it cannot do. */
export interface Abilities {
  /** What it does in place of a rule for passing; a rule that is not listed it follows. */
  readonly passing: Partial<Readonly<Record<Passing, Passing>>>;
  /** The heuristics by which it can choose machines. */
  readonly placement: readonly string[];
  /** The one that it is nearest to when asked for another. */
  readonly otherwise: string;
}

/** The names of policies by their rule; those of the others are their heuristic's. */
const names: Partial<Readonly<Record<Passing, string>>> = {
  none: "fcfs",
  easy: "easy",
  "easy-sjbf": "easy-sjbf",
  conservative: "conservative",
};

const passesOver = "it passes over a job that does not fit.";
const noLimits = "it does not look at how long jobs run: jobs that fit pass those that do not.";
const byPriority = "it backfills in the order of the queue, not the shortest first.";
const notFirst = "it reserves for every waiting parallel job, which is nearer to conservative.";

export function attainable(
  policy: SchedulingPolicy,
  { passing, placement, otherwise }: Abilities,
): Attainable {
  const rule = passing[policy.passing] ?? policy.passing;
  const heuristic = placement.includes(policy.placement) ? policy.placement : otherwise;
  const isSame = rule === policy.passing && heuristic === policy.placement && policy.beyond === null;
  const kind = rule === "backfill" ? `backfill:${policy.depth}` : names[rule];
  const own = heuristic === "first-fit" ? kind : `${kind}/${heuristic}`;
  return {
    policy: isSame ? policy.name : kind === undefined ? heuristic : own!,
    reservations: rule === "all" ? "none" : "all",
    isSame,
    instead:
      policy.beyond === null ? insteadOf(policy.passing, rule) : `it does not do this: ${policy.beyond}.`,
  };
}

/** To keep machines free for every waiting job is near enough to keeping one for some. */
function insteadOf(asked: Passing, rule: Passing): string | null {
  if (asked === rule || (asked === "kept" && rule === "conservative")) return null;
  if (rule === "all") return asked === "none" ? passesOver : noLimits;
  return rule === "easy" ? byPriority : notFirst;
}
