import type { ScheduledPod } from "./objects.ts";
import type { PodWish } from "./wish.ts";

/** A pod, or the pods of a gang, as a job of the decision engine. */
export interface Unit {
  /** The UID of the pod, or the name of the gang. */
  readonly key: string;
  readonly wish: PodWish;
  /** The same text for those that ask for the same of nodes. */
  readonly kind: string;
  /** In the order of the job's tasks. */
  readonly uids: readonly string[];
  /**
   * - `unplaceable`: no node could hold it; the decision engine does not know it.
   * - `waiting`: for its turn.
   * - `held`: a bind has failed, and it waits some seconds. It keeps nothing free.
   * - `placed`: on nodes, or about to be bound to them.
   * - `over`: the decision engine knows it no more.
   */
  state: "unplaceable" | "waiting" | "held" | "placed" | "over";
  /** Its number in the decision engine; 0: none yet. */
  number: number;
  attempt: number;
  decision: number;
  /** By UID: its node; empty while it waits. */
  places: ReadonlyMap<string, string>;
  /** The UIDs that are bound, as the cluster says. */
  readonly bound: Set<string>;
  hasStarted: boolean;
  /** Its pods are of a gang, which is worth nothing without them. */
  isOfGang: boolean;
  /** It is to start on the node that it was nominated to. */
  isPinned: boolean;
  /** The decision that it is to be evicted, and nothing has come of it yet; 0: there is none. */
  eviction: number;
  /** Why it waits, where that is not only the others' turn. */
  waits: Verdict | null;
  /** By name: what keeps others from being evicted for it, as it is told, and until when that counts. */
  readonly obstacles: Map<string, { readonly message: string; readonly until: number }>;
  /** Binds that failed, one after another, and when it is tried again. */
  failures: number;
  retryAt: number;
}

export function newUnit(key: string, uids: readonly string[], wish: PodWish): Unit {
  return {
    key,
    wish,
    kind: JSON.stringify([wish.terms, wish.tasks, wish.coresMilli, wish.memoryMiB, wish.gpuMilli]),
    uids,
    state: "unplaceable",
    number: 0,
    attempt: 0,
    decision: 0,
    places: new Map(),
    bound: new Set(),
    hasStarted: false,
    isOfGang: false,
    isPinned: false,
    eviction: 0,
    waits: null,
    obstacles: new Map(),
    failures: 0,
    retryAt: 0,
  };
}

/** Why a pod is not scheduled yet, as it is told in its condition and, if it is a fault, in an event. */
export interface Verdict {
  /**
   * - `WaitingForTurn`: some node could hold it. Autoscalers do not act on it.
   * - `Unschedulable`: no node could. Autoscalers do.
   * - `Unsupported`: it asks for what is not done here.
   * - `GangIncomplete`: it waits for the other pods of its gang, or for its PodGroup.
   * - `BindFailed`: the API has refused its node.
   * - `Preempting`: others of lower priority are about to leave a node for it.
   * - `PreemptionRefused`: they would, but may not be evicted now.
   */
  readonly reason:
    | "WaitingForTurn"
    | "Unschedulable"
    | "Unsupported"
    | "GangIncomplete"
    | "BindFailed"
    | "Preempting"
    | "PreemptionRefused";
  readonly message: string;
  /** Null: the pod is nominated to no node any more. */
  readonly nominated?: null;
}

/** By when they came. Names decide among pods of one second, so that a restart finds the same order. */
export function byAge(left: ScheduledPod, right: ScheduledPod): number {
  const key = ({ metadata: { creationTimestamp = "", namespace = "", name } }: ScheduledPod): string =>
    `${creationTimestamp}/${namespace}/${name}`;
  const [a, b] = [key(left), key(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}
