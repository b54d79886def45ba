import type { Heuristic } from "../matching/heuristic.ts";
import { findHeuristic, heuristics, maxJobsDefaults } from "../matching/registry.ts";
import { firstFit } from "../matching/heuristics/first-fit.ts";
import type { PolicyKind } from "../pool/policy.ts";
import { backfillNamed } from "./backfilling/backfill.ts";
import { conservative } from "./backfilling/conservative.ts";
import { easy, easyPlusPlus, easySjbf } from "./backfilling/easy.ts";
import { fcfs } from "./backfilling/fcfs.ts";
import { eitherOrder } from "./either-order.ts";
import { lookahead } from "./lookahead.ts";
import { matching } from "./matching.ts";
import { maxCosts } from "./max-cost.ts";
import { maxJobs } from "./max-jobs.ts";

const maxJobsList = maxJobsDefaults.map((name) => findHeuristic(name)!);

/** Every policy that a pool can run. To add one: a file beside the others, and a line here. */
export const policies: readonly PolicyKind[] = [
  ...heuristics.map(matching),
  maxJobs(maxJobsList),
  ...maxCosts(maxJobsList),
  lookahead,
  eitherOrder,
  fcfs,
  easy,
  easySjbf,
  easyPlusPlus,
  conservative,
];

/** The policy with this name: `mix-fit`, `easy`, `easy/mix-fit`. */
export interface NamedPolicy {
  /** The name as it is printed, without aliases. */
  readonly name: string;
  readonly kind: PolicyKind;
  readonly heuristic: Heuristic;
}

/** What policies are made of: Croft's own, or those and others. */
interface PolicyParts {
  readonly heuristics: readonly Heuristic[];
  readonly policies: readonly PolicyKind[];
}

/** Undefined if the name, or the heuristic after the slash, is unknown. */
export function findPolicy(
  name: string,
  known: PolicyParts = { heuristics, policies },
): NamedPolicy | undefined {
  const [kindName, heuristicName, ...rest] = name.split("/") as [string, string?, ...string[]];
  const own = findHeuristic(kindName, known.heuristics);
  const kind =
    known.policies.find((policy) => policy.name === (own?.name ?? kindName)) ??
    backfillNamed(kindName) ??
    (own === undefined ? undefined : matching(own));
  if (kind === undefined || rest.length > 0) return undefined;
  if (heuristicName === undefined) return { name: kind.name, kind, heuristic: own ?? firstFit };
  const heuristic = findHeuristic(heuristicName, known.heuristics);
  if (heuristic === undefined || !kind.takesHeuristic) return undefined;
  return { name: `${kind.name}/${heuristic.name}`, kind, heuristic };
}
