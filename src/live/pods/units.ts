import type { Answer, EngineEvent, PlainDecision, Port } from "../../core/index.ts";
import { gangOf } from "./gangs.ts";
import { KeptFor } from "./kept-for.ts";
import type { Nodes } from "./nodes.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Plan } from "./plan.ts";
import { Preemptions } from "./preemptions.ts";
import { Requests } from "./requests.ts";
import type { Unit, Verdict } from "./unit.ts";
import type { Waiting } from "./waiting.ts";
import type { PodWish } from "./wish.ts";

/** Pods to bind, each to its node: all of a unit, which start together. */
export interface Start {
  readonly unit: Unit;
  readonly pods: readonly { readonly pod: ScheduledPod; readonly node: string }[];
}

interface Seen {
  readonly plan: Plan;
  readonly nodes: Nodes;
  readonly waiting: Waiting;
  /** By UID. */
  readonly pods: ReadonlyMap<string, ScheduledPod>;
  /** The UIDs of pods that are to be looked at anew. */
  readonly dirty: Set<string>;
}

const BACKOFF_SECONDS = { first: 1, longest: 60 };

/** The units as jobs of the decision engine: what it is told of them, and what it has decided. */
export class Units {
  readonly preemptions: Preemptions;
  readonly requests: Requests;
  readonly keptFor: KeptFor;
  private readonly seen: Seen;
  private readonly byUid = new Map<string, Unit>();
  private readonly byNumber = new Map<number, Unit>();
  private decisionEngine: Port | null = null;
  private last = 0;
  /** What those are told that wait for their turn. */
  private readonly waits: Verdict;
  private decisions: (PlainDecision & { type: "START" })[] = [];

  constructor(seen: Seen) {
    this.seen = seen;
    this.requests = new Requests(seen.plan);
    this.waits = seen.plan.packing === "exclusive" ? WAITS_BESIDE_FAMILIES : WAITS;
    const farm = { pods: seen.pods, units: this.byNumber, tell: (event: EngineEvent) => this.tell(event) };
    this.preemptions = new Preemptions({ ...farm, nodes: seen.nodes });
    this.keptFor = new KeptFor(farm);
  }

  /** There is a new decision engine, which knows of no unit. */
  begin(port: Port): void {
    for (const unit of this.byNumber.values()) unit.state = "over";
    this.byNumber.clear();
    this.byUid.clear();
    this.decisions = [];
    this.last = 0;
    this.decisionEngine = port;
    this.preemptions.begin(port);
    this.keptFor.begin(port);
  }

  /** Null before the first one. */
  get port(): Port | null {
    return this.decisionEngine;
  }

  get all(): Iterable<Unit> {
    return this.byNumber.values();
  }

  of(uid: string): Unit | undefined {
    return this.byUid.get(uid);
  }

  submit(at: number, unit: Unit): void {
    const { wish } = unit;
    const reason = this.seen.nodes.whyNowhere(unit.kind, wish);
    if (unit.number !== 0) this.byNumber.delete(unit.number);
    this.add(unit, ++this.last);
    unit.state = "unplaceable";
    if (reason !== null) return this.verdict(unit, { reason: "Unschedulable", message: reason });
    const answer = this.tell({
      type: "submitted",
      at,
      job: unit.number,
      request: this.requests.of(unit.isPinned ? this.pinned(unit) : wish),
    });
    if (answer.answer === "taken") unit.state = "waiting";
    // What keeps it from all nodes is there by our choice, though the decision engine does not know it as its jobs.
    else this.verdict(unit, this.waits);
  }

  /** A pod is on a node already. Nothing comes of it where there is no room for it. */
  find(at: number, unit: Unit, node: string): void {
    const { nodes } = this.seen;
    const machine = nodes.machineOf(node);
    if (machine === undefined) return;
    const number = ++this.last;
    const request = this.requests.of(unit.wish);
    const placement = [{ machine, tasks: 1 }];
    const { answer } = this.port!.apply({ type: "found", at, job: number, request, pool: 0, placement });
    if (answer !== "taken") return;
    this.add(unit, number);
    this.place(unit, 1, 0, [node]);
    unit.bound.add(unit.key);
    unit.hasStarted = true;
    this.preemptions.started(at, unit);
  }

  private add(unit: Unit, number: number): void {
    for (const uid of unit.uids) this.byUid.set(uid, unit);
    unit.isOfGang = gangOf(this.seen.pods.get(unit.uids[0]!)!) !== null;
    unit.number = number;
    this.byNumber.set(number, unit);
  }

  private place(unit: Unit, attempt: number, decision: number, nodes: readonly string[]): void {
    unit.state = "placed";
    unit.waits = null;
    unit.attempt = attempt;
    unit.decision = decision;
    unit.places = new Map(unit.uids.map((uid, at) => [uid, nodes[at]!]));
    for (const [uid, node] of unit.places) this.seen.nodes.setOn(uid, node);
  }

  private pinned(unit: Unit): PodWish {
    return { ...unit.wish, terms: { ...unit.wish.terms, pinnedTo: this.preemptions.nominationOf(unit) } };
  }

  /** Nodes have changed: what no node could hold may have one now, and the other way round. */
  reconsider(at: number): void {
    // Those that are submitted anew have new numbers, behind the others.
    for (const unit of Array.from(this.all)) {
      if (unit.state === "unplaceable") this.submit(at, unit);
      else if (unit.state === "waiting" && this.seen.nodes.whyNowhere(unit.kind, unit.wish) !== null) {
        this.tell({ type: "cancelled", at, job: unit.number });
        this.submit(at, unit);
      }
    }
  }

  takeStarts(): Start[] {
    const { nodes, pods } = this.seen;
    const starts: Start[] = [];
    for (const decision of this.decisions) {
      const unit = this.byNumber.get(decision.job);
      if (unit === undefined) continue;
      const names = decision.placement.flatMap(({ machine, tasks }) =>
        Array<string>(tasks).fill(nodes.nameOf(machine)),
      );
      this.place(unit, decision.attempt, decision.number, names);
      starts.push({ unit, pods: Array.from(unit.places, ([uid, node]) => ({ pod: pods.get(uid)!, node })) });
    }
    this.decisions = [];
    return starts;
  }

  started(at: number, unit: Unit): void {
    const { number: job, attempt, decision } = unit;
    unit.hasStarted = true;
    this.tell({ type: "started", at, job, attempt, decision });
    this.preemptions.started(at, unit);
  }

  /** None of a unit's pods could be bound. It keeps nothing, and is tried again after some seconds. */
  failed(at: number, unit: Unit, message: string): void {
    const { number: job, attempt, decision } = unit;
    const machine = this.port!.view.pools[0]!.placementOf(this.port!.handleOf(job))[0]!.machine;
    this.leavePlaces(unit);
    this.tell({ type: "startFailed", at, job, attempt, decision, machine, fault: "transient" });
    this.tell({ type: "held", at, job });
    unit.state = "held";
    unit.retryAt = at + Math.min(BACKOFF_SECONDS.longest, BACKOFF_SECONDS.first * 2 ** unit.failures++);
    // Without the length of the pause: an event would be written after each.
    const tries = `it is tried again after pauses of up to ${BACKOFF_SECONDS.longest} s`;
    this.verdict(unit, { reason: "BindFailed", message: `${message}; ${tries}` });
  }

  /** Lets those wait again whose binds have failed, and whose pause is over. */
  retry(at: number): void {
    for (const unit of Array.from(this.all)) {
      if (unit.state !== "held" || unit.retryAt > at) continue;
      // Nodes may have changed meanwhile.
      if (this.seen.nodes.whyNowhere(unit.kind, unit.wish) !== null) {
        this.tell({ type: "cancelled", at, job: unit.number });
        this.submit(at, unit);
      } else {
        unit.state = "waiting";
        this.tell({ type: "released", at, job: unit.number });
      }
    }
  }

  /** When the next of those may wait again; Infinity: there is none. */
  get retryTime(): number {
    let next = Infinity;
    for (const { state, retryAt } of this.all) if (state === "held") next = Math.min(next, retryAt);
    return next;
  }

  /** A unit is not what it was: what is left of it is looked at anew. */
  drop(at: number, unit: Unit): void {
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
    this.byNumber.delete(unit.number);
    for (const uid of unit.uids) {
      this.byUid.delete(uid);
      this.seen.waiting.forget(uid);
      this.seen.dirty.add(uid);
    }
  }

  private leavePlaces(unit: Unit): void {
    for (const uid of unit.places.keys()) this.seen.nodes.setOn(uid, null);
    unit.places = new Map();
  }

  /** Says why those wait that wait for their turn. */
  tellWaiting(): void {
    for (const unit of this.all)
      if (unit.state === "waiting")
        this.verdict(unit, this.preemptions.waitsFor(unit) ?? this.keptFor.verdictOf(unit) ?? this.waits);
  }

  private verdict(unit: Unit, verdict: Verdict): void {
    for (const uid of unit.uids) this.seen.waiting.tell(uid, verdict);
  }

  tell(event: EngineEvent): Answer {
    this.keptFor.tells(event);
    const answer = this.port!.apply(event);
    if (answer.answer === "ignored")
      throw new Error(`the decision engine ignored ${event.type}: ${answer.text}`);
    for (const decision of answer.decisions) {
      if (decision.type === "START") this.decisions.push(decision);
      else if (decision.type === "KILL")
        this.preemptions.decide(this.byNumber.get(decision.job)!, decision.number);
      // Its node is gone.
      else if (decision.type === "LOST") this.release(this.byNumber.get(decision.job)!);
    }
    return answer;
  }
}

const WAITS: Verdict = {
  reason: "WaitingForTurn",
  message: "a node can hold it, and the room is taken, or kept for pods before it: it waits for its turn",
};

const WAITS_BESIDE_FAMILIES: Verdict = {
  ...WAITS,
  message:
    "a node can hold it, and the room is taken, kept for pods before it, or on nodes of other families: it waits for its turn",
};
