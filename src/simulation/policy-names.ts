import {
  findHeuristic,
  findPolicy,
  heuristics,
  looksLikeOnlinePolicy,
  maxJobs,
  onlinePolicyNames,
  parseOnlinePolicy,
  policies,
  type NamedPolicy,
  type OnlinePolicy,
} from "../core/index.ts";
import { InputError, nearest } from "../workload/index.ts";

/** The names under which policies of a pool give every task a whole node, on any log, and theirs there. */
export const wholeNodePolicies: ReadonlyMap<string, string> = new Map([
  ["FCFS", "fcfs"],
  ["EASY", "easy"],
]);

/**
 * The name of any policy, a pool's or of nodes shared in parts, as it is printed: `GreedyPM *` for `greedypm`,
 * `worse-fit-cores` for `worst-fit-cores`.
 *
 * @throws InputError naming what is wrong with it
 */
export function printedPolicyName(name: string): string {
  const online = resolveOnlinePolicy(name);
  if (online !== null) return online.name;
  return wholeNodePolicies.has(name) ? name : resolvePolicy(name).name;
}

/**
 * A policy that shares nodes in parts by the name that people type; null for names of another kind.
 *
 * @throws InputError where a name in their notation is wrong, with the nearest right ones
 */
export function resolveOnlinePolicy(name: string): OnlinePolicy | null {
  if (!looksLikeOnlinePolicy(name)) return null;
  const policy = parseOnlinePolicy(name);
  if (typeof policy !== "string") return policy;
  const known = nearest(name, onlinePolicyNames()).join(", ");
  throw new InputError(`policy "${name}": ${policy}; did you mean ${known}?`);
}

/**
 * A pool's policy by the name that people type.
 *
 * @param maxJobsList the heuristics that Max-Jobs tries; empty: the default list
 * @throws InputError naming the nearest known names
 */
export function resolvePolicy(name: string, maxJobsList: readonly string[] = []): NamedPolicy {
  const policy = findPolicy(name);
  if (policy === undefined) {
    refuseOtherKinds(name);
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

/** @throws InputError where the name is that of a policy, and not of a pool's */
function refuseOtherKinds(name: string): void {
  const wholeNode = wholeNodePolicies.get(name);
  if (wholeNode === undefined && resolveOnlinePolicy(name) === null) return;
  const what = wholeNode === undefined ? "shares nodes in parts" : "gives every task a whole node";
  throw new InputError(
    `policy "${name}" ${what}, and this is for policies of a pool only, such as ${wholeNode ?? "easy"}; ` +
      "`croft simulate --machines` and `croft study online` run it",
  );
}

function withHeuristics(): string[] {
  return policies
    .filter((kind) => kind.takesHeuristic)
    .flatMap((kind) => heuristics.map((heuristic) => `${kind.name}/${heuristic.name}`));
}
