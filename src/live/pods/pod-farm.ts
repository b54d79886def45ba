import type { Answer, EngineEvent, PlainDecision, Port } from "../../core/index.ts";
import type { Node } from "../engines/kubernetes/objects.ts";
import { usedBy } from "../engines/kubernetes/pod-use.ts";
import { newPort } from "./decision-engine.ts";
import { gangOf } from "./gangs.ts";
import { Nodes } from "./nodes.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Plan } from "./plan.ts";
import { Preemptions } from "./preemptions.ts";
import { Requests } from "./requests.ts";
import { byAge, newUnit, type Unit, type Verdict } from "./unit.ts";
import { Waiting } from "./waiting.ts";
import { wishOf, type PodWish } from "./wish.ts";

/** Pods to bind, each to its node: all of a unit, which start together. */
export interface Start {
  readonly unit: Unit;
  readonly pods: readonly { readonly pod: ScheduledPod; readonly node: string }[];
}

const BACKOFF_SECONDS = { first: 1, longest: 60 };
/** Pods that are no jobs cannot be evicted. They are made jobs by starting anew, at most so often. */
const ADOPT_SECONDS = 30;

/**
 * The pods of a cluster as jobs of the decision engine. It is told what is seen of pods and nodes; a turn says which pods
 * to bind. It has no memory of its own: from what is seen, a new one is as this one, jobs on their nodes included.
 */
export class PodFarm {
  readonly nodes: Nodes;
  readonly waiting: Waiting;
  readonly preemptions: Preemptions;
  private readonly plan: Plan;
  private readonly pods = new Map<string, ScheduledPod>();
  private readonly unitOf = new Map<string, Unit>();
  private readonly units = new Map<number, Unit>();
  /** Bound, as the API has answered and no watch has told yet. */
  private readonly assumed = new Map<string, string>();
  /** Binds that were sent and not answered: whatever becomes of their units, they count where they may be. */
  private readonly underWay = new Map<string, string>();
  private readonly dirty = new Set<string>();
  private port: Port | null = null;
  private isForgotten = false;
  /** Pods have been bound whose binds a former decision engine began. */
  private hasLateBinds = false;
  private builtAt = 0;
  private last = 0;
  private readonly requests: Requests;
  private decisions: (PlainDecision & { type: "START" })[] = [];

  constructor(plan: Plan) {
    this.plan = plan;
    this.nodes = new Nodes(plan.gpuResource);
    this.waiting = new Waiting(plan);
    this.requests = new Requests(plan);
    const { nodes, units, pods } = this;
    this.preemptions = new Preemptions({ nodes, units, pods, tell: (event) => this.tell(event) });
  }

  seeNode(node: Node): void {
    this.nodes.see(node);
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
    if (this.plan.victim !== null && this.unitOf.get(uid)?.state !== "placed") this.hasLateBinds = true;
    this.settled(uid);
  }

  /** A bind is over, whatever came of it. */
  settled(uid: string): void {
    this.underWay.delete(uid);
    this.dirty.add(uid);
  }

  /** Some of a gang's pods are bound, and others cannot be: those are looked at anew. */
  gaveUp(at: number, unit: Unit): void {
    this.drop(at, unit);
  }

  /** None of a unit's pods could be bound. It keeps nothing, and is tried again after some seconds. */
  failed(at: number, unit: Unit, message: string): void {
    for (const uid of unit.uids) this.settled(uid);
    if (unit.state !== "placed" || unit.hasStarted) return;
    const { number: job, attempt, decision } = unit;
    const machine = this.port!.view.pools[0]!.placementOf(this.port!.handleOf(job))[0]!.machine;
    this.leavePlaces(unit);
    this.tell({ type: "startFailed", at, job, attempt, decision, machine, fault: "transient" });
    this.tell({ type: "held", at, job });
    unit.state = "held";
    unit.retryAt = at + Math.min(BACKOFF_SECONDS.longest, BACKOFF_SECONDS.first * 2 ** unit.failures++);
    const wait = Math.ceil(unit.retryAt - at);
    this.verdict(unit, { reason: "BindFailed", message: `${message}; it is tried again in ${wait} s` });
  }

  /** Everything that has become due by now, and what follows from it. */
  turn(at: number): Start[] {
    if (this.adoptAt <= at) this.isForgotten = true;
    const isNew = this.port === null || this.isForgotten || this.isOutgrown();
    if (isNew) this.build(at);
    this.preemptions.pass(at);
    if (this.catchUp(at)) this.reconsider(at);
    // The room that was made for it is gone, and it may go elsewhere.
    for (const unit of this.units.values())
      if (unit.isPinned && this.preemptions.hasNoRoom(unit)) this.drop(at, unit);
    const gathered = this.waiting.gathered();
    if (isNew) this.claimNominated(at, gathered);
    for (const unit of gathered) if (!unit.isPinned) this.submit(at, unit);
    for (const unit of this.units.values())
      if (unit.state === "held" && unit.retryAt <= at) {
        unit.state = "waiting";
        this.tell({ type: "released", at, job: unit.number });
      }
    this.tell({ type: "tick", at });
    const starts = this.takeStarts();
    for (const { unit } of starts) for (const [uid, node] of unit.places) this.underWay.set(uid, node);
    for (const unit of this.units.values())
      if (unit.state === "waiting") this.verdict(unit, this.preemptions.waitsFor(unit) ?? WAITS);
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

  /** Thousandths of cores that are free on nodes which take pods. */
  get freeCoresMilli(): number {
    return this.port?.view.pools[0]!.machines.totalFreeCores ?? 0;
  }

  /** When there is something to do though nothing happens until then; Infinity: never. */
  get nextTime(): number {
    let next = Math.min(this.port?.nextTime ?? 0, this.adoptAt);
    for (const { state, retryAt } of this.units.values())
      if (state === "held") next = Math.min(next, retryAt);
    return next;
  }

  private get adoptAt(): number {
    return this.hasLateBinds ? this.builtAt + ADOPT_SECONDS : Infinity;
  }

  /** Starts anew from what is seen: for priorities that were not known, and after a fault. */
  forget(): void {
    // Answers that come until then are of the present decision engine.
    this.isForgotten = true;
  }

  private build(at: number): void {
    for (const unit of this.units.values()) unit.state = "over";
    this.units.clear();
    this.unitOf.clear();
    this.waiting.clear();
    this.nodes.forget();
    this.decisions = [];
    this.last = 0;
    this.requests.begin(this.ours());
    this.isForgotten = this.hasLateBinds = false;
    this.builtAt = at;
    this.port = newPort(this.plan, this.nodes, this.requests);
    this.preemptions.begin(this.port);
    const placed: ScheduledPod[] = [];
    for (const pod of this.pods.values()) {
      this.dirty.add(pod.metadata.uid);
      if (this.nodeOf(pod) === undefined) continue;
      if (pod.spec.schedulerName !== this.plan.schedulerName) {
        this.refresh(at, pod.metadata.uid);
        continue;
      }
      placed.push(pod);
      // What the former decision engine counted beside its jobs is one now.
      this.nodes.setOther(pod.metadata.uid, null, NOTHING);
    }
    const isLeaving = (pod: ScheduledPod): boolean => this.preemptions.isLeaving(pod);
    placed.sort((left, right) => Number(isLeaving(left)) - Number(isLeaving(right)) || byAge(left, right));
    this.adopt(at, placed);
  }

  /**
   * Puts pods that are on nodes there as jobs: each is submitted with the node as its only one, before any other waits. One
   * for which the node has become too small stays out, and is taken off what the node has.
   */
  private adopt(at: number, placed: readonly ScheduledPod[]): void {
    // Before the first cycle that is for others, of a pool that has one now and then.
    const { intervalSeconds } = this.plan.pool;
    const early = at - 2 * (intervalSeconds ?? 0) - 1;
    this.nodes.tell(early, (event) => this.tell(event), true);
    for (const pod of placed) {
      const wish = wishOf(pod, this.plan.gpuResource, this.plan.familyLabel);
      const since = Date.parse(pod.metadata.creationTimestamp ?? "") / 1000;
      const left = Math.max(1, wish.estimateSeconds - (Number.isFinite(since) ? Math.max(0, at - since) : 0));
      const pinnedTo = this.nodeOf(pod)!;
      const terms = { nodeSelector: {}, affinity: null, tolerations: [], pinnedTo, preempts: false };
      // Those that are about to leave make room first, so that a preemption that was under way is not begun elsewhere.
      const priority = this.preemptions.isLeaving(pod) ? -Infinity : wish.priority;
      const asked = { ...wish, terms, priority, estimateSeconds: left };
      const unit = newUnit(pod.metadata.uid, [pod.metadata.uid], asked);
      this.submit(early, unit);
    }
    this.tell({ type: "tick", at: early });
    this.tell({ type: "tick", at: at - (intervalSeconds ?? 0) - 1 });
    for (const { unit } of this.takeStarts()) unit.bound.add(unit.key);
    for (const unit of this.units.values()) {
      if (unit.state === "placed") this.started(at, unit);
      else this.drop(at, unit);
    }
  }

  /**
   * Gives pods the room that was being made for them, on the nodes that they were nominated to, before others can have
   * it. One for which there is none there goes wherever there is some.
   */
  private claimNominated(at: number, gathered: readonly Unit[]): void {
    const nominated = gathered.filter((unit) => {
      const node = this.preemptions.nominationOf(unit);
      return node !== null && this.nodes.whyNotOn(node, unit.wish.terms) === null;
    });
    if (nominated.length === 0) return;
    for (const unit of nominated) {
      unit.isPinned = true;
      this.submit(at, unit);
    }
    this.tell({ type: "tick", at });
    for (const unit of nominated) {
      const hasNoRoom = this.preemptions.hasNoRoom(unit);
      if (unit.state === "waiting" && !hasNoRoom) continue;
      unit.isPinned = false;
      if (hasNoRoom) this.tell({ type: "cancelled", at, job: unit.number });
    }
  }

  /** Brings all up to date with what is seen. Returns whether nodes may hold something else than before. */
  private catchUp(at: number): boolean {
    let isChanged = false;
    do {
      for (const uid of this.dirty) this.refresh(at, uid);
      this.dirty.clear();
      // The pods of a node that is gone have to be looked at anew.
      if (this.nodes.tell(at, (event) => this.tell(event))) isChanged = true;
    } while (this.dirty.size > 0);
    return isChanged;
  }

  /** Brings what is known of a pod up to date with what is seen of it. */
  private refresh(at: number, uid: string): void {
    const pod = this.pods.get(uid);
    const unit = this.unitOf.get(uid);
    if (pod === undefined) {
      this.nodes.setOther(uid, null, NOTHING);
      this.nodes.setOn(uid, null);
      this.waiting.remove(uid);
      if (unit !== undefined) this.drop(at, unit);
      return;
    }
    const node = this.nodeOf(pod);
    const isPlacedThere = node !== undefined && unit?.places.get(uid) === node;
    if (isPlacedThere) {
      const { tasks: _, ...now } = wishOf(pod, this.plan.gpuResource, null);
      // It may have been made larger since.
      this.nodes.setOther(uid, node, excess(now, unit.wish));
      this.waiting.placed(uid, pod);
      unit.bound.add(uid);
      if (unit.bound.size === unit.uids.length && !unit.hasStarted) this.started(at, unit);
      return;
    }
    if (node !== undefined) {
      if (unit !== undefined) this.drop(at, unit);
      this.waiting.placed(uid, pod);
      this.nodes.setOther(uid, node, usedBy(pod, this.plan.gpuResource));
      this.nodes.setOn(uid, node);
      return;
    }
    const isOurs = pod.spec.schedulerName === this.plan.schedulerName;
    const nominated = isOurs ? undefined : pod.status?.nominatedNodeName;
    const isNominated = nominated !== undefined && nominated !== "";
    this.nodes.setOther(uid, isNominated ? nominated : null, usedBy(pod, this.plan.gpuResource));
    if (unit?.state === "placed") {
      if (pod.metadata.deletionTimestamp !== undefined) this.drop(at, unit);
      return;
    }
    const sentTo = this.underWay.get(uid);
    if (sentTo !== undefined) {
      this.waiting.remove(uid);
      this.nodes.setOther(uid, sentTo, usedBy(pod, this.plan.gpuResource));
      this.nodes.setOn(uid, sentTo);
      return;
    }
    if (unit === undefined) this.nodes.setOn(uid, null);
    const isChanged = this.waiting.see(pod);
    if (unit !== undefined && isChanged) this.drop(at, unit);
  }

  private submit(at: number, unit: Unit): void {
    for (const uid of unit.uids) this.unitOf.set(uid, unit);
    const { wish } = unit;
    unit.isOfGang = gangOf(this.pods.get(unit.uids[0]!)!) !== null;
    const reason = this.nodes.whyNowhere(unit.kind, wish);
    if (unit.number !== 0) this.units.delete(unit.number);
    unit.number = ++this.last;
    this.units.set(unit.number, unit);
    unit.state = "unplaceable";
    if (reason !== null) return this.verdict(unit, { reason: "Unschedulable", message: reason });
    const answer = this.tell({
      type: "submitted",
      at,
      job: unit.number,
      request: this.requests.of(unit.isPinned ? this.pinned(unit) : wish),
    });
    if (answer.answer === "taken") unit.state = "waiting";
    else this.verdict(unit, { reason: "Unschedulable", message: "no node can hold it" });
  }

  private pinned(unit: Unit): PodWish {
    return { ...unit.wish, terms: { ...unit.wish.terms, pinnedTo: this.preemptions.nominationOf(unit) } };
  }

  /** Nodes have changed: what no node could hold may have one now, and the other way round. */
  private reconsider(at: number): void {
    // Those that are submitted anew have new numbers, behind the others.
    const before = Array.from(this.units.values());
    for (const unit of before) {
      if (unit.state === "unplaceable") this.submit(at, unit);
      else if (unit.state === "waiting" && this.nodes.whyNowhere(unit.kind, unit.wish) !== null) {
        this.tell({ type: "cancelled", at, job: unit.number });
        this.submit(at, unit);
      }
    }
  }

  private takeStarts(): Start[] {
    const starts: Start[] = [];
    for (const decision of this.decisions) {
      const unit = this.units.get(decision.job);
      if (unit === undefined) continue;
      const nodes = decision.placement.flatMap(({ machine, tasks }) =>
        Array<string>(tasks).fill(this.nodes.nameOf(machine)),
      );
      unit.state = "placed";
      unit.waits = null;
      unit.attempt = decision.attempt;
      unit.decision = decision.number;
      unit.places = new Map(unit.uids.map((uid, at) => [uid, nodes[at]!]));
      for (const [uid, node] of unit.places) this.nodes.setOn(uid, node);
      starts.push({
        unit,
        pods: Array.from(unit.places, ([uid, node]) => ({ pod: this.pods.get(uid)!, node })),
      });
    }
    this.decisions = [];
    return starts;
  }

  private started(at: number, unit: Unit): void {
    const { number: job, attempt, decision } = unit;
    unit.hasStarted = true;
    this.tell({ type: "started", at, job, attempt, decision });
    this.preemptions.started(at, unit);
  }

  /** A unit is not what it was: what is left of it is looked at anew. */
  private drop(at: number, unit: Unit): void {
    const { number: job, attempt, decision, state } = unit;
    if (state === "over") return;
    if (state === "waiting" || state === "held") this.tell({ type: "cancelled", at, job });
    else if (state === "placed" && unit.hasStarted) this.tell({ type: "exited", at, job, attempt });
    else if (state === "placed")
      this.tell({ type: "startFailed", at, job, attempt, decision, machine: 0, fault: "job" });
    this.release(unit);
  }

  /** The decision engine knows it no more. */
  private release(unit: Unit): void {
    this.leavePlaces(unit);
    unit.state = "over";
    this.units.delete(unit.number);
    for (const uid of unit.uids) {
      this.unitOf.delete(uid);
      this.waiting.forget(uid);
      this.dirty.add(uid);
    }
  }

  private leavePlaces(unit: Unit): void {
    for (const uid of unit.places.keys()) this.nodes.setOn(uid, null);
    unit.places = new Map();
  }

  private verdict(unit: Unit, verdict: Verdict): void {
    for (const uid of unit.uids) this.waiting.tell(uid, verdict);
  }

  private nodeOf({ metadata: { uid }, spec: { nodeName } }: ScheduledPod): string | undefined {
    return nodeName ?? this.assumed.get(uid);
  }

  /** Whether a new decision engine would have numbers for what this one has none for, or far fewer. */
  private isOutgrown(): boolean {
    const { count, groupCount } = this.nodes;
    if (groupCount > 1000 + 4 * count) return true;
    const changed = Array.from(this.dirty, (uid) => this.pods.get(uid)).filter((pod) => pod !== undefined);
    return this.requests.isOutgrown(changed, () => this.ours(), count);
  }

  private ours(): ScheduledPod[] {
    return [...this.pods.values()].filter(({ spec }) => spec.schedulerName === this.plan.schedulerName);
  }

  private tell(event: EngineEvent): Answer {
    const answer = this.port!.apply(event);
    if (answer.answer === "ignored")
      throw new Error(`the decision engine ignored ${event.type}: ${answer.text}`);
    for (const decision of answer.decisions) {
      if (decision.type === "START") this.decisions.push(decision);
      else if (decision.type === "KILL")
        this.preemptions.decide(this.units.get(decision.job)!, decision.number);
      // Its node is gone.
      else if (decision.type === "LOST") this.release(this.units.get(decision.job)!);
    }
    return answer;
  }
}

const WAITS: Verdict = {
  reason: "WaitingForTurn",
  message: "a node can hold it, and the room is taken, or kept for pods before it: it waits for its turn",
};
const NOTHING = { coresMilli: 0, memoryMiB: 0, gpuMilli: 0 };

function excess(now: typeof NOTHING, counted: typeof NOTHING): typeof NOTHING {
  return {
    coresMilli: Math.max(0, now.coresMilli - counted.coresMilli),
    memoryMiB: Math.max(0, now.memoryMiB - counted.memoryMiB),
    gpuMilli: Math.max(0, now.gpuMilli - counted.gpuMilli),
  };
}
