import type { Connection } from "../engines/kubernetes/connection.ts";
import type { ScheduledPod } from "./objects.ts";

/** What is read of a PodDisruptionBudget. */
interface Budget {
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: { readonly selector?: Selector | null };
  readonly status?: { readonly disruptionsAllowed?: number };
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** What keeps pods from being evicted. */
export interface Obstacle {
  /** What it is, whichever pods it keeps: the same budget has the same name. */
  readonly name: string;
  /** The same for all pods that it keeps now, on whatever node. */
  readonly message: string;
}

/** The name of the obstacle that no budget can be looked at; no budget has it. */
export const UNREAD = "budgets";

/** A budget that forbids an eviction. */
export interface Forbidden extends Obstacle {
  /** Whether it is in vain to try this one soon. */
  forbids(pod: ScheduledPod): boolean;
}

/**
 * The disruption budgets of some namespaces, as they were at one time. The API server enforces them at each eviction;
 * here they are looked at first, so that no pod is evicted for one that another budget keeps from starting all the same.
 */
export class Budgets {
  private readonly budgets: readonly Budget[];
  /** By budget: how many more evictions it allows. */
  private readonly left: Map<Budget, number>;

  constructor(budgets: readonly Budget[]) {
    this.budgets = budgets;
    this.left = new Map(budgets.map((each) => [each, each.status?.disruptionsAllowed ?? 0]));
  }

  /** Counts the evictions of all of them, if no budget forbids it; otherwise that one is returned, and nothing counted. */
  take(pods: readonly ScheduledPod[]): Forbidden | null {
    for (const budget of this.budgets) {
      const covered = pods.filter((pod) => covers(budget, pod));
      const left = this.left.get(budget)!;
      if (covered.length <= left) continue;
      return {
        name: nameOf(budget),
        message: `the disruption budget ${nameOf(budget)} allows ${left} evictions now, fewer than it takes`,
        // Where it allows some, fewer of its pods may do.
        forbids: (pod) => (left === 0 ? covers(budget, pod) : pod === covered[0]),
      };
    }
    for (const budget of this.budgets) {
      const count = pods.filter((pod) => covers(budget, pod)).length;
      this.left.set(budget, this.left.get(budget)! - count);
    }
    return null;
  }

  /** The names of the budgets that a pod counts for. */
  of(pod: ScheduledPod): string[] {
    return this.budgets.filter((budget) => covers(budget, pod)).map(nameOf);
  }
}

function nameOf({ metadata: { namespace, name } }: Budget): string {
  return `${namespace}/${name}`;
}

/** Pods that do not run yet are evicted whatever budgets say. */
function covers({ metadata, spec }: Budget, { metadata: pod, status }: ScheduledPod): boolean {
  if (metadata.namespace !== pod.namespace || status?.phase !== "Running") return false;
  const { matchLabels = {}, matchExpressions = [] } = spec?.selector ?? { matchExpressions: NOTHING };
  const { labels = {} } = pod;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const isThere = Object.hasOwn(labels, key);
      if (operator === "Exists") return isThere;
      if (operator === "DoesNotExist") return !isThere;
      const isAmong = isThere && values.includes(labels[key]!);
      return operator === "In" ? isAmong : !isAmong;
    })
  );
}

/** A budget without a selector is for no pod; one whose selector is empty is for all of its namespace. */
const NOTHING = [{ key: "", operator: "In", values: [] }];

/** The versions of the API that have budgets and evictions: 1.21 brought the first, and 1.25 has no other. */
const VERSIONS = ["policy/v1", "policy/v1beta1"] as const;
export type PolicyVersion = (typeof VERSIONS)[number];

/** Lists the budgets of some namespaces, and says by which version of the API; or why they cannot be had. */
export async function readBudgets(
  connection: Connection,
  namespaces: Iterable<string>,
): Promise<{ readonly budgets: Budgets; readonly version: PolicyVersion } | { readonly problem: string }> {
  const budgets: Budget[] = [];
  let version: PolicyVersion = VERSIONS[0];
  for (const namespace of namespaces) {
    const list = (): ReturnType<Connection["call"]> =>
      connection.call({
        method: "GET",
        path: `/apis/${version}/namespaces/${namespace}/poddisruptionbudgets`,
      });
    let answer = await list();
    if (!answer.ok && answer.status === 404) {
      version = VERSIONS[1];
      answer = await list();
    }
    if (!answer.ok) {
      const rights = answer.status === 403 ? " (evict: true needs the rights of evictions.yaml)" : "";
      return { problem: `disruption budgets cannot be read: ${answer.message}${rights}` };
    }
    for (const each of (answer.value as { readonly items?: readonly Budget[] }).items ?? [])
      budgets.push({ ...each, metadata: { ...each.metadata, namespace } });
  }
  return { budgets: new Budgets(budgets), version };
}
