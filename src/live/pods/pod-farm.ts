import type { Node } from "../engines/kubernetes/objects.ts";
import { usedBy } from "../engines/kubernetes/pod-use.ts";
import { adopt, adoptStray, claimNominated, type PlacedPod } from "./adoption.ts";
import { newPort } from "./decision-engine.ts";
import type { Least } from "./gangs.ts";
import { Nodes } from "./nodes.ts";
import type { ScheduledPod } from "./objects.ts";
import { queueOf, type PendingPods } from "./pending.ts";
import type { Plan } from "./plan.ts";
import type { Preemptions } from "./preemptions.ts";
import type { Unit, Verdict } from "./unit.ts";
import { Units, type Start } from "./units.ts";
import { Waiting } from "./waiting.ts";
import { wishOf } from "./wish.ts";

/**
 * The pods of a cluster as jobs of the decision engine. It is told what is seen of pods and nodes; a turn says which pods
 * to bind. It has no memory of its own: from what is seen, a new one is as this one, jobs on their nodes included.
 */
export class PodFarm {
  readonly nodes: Nodes;
  readonly waiting: Waiting;
  private readonly plan: Plan;
  private readonly units: Units;
  private readonly pods = new Map<string, ScheduledPod>();
  /** Bound, as the API has answered and no watch has told yet. */
  private readonly assumed = new Map<string, string>();
  /** Binds that were sent and not answered: whatever becomes of their units, they count where they may be. */
  private readonly underWay = new Map<string, string>();
  private readonly dirty = new Set<string>();
  private isForgotten = false;

  constructor(plan: Plan) {
    this.plan = plan;
    this.nodes = new Nodes(plan);
    this.waiting = new Waiting(plan);
    const { nodes, waiting, pods, dirty } = this;
    this.units = new Units({ plan, nodes, waiting, pods, dirty });
  }

  get preemptions(): Preemptions {
    return this.units.preemptions;
  }

  seeNode(node: Node): void {
    this.nodes.see(node);
    // It may have been away, or too small for them.
    for (const uid of this.nodes.strayOn(node.metadata.name)) this.dirty.add(uid);
  }

  removeNode(name: string): void {
    this.nodes.remove(name);
  }

  seePod(pod: ScheduledPod): void {
    this.pods.set(pod.metadata.uid, pod);
    this.dirty.add(pod.metadata.uid);
  }

  removePod(uid: string): void {
    this.pods.delete(uid);
    this.assumed.delete(uid);
    this.underWay.delete(uid);
    this.preemptions.forget(uid);
    this.dirty.add(uid);
  }

  /** The API has bound a pod. */
  bound(uid: string, node: string): void {
    if (this.pods.has(uid)) this.assumed.set(uid, node);
    this.settled(uid);
  }

  /** A bind is over, whatever came of it. */
  settled(uid: string): void {
    this.underWay.delete(uid);
    this.dirty.add(uid);
  }

  /** What is known of a gang's PodGroup. Where that was something else its pods are gathered anew. */
  setLeast(at: number, gang: string, least: Least): void {
    if (!this.waiting.setLeast(gang, least)) return;
    const units = this.waiting.membersOf(gang).map((uid) => this.units.of(uid));
    for (const unit of units) if (unit !== undefined && unit.state !== "placed") this.units.drop(at, unit);
  }

  /** Some of a gang's pods are bound, and others cannot be: those are looked at anew. */
  gaveUp(at: number, unit: Unit): void {
    this.units.drop(at, unit);
  }

  /** None of a unit's pods could be bound. */
  failed(at: number, unit: Unit, message: string): void {
    for (const uid of unit.uids) this.settled(uid);
    if (unit.state === "placed" && !unit.hasStarted) this.units.failed(at, unit, message);
  }

  /** Everything that has become due by now, and what follows from it. */
  turn(at: number): Start[] {
    const { units, preemptions } = this;
    const isNew = units.port === null || this.isForgotten || this.isOutgrown();
    // To a new decision engine what is being bound has no family: pods of another one would be put beside it.
    if (isNew && units.port !== null && this.plan.familyLabel !== null && this.underWay.size > 0) return [];
    if (isNew) this.build(at);
    preemptions.pass(at);
    if (this.catchUp(at)) units.reconsider(at);
    // The room that was made for it is gone, and it may go elsewhere.
    for (const unit of units.all) if (unit.isPinned && preemptions.hasNoRoom(unit)) units.drop(at, unit);
    const gathered = this.waiting.gathered();
    if (isNew) claimNominated({ nodes: this.nodes, units }, at, gathered);
    for (const unit of gathered) if (!unit.isPinned) units.submit(at, unit);
    units.retry(at);
    units.keptFor.ask(at);
    units.tell({ type: "tick", at });
    const starts = units.takeStarts();
    for (const { unit } of starts) for (const [uid, node] of unit.places) this.underWay.set(uid, node);
    units.tellWaiting();
    return starts;
  }

  /** What is to be told of pods that are not scheduled, where it has changed. */
  news(): [ScheduledPod, Verdict][] {
    const { untold, verdicts } = this.waiting;
    const news = Array.from(untold, (uid): [ScheduledPod, Verdict] => [
      this.pods.get(uid)!,
      verdicts.get(uid)!,
    ]);
    untold.clear();
    return news;
  }

  /** Walks all pods. */
  get pending(): PendingPods {
    const counts = { active: 0, backoff: 0, unschedulable: 0, gated: 0 };
    for (const pod of this.ours()) {
      if (this.nodeOf(pod) !== undefined || pod.metadata.deletionTimestamp !== undefined) continue;
      const isGated = (pod.spec.schedulingGates ?? []).length > 0;
      counts[isGated ? "gated" : queueOf(this.waiting.verdicts.get(pod.metadata.uid))]++;
    }
    return counts;
  }

  /** Thousandths of cores that are free on nodes which take pods. */
  get freeCoresMilli(): number {
    return this.units.port?.view.pools[0]!.machines.totalFreeCores ?? 0;
  }

  /** When there is something to do though nothing happens until then; Infinity: never. */
  get nextTime(): number {
    const { port, retryTime, keptFor } = this.units;
    return Math.min(port?.nextTime ?? 0, retryTime, keptFor.nextTime);
  }

  /** Starts anew from what is seen: for priorities that were not known, and after a fault. */
  forget(): void {
    // Answers that come until then are of the present decision engine.
    this.isForgotten = true;
  }

  private build(at: number): void {
    const { plan, nodes, units } = this;
    this.waiting.clear();
    nodes.forget();
    units.requests.begin(this.ours());
    this.isForgotten = false;
    units.begin(newPort(plan, nodes, units.requests));
    const placed: PlacedPod[] = [];
    for (const pod of this.pods.values()) {
      const { uid } = pod.metadata;
      this.dirty.add(uid);
      const node = this.nodeOf(pod);
      if (node === undefined) continue;
      if (!this.isOurs(pod)) {
        this.refresh(at, uid);
        continue;
      }
      placed.push({ pod, node });
      // What the former decision engine counted beside its jobs is one now.
      nodes.setOther(uid, null, NOTHING, true);
    }
    adopt({ plan, nodes, units }, at, placed);
  }

  /** Brings all up to date with what is seen. Returns whether nodes may hold something else than before. */
  private catchUp(at: number): boolean {
    let isChanged = false;
    const strays: PlacedPod[] = [];
    do {
      for (const uid of this.dirty) {
        const stray = this.refresh(at, uid);
        if (stray !== null) strays.push(stray);
      }
      this.dirty.clear();
      // The pods of a node that is gone have to be looked at anew.
      if (this.nodes.tell(at, (event) => this.units.tell(event))) isChanged = true;
    } while (this.dirty.size > 0);
    const { plan, nodes, units } = this;
    for (const stray of strays)
      if (units.of(stray.pod.metadata.uid) === undefined && adoptStray({ plan, nodes, units }, at, stray))
        isChanged = true;
    return isChanged;
  }

  /** Brings what is known of a pod up to date with what is seen of it. Returns one of ours that is on a node and no job. */
  private refresh(at: number, uid: string): PlacedPod | null {
    const pod = this.pods.get(uid);
    const unit = this.units.of(uid);
    if (pod === undefined) {
      this.nodes.setOther(uid, null, NOTHING, true);
      this.nodes.setOn(uid, null);
      this.waiting.remove(uid);
      if (unit !== undefined) this.units.drop(at, unit);
      return null;
    }
    const isOurs = this.isOurs(pod);
    const node = this.nodeOf(pod);
    const isPlacedThere = node !== undefined && unit?.places.get(uid) === node;
    if (isPlacedThere) {
      const { tasks: _, ...now } = wishOf(pod, this.plan.gpuResource, null);
      // It may have been made larger since.
      this.nodes.setOther(uid, node, excess(now, unit.wish), true);
      this.waiting.placed(uid, pod);
      unit.bound.add(uid);
      if (unit.bound.size === unit.uids.length && !unit.hasStarted) this.units.started(at, unit);
      return null;
    }
    if (node !== undefined) {
      if (unit !== undefined) this.units.drop(at, unit);
      this.waiting.placed(uid, pod);
      this.nodes.setOther(uid, node, usedBy(pod, this.plan.gpuResource), isOurs);
      this.nodes.setOn(uid, node);
      return isOurs ? { pod, node } : null;
    }
    const nominated = isOurs ? undefined : pod.status?.nominatedNodeName;
    const isNominated = nominated !== undefined && nominated !== "";
    this.nodes.setOther(uid, isNominated ? nominated : null, usedBy(pod, this.plan.gpuResource), isOurs);
    if (unit?.state === "placed") {
      if (pod.metadata.deletionTimestamp !== undefined) this.units.drop(at, unit);
      return null;
    }
    const sentTo = this.underWay.get(uid);
    if (sentTo !== undefined) {
      this.waiting.remove(uid);
      this.nodes.setOther(uid, sentTo, usedBy(pod, this.plan.gpuResource), isOurs);
      this.nodes.setOn(uid, sentTo);
      return null;
    }
    if (unit === undefined) this.nodes.setOn(uid, null);
    const isChanged = this.waiting.see(pod, at);
    if (unit !== undefined && isChanged) this.units.drop(at, unit);
    return null;
  }

  private nodeOf({ metadata: { uid }, spec: { nodeName } }: ScheduledPod): string | undefined {
    return nodeName ?? this.assumed.get(uid);
  }

  /** Whether a new decision engine would have numbers for what this one has none for, or far fewer. */
  private isOutgrown(): boolean {
    const { count, groupCount } = this.nodes;
    if (groupCount > 1000 + 4 * count) return true;
    const changed = Array.from(this.dirty, (uid) => this.pods.get(uid)).filter((pod) => pod !== undefined);
    return this.units.requests.isOutgrown(changed, () => this.ours(), count);
  }

  private ours(): ScheduledPod[] {
    return [...this.pods.values()].filter((pod) => this.isOurs(pod));
  }

  private isOurs({ spec }: ScheduledPod): boolean {
    return spec.schedulerName === this.plan.schedulerName;
  }
}

const NOTHING = { coresMilli: 0, memoryMiB: 0, gpuMilli: 0 };

function excess(now: typeof NOTHING, counted: typeof NOTHING): typeof NOTHING {
  return {
    coresMilli: Math.max(0, now.coresMilli - counted.coresMilli),
    memoryMiB: Math.max(0, now.memoryMiB - counted.memoryMiB),
    gpuMilli: Math.max(0, now.gpuMilli - counted.gpuMilli),
  };
}
