import { findHeuristic, findPolicy, heuristics, maxJobs, policies, type NamedPolicy } from "../core/index.ts";
import { InputError, nearest } from "../workload/index.ts";

/**
 * A policy by the name that people type.
 *
 * @param maxJobsList the heuristics that Max-Jobs tries; empty: the default list
 * @throws InputError naming the nearest known names
 */
export function resolvePolicy(name: string, maxJobsList: readonly string[] = []): NamedPolicy {
  const policy = findPolicy(name);
  if (policy === undefined) {
    const known = [...new Set([...policies.map((kind) => kind.name), ...withHeuristics()])];
    throw new InputError(`unknown policy "${name}"; did you mean ${nearest(name, known).join(", ")}?`);
  }
  if (policy.kind.name !== "max-jobs" || maxJobsList.length === 0) return policy;
  const list = maxJobsList.map((member) => {
    const heuristic = findHeuristic(member);
    if (heuristic === undefined) {
      const known = heuristics.map((each) => each.name);
      throw new InputError(
        `unknown heuristic "${member}" for max-jobs; did you mean ${nearest(member, known).join(", ")}?`,
      );
    }
    return heuristic;
  });
  return { ...policy, kind: maxJobs(list) };
}

function withHeuristics(): string[] {
  return policies
    .filter((kind) => kind.takesHeuristic)
    .flatMap((kind) => heuristics.map((heuristic) => `${kind.name}/${heuristic.name}`));
}
