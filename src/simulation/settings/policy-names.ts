import {
  backfillDepth,
  findHeuristic,
  findPolicy,
  heuristics,
  MAX_BACKFILL_DEPTH,
  matching,
  maxInTurn,
  policies,
  type Heuristic,
  type NamedPolicy,
} from "../../core/index.ts";
import { InputError, nearest } from "../../workload/index.ts";
import { checkedHeuristic, checkedPolicy } from "./checked-policy.ts";
import type { PolicyChoice } from "./settings.ts";
import { nodePolicies, nodePoliciesOf } from "./node-policies.ts";
import { registry } from "./plugin.ts";

/**
 * The name of any policy, a pool's or of nodes, as it is printed: `GreedyPM *` for `greedypm`, `worse-fit-cores` for
 * `worst-fit-cores`.
 *
 * @throws InputError naming what is wrong with it
 */
export function printedPolicyName(name: string): string {
  return nodePoliciesOf(name)?.printed(name) ?? resolvePolicy(name).name;
}

/** The name of a policy however it was chosen. */
export function nameOfPolicy(choice: PolicyChoice): string {
  return typeof choice === "string" ? choice : choice.name;
}

/**
 * A pool's policy by the name that people type, or made of a heuristic or policy of one's own.
 *
 * @param maxJobsList the heuristics that Max-Jobs and its like try; empty: the default list
 * @throws InputError naming the nearest known names
 */
export function resolvePolicy(choice: PolicyChoice, maxJobsList: readonly string[] = []): NamedPolicy {
  if (typeof choice !== "string") {
    const has = (field: string): boolean =>
      typeof (choice as unknown as Record<string, unknown>)[field] === "function";
    if (typeof choice.name !== "string" || !(has("score") || has("create")))
      throw new InputError(
        "a policy is a name, a heuristic (name, score) or a policy of one's own (name, create)",
      );
    if (!("score" in choice)) {
      const kind = policies.includes(choice) ? choice : checkedPolicy(choice);
      return { name: choice.name, kind, heuristic: findHeuristic("first-fit")! };
    }
    const heuristic = heuristics.includes(choice) ? choice : checkedHeuristic(choice);
    return { name: choice.name, kind: matching(heuristic), heuristic };
  }
  const name = choice;
  const policy = findPolicy(name, registry);
  if (policy === undefined) {
    refuseOtherKinds(name);
    if (name.split("/").some((part) => part.split("+").length > maxInTurn))
      throw new InputError(`policy "${name}" joins more than ${maxInTurn} heuristics with "+"`);
    const [kindName] = name.split("/");
    if (/^backfill(:|$)/.test(kindName) && backfillDepth(kindName) === undefined)
      throw new InputError(
        `policy "${name}": say how many of the first waiting jobs hold promises, 1 to ${MAX_BACKFILL_DEPTH}, as in backfill:100`,
      );
    const known = [
      ...new Set([
        ...registry.policies.map((kind) => kind.name),
        "backfill:100",
        ...withHeuristics(),
        ...nodePolicies.flatMap(({ names }) => names),
      ]),
    ];
    throw new InputError(`unknown policy "${name}"; did you mean ${nearest(name, known).join(", ")}?`);
  }
  if (policy.kind.withList === undefined || maxJobsList.length === 0) return policy;
  const list = maxJobsList.map((member) => {
    const heuristic = findAnyHeuristic(member);
    if (heuristic === undefined) {
      const known = registry.heuristics.map((each) => each.name);
      throw new InputError(
        `unknown heuristic "${member}" for ${policy.kind.name}; did you mean ${nearest(member, known).join(", ")}?`,
      );
    }
    return heuristic;
  });
  return { ...policy, kind: policy.kind.withList(list) };
}

/** @throws InputError where the name is that of a policy, and not of a pool's */
function refuseOtherKinds(name: string): void {
  const family = nodePoliciesOf(name);
  if (family === undefined) return;
  const printed = family.printed(name);
  throw new InputError(
    `policy "${name}" ${family.what}, and this is for policies of a pool only, such as ${family.poolPolicy(printed)}; ` +
      "`croft simulate --machines` and `croft study online` run it",
  );
}

/** A heuristic of Croft's or of a plugin's, or several in turn. */
export function findAnyHeuristic(name: string): Heuristic | undefined {
  return findHeuristic(name, registry.heuristics);
}

function withHeuristics(): string[] {
  return registry.policies
    .filter((kind) => kind.takesHeuristic)
    .flatMap((kind) => registry.heuristics.map((heuristic) => `${kind.name}/${heuristic.name}`));
}

/** What a pool's policy does, in a few words for those who have not heard of it; undefined for others. */
export function policySummary(name: string): string | undefined {
  const policy = findPolicy(name, registry);
  if (policy === undefined) return undefined;
  const { kind, heuristic } = policy;
  const place = `each on ${heuristic.summary}`;
  if (kind.name === heuristic.name)
    return `in order of arrival; machines are kept free for a job that does not fit, and later jobs use the others; ${place}`;
  return name.includes("/") ? `${kind.summary}; ${place}` : kind.summary;
}
