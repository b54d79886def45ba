import { findHeuristic, findPolicy, heuristics, maxJobs, policies, type NamedPolicy } from "../core/index.ts";
import { InputError } from "../workload/index.ts";

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

/** The three known names that take the fewest edits to reach. */
export function nearest(name: string, known: readonly string[]): string[] {
  return known
    .map((candidate) => ({ candidate, edits: editDistance(name.slice(0, 100).toLowerCase(), candidate) }))
    .sort((a, b) => a.edits - b.edits || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Levenshtein's distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}
