import { RUNNING, STARTING, WAITING, type EngineEvent, type Port } from "../../core/index.ts";
import { UNREAD, type Obstacle } from "./budgets.ts";
import { namesFor } from "./names-for.ts";
import type { Nodes } from "./nodes.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Unit, Verdict } from "./unit.ts";

/** Pods to evict from a node, all or none, so that others of higher priority have room there. */
export interface Eviction {
  readonly node: string;
  readonly victims: readonly { readonly pod: ScheduledPod; readonly unit: Unit }[];
  /** Those that start there when the victims have left, and the node of each: all pods of a gang. */
  readonly preemptors: readonly { readonly pod: ScheduledPod; readonly node: string; readonly unit: Unit }[];
}

/** How long a pod that may not be evicted is left alone. */
const SPARED_SECONDS = 30;
/** How long what keeps pods is told after it was found: it is found again each time that they are tried. */
const OBSTACLE_SECONDS = 3 * SPARED_SECONDS;
/** Pods of gangs are left alone for good. */
const FOR_GOOD = 1e13;

interface Farm {
  readonly nodes: Nodes;
  /** By number: those that the decision engine knows. */
  readonly units: ReadonlyMap<number, Unit>;
  /** By UID. */
  readonly pods: ReadonlyMap<string, ScheduledPod>;
  readonly tell: (event: EngineEvent) => void;
}

/**
 * Who is to be evicted for whom, as the decision engine decides; and who is left alone: pods of gangs, and for a while
 * those whose eviction was refused.
 */
export class Preemptions {
  private readonly farm: Farm;
  private port: Port | null = null;
  /** Decided and not taken yet. */
  private decided: Unit[] = [];
  // By UID. These outlive a decision engine.
  /** Until when pods may not be evicted, and why. */
  private readonly spared = new Map<string, { readonly until: number; readonly obstacle: Obstacle | null }>();
  /** Pods whose eviction was sent, and not refused. */
  private readonly leaving = new Set<string>();
  /** The nodes that pods were nominated to; null: that was taken back. */
  private readonly nominations = new Map<string, string | null>();
  private now = 0;

  constructor(farm: Farm) {
    this.farm = farm;
  }

  /** There is a new decision engine. */
  begin(port: Port): void {
    this.port = port;
    this.decided = [];
  }

  /** Lets time pass. */
  pass(at: number): void {
    this.now = at;
    for (const [uid, { until }] of this.spared) if (until <= at) this.spared.delete(uid);
  }

  /** A pod is gone. */
  forget(uid: string): void {
    this.spared.delete(uid);
    this.leaving.delete(uid);
    this.nominations.delete(uid);
  }

  decide(unit: Unit, decision: number): void {
    unit.eviction = decision;
    this.decided.push(unit);
  }

  /** A unit has started: the decision engine is told if it is to be left alone. */
  started(at: number, unit: Unit): void {
    const until = Math.max(
      ...unit.uids.map((uid) => this.spared.get(uid)?.until ?? 0),
      unit.isOfGang ? FOR_GOOD : 0,
    );
    if (until > at && !unit.uids.every((uid) => this.isLeaving(this.farm.pods.get(uid)!)))
      this.spare(at, unit, until);
  }

  /** Why a pod may not be evicted at present; null: that is not known. */
  sparedFor(uid: string): Obstacle | null {
    const spared = this.spared.get(uid);
    return spared !== undefined && spared.until > this.now ? spared.obstacle : null;
  }

  isLeaving({ metadata }: ScheduledPod): boolean {
    return metadata.deletionTimestamp !== undefined || this.leaving.has(metadata.uid);
  }

  leaves(uid: string): void {
    if (this.farm.pods.has(uid)) this.leaving.add(uid);
  }

  stays(uid: string): void {
    this.leaving.delete(uid);
  }

  nominate(uid: string, node: string | null): void {
    if (this.farm.pods.has(uid)) this.nominations.set(uid, node);
  }

  /** The node on which room is made for all pods of a unit; null: there is none. */
  nominationOf({ uids }: Unit): string | null {
    const nodes = new Set(uids.map((uid) => this.nominated(uid)));
    const [node = null] = nodes;
    return nodes.size === 1 ? node : null;
  }

  /** What has been decided since, by node. */
  take(): Eviction[] {
    const { pods } = this.farm;
    const byNode = new Map<string, Unit[]>();
    for (const unit of this.decided) {
      const [node] = unit.places.values();
      if (unit.state === "placed" && unit.eviction !== 0)
        byNode.set(node!, [...(byNode.get(node!) ?? []), unit]);
    }
    this.decided = [];
    return Array.from(byNode, ([node, units]) => ({
      node,
      victims: units.flatMap((unit) => unit.uids.map((uid) => ({ pod: pods.get(uid)!, unit }))),
      preemptors: this.claimsWith(units[0]!).flatMap((unit) => this.placesOf(unit)),
    }));
  }

  /** Whether some pod still waits for it that may have all of them evicted, and not only one that has found room beside. */
  isWanted({ victims, preemptors }: Eviction): boolean {
    return preemptors.some(({ unit }) => {
      const { terms, priority } = unit.wish;
      return (
        this.isClaim(unit) &&
        terms.preempts &&
        victims.every((victim) => victim.unit.wish.priority < priority)
      );
    });
  }

  /** All victims are about to leave. */
  evicted({ node, victims, preemptors }: Eviction): void {
    const leaving = victims.map(({ pod }) => pod);
    for (const { pod, unit } of preemptors)
      if (this.isClaim(unit))
        unit.waits = {
          reason: "Preempting",
          message: `it starts on node ${node} when pods of lower priority have left it: ${namesFor(pod, leaving)}`,
        };
  }

  /**
   * Some of the victims, or all, stay where they are.
   *
   * @param obstacle what keeps them; null: nothing that is to be told
   * @param forbids which pods it is in vain to try soon
   */
  refused(
    at: number,
    { victims, preemptors }: Eviction,
    staying: readonly ScheduledPod[],
    obstacle: Obstacle | null,
    forbids: (pod: ScheduledPod) => boolean,
  ): void {
    const { units, pods } = this.farm;
    for (const { unit } of preemptors)
      if (obstacle !== null && this.isClaim(unit)) {
        // What else forbids it is known only where budgets could be looked at.
        if (obstacle.name !== UNREAD) unit.obstacles.delete(UNREAD);
        unit.obstacles.set(obstacle.name, { message: obstacle.message, until: at + OBSTACLE_SECONDS });
        this.tellObstacles(unit);
      }
    for (const { unit, pod } of victims) {
      if (unit.state !== "placed" || unit.eviction === 0 || !staying.includes(pod)) continue;
      const { number: job, attempt, eviction: decision } = unit;
      unit.eviction = 0;
      this.farm.tell({ type: "suspendFailed", at, job, attempt, decision });
    }
    const until = at + SPARED_SECONDS;
    for (const unit of units.values()) {
      const forbidden = unit.state === "placed" ? unit.uids.filter((uid) => forbids(pods.get(uid)!)) : [];
      for (const uid of forbidden) this.spared.set(uid, { until, obstacle });
      if (forbidden.length > 0 && !unit.isOfGang) this.spare(at, unit, until);
    }
  }

  /** All that keeps pods on the nodes that it could have: which node is tried first is another one each time. */
  private tellObstacles(unit: Unit): void {
    const { obstacles } = unit;
    for (const [name, { until }] of obstacles) if (until <= this.now) obstacles.delete(name);
    const messages = Array.from(obstacles.values(), ({ message }) => message).sort();
    unit.waits =
      messages.length === 0
        ? null
        : {
            reason: "PreemptionRefused",
            message: `pods of lower priority are not evicted for it: ${messages.join("; ")}`,
          };
  }

  /** Why a waiting unit waits, where that is not only its turn; null: it is. */
  waitsFor(unit: Unit): Verdict | null {
    const isNominated = unit.uids.some((uid) => this.nominated(uid) !== null);
    if (isNominated && !this.isClaim(unit)) {
      for (const uid of unit.uids) this.nominations.set(uid, null);
      unit.waits = NOMINATED_NO_MORE;
    } else if (unit.waits?.reason === "PreemptionRefused") this.tellObstacles(unit);
    return unit.waits;
  }

  /** Whether a waiting unit has no room that is kept for it. */
  hasNoRoom({ state, number }: Unit): boolean {
    return state === "waiting" && this.stateOf(number) === WAITING;
  }

  private nominated(uid: string): string | null {
    const known = this.nominations.get(uid);
    return known === undefined ? this.farm.pods.get(uid)?.status?.nominatedNodeName || null : known;
  }

  private spare(at: number, { number: job, attempt }: Unit, until: number): void {
    if (this.stateOf(job) === RUNNING) this.farm.tell({ type: "spared", at, job, attempt, until });
  }

  /** Those for which room is kept where a unit is, and which start when it has left. */
  private claimsWith({ number }: Unit): Unit[] {
    const port = this.port!;
    const pool = port.view.pools[0]!;
    const { machine } = pool.placementOf(port.handleOf(number))[0]!;
    return pool
      .jobsOn(machine)
      .map((handle) => this.farm.units.get(port.numberOf(handle)))
      .filter((unit) => unit !== undefined && this.isClaim(unit)) as Unit[];
  }

  private placesOf(unit: Unit): Eviction["preemptors"] {
    const { nodes, pods } = this.farm;
    const placement = this.port!.view.pools[0]!.placementOf(this.port!.handleOf(unit.number));
    const names = placement.flatMap(({ machine, tasks }) => Array<string>(tasks).fill(nodes.nameOf(machine)));
    return unit.uids.map((uid, at) => ({ pod: pods.get(uid)!, node: names[at]!, unit }));
  }

  private isClaim({ state, number }: Unit): boolean {
    return state === "waiting" && this.stateOf(number) === STARTING;
  }

  private stateOf(job: number): number {
    return this.port!.view.jobs.stateOf(this.port!.handleOf(job));
  }
}

const NOMINATED_NO_MORE: Verdict = {
  reason: "WaitingForTurn",
  message: "the room that was made for it is gone: it waits for its turn",
  nominated: null,
};
