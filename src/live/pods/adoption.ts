import type { Nodes } from "./nodes.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Plan } from "./plan.ts";
import { byAge, newUnit, type Unit } from "./unit.ts";
import type { Units } from "./units.ts";
import { wishOf } from "./wish.ts";

/** A pod that is on a node. */
export interface PlacedPod {
  readonly pod: ScheduledPod;
  readonly node: string;
}

interface Begun {
  readonly plan: Plan;
  readonly nodes: Nodes;
  readonly units: Units;
}

/**
 * Puts pods that are on nodes there as jobs of a new decision engine, before any other waits. One for which its node has
 * become too small stays out, and is taken off what the node has.
 */
export function adopt({ plan, nodes, units }: Begun, at: number, placed: readonly PlacedPod[]): void {
  const isLeaving = ({ pod }: PlacedPod): boolean => units.preemptions.isLeaving(pod);
  nodes.tell(at, (event) => units.tell(event));
  const inOrder = placed.toSorted(
    (left, right) => Number(isLeaving(left)) - Number(isLeaving(right)) || byAge(left.pod, right.pod),
  );
  for (const { pod, node } of inOrder) units.find(at, foundUnit({ plan, units }, at, pod), node);
}

/**
 * Makes a pod a job that is on its node and is none: the node was away, or the decision engine that chose it is. Where
 * the node has no room for it, it stays taken off what the node has. Returns whether it is one now.
 */
export function adoptStray({ plan, nodes, units }: Begun, at: number, { pod, node }: PlacedPod): boolean {
  const { uid } = pod.metadata;
  const unit = foundUnit({ plan, units }, at, pod);
  if (!nodes.hasRoomFor(uid, node, unit.wish, units.port!.view.pools[0]!.machines)) return false;
  nodes.setOther(uid, null, unit.wish, true);
  // Nothing starts between the two: that needs a tick.
  nodes.tell(at, (event) => units.tell(event));
  units.find(at, unit, node);
  return true;
}

function foundUnit({ plan, units }: Omit<Begun, "nodes">, at: number, pod: ScheduledPod): Unit {
  const wish = wishOf(pod, plan.gpuResource, plan.familyLabel);
  const since = Date.parse(pod.metadata.creationTimestamp ?? "") / 1000;
  const left = Math.max(1, wish.estimateSeconds - (Number.isFinite(since) ? Math.max(0, at - since) : 0));
  // Those that are about to leave make room first, so that a preemption that was under way is not begun elsewhere.
  const priority = units.preemptions.isLeaving(pod) ? -Infinity : wish.priority;
  const { uid } = pod.metadata;
  return newUnit(uid, [uid], { ...wish, priority, estimateSeconds: left });
}

/**
 * Gives pods the room that was being made for them, on the nodes that they were nominated to, before others can have it.
 * One for which there is none there goes wherever there is some.
 */
export function claimNominated(
  { nodes, units }: Omit<Begun, "plan">,
  at: number,
  gathered: readonly Unit[],
): void {
  const { preemptions } = units;
  const nominated = gathered.filter((unit) => {
    const node = preemptions.nominationOf(unit);
    return node !== null && nodes.whyNotOn(node, unit.wish.terms) === null;
  });
  if (nominated.length === 0) return;
  for (const unit of nominated) {
    unit.isPinned = true;
    units.submit(at, unit);
  }
  units.tell({ type: "tick", at });
  for (const unit of nominated) {
    const hasNoRoom = preemptions.hasNoRoom(unit);
    if (unit.state === "waiting" && !hasNoRoom) continue;
    unit.isPinned = false;
    if (hasNoRoom) units.tell({ type: "cancelled", at, job: unit.number });
  }
}
