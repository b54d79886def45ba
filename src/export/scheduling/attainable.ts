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
  };
}
