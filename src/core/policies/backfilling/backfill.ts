import type { PolicyKind } from "../../pool/policy.ts";
import { conservative } from "./conservative.ts";
import { KeptPromises } from "./kept-promises.ts";

/** The largest number of jobs with promises that a name may ask for. */
export const MAX_BACKFILL_DEPTH = 1_000_000;

/**
 * Backfilling in which the first so many waiting jobs hold promises, and those behind them start where they delay none:
 * what Slurm does with `bf_job_part_count_reserve` and PBS with `backfill_depth`.
 */
export function backfill(depth: number): PolicyKind {
  return {
    ...conservative,
    name: `backfill:${depth}`,
    summary: `backfilling with promises to the first ${depth} waiting jobs`,
    create: (context, heuristic) => new KeptPromises(context, heuristic, depth),
  };
}

/** All such policies, as they are listed. */
export const backfillSummary = {
  name: "backfill:N",
  summary: `backfilling with promises to the first N waiting jobs, 1 to ${MAX_BACKFILL_DEPTH}`,
  takesHeuristic: conservative.takesHeuristic,
};

/** The policy with a name such as `backfill:100`; undefined if it is none. */
export function backfillNamed(name: string): PolicyKind | undefined {
  const depth = backfillDepth(name);
  return depth === undefined ? undefined : backfill(depth);
}

/** How many jobs hold promises under a policy with a name such as `backfill:100`; undefined if it is none. */
export function backfillDepth(name: string): number | undefined {
  const depth = Number(/^backfill:([1-9]\d*)$/.exec(name)?.[1]);
  return depth <= MAX_BACKFILL_DEPTH ? depth : undefined;
}
