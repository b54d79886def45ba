import { randomUUID } from "node:crypto";
import { hostname } from "node:os";

import type { Connection } from "../engines/kubernetes/connection.ts";
import { forgivingStarts } from "../engines/kubernetes/just-back.ts";
import type { Node } from "../engines/kubernetes/objects.ts";
import { Reflector } from "../engines/kubernetes/reflector.ts";
import { leaseOf } from "../engines/kubernetes/needed-rights.ts";
import { selecting } from "../engines/kubernetes/settings.ts";
import type { Clock } from "../engines/system/clock.ts";
import { Binder } from "./binder.ts";
import { Evictor } from "./evictor.ts";
import { readLeast } from "./gangs.ts";
import { Lease } from "./lease.ts";
import type { PodMetrics } from "./metrics.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Plan } from "./plan.ts";
import { PodFarm } from "./pod-farm.ts";
import { namesFor } from "./names-for.ts";
import type { Eviction } from "./preemptions.ts";
import { tellingRights } from "./rights.ts";
import { NewsLog } from "./news-log.ts";
import { Sight } from "./sight.ts";
import { Teller } from "./teller.ts";
import { ignored, messagesOf } from "./unsupported.ts";

export interface SchedulerParts {
  readonly plan: Plan;
  readonly connection: Connection;
  readonly clock: Clock;
  readonly log: (text: string) => void;
  /** Null: nothing is counted. */
  readonly metrics: PodMetrics | null;
  /** From 0 to 1. */
  readonly random?: () => number;
  /** Its name in the lease; another one for each process. */
  readonly holder?: string;
}

/** What has come within this time is decided together. */
const GATHER_SECONDS = 0.02;
/** A turn at least so often: a timer that was lost must not stop it for ever. */
const LONGEST_PAUSE_SECONDS = 30;
const GANGS_SECONDS = 10;

/**
 * Schedules the pods of a cluster that name it, whoever made them. All that it knows is the cluster's: it has no file. It
 * decides as soon as it has seen everything once, and holds the lease.
 */
export class PodScheduler {
  readonly farm: PodFarm;
  readonly lease: Lease;
  private readonly parts: SchedulerParts;
  private readonly connection: Connection;
  private readonly nodes: Reflector<Node>;
  private readonly pods: Reflector<ScheduledPod>;
  private readonly binder: Binder;
  private readonly evictor: Evictor;
  private readonly teller: Teller;
  private readonly asking = new Set<string>();
  private readonly turnLog: NewsLog;
  private readonly sight: Sight;
  /** The farm's time goes by a clock that does not jump, and is near the one that pods' times are of. */
  private readonly offset: number;
  private cancelTurn: (() => void) | null = null;
  private turnAt = Infinity;
  private cancelGangs: () => void = () => undefined;
  private isClosed = false;

  constructor(parts: SchedulerParts) {
    this.parts = parts;
    const { plan, clock, log, metrics, random = Math.random } = parts;
    const counted = metrics?.counting(parts.connection) ?? parts.connection;
    const connection = tellingRights(forgivingStarts(counted, clock), plan, log);
    this.connection = connection;
    this.turnLog = new NewsLog(log, () => clock.monotonicSeconds());
    this.sight = new Sight(plan, log, clock, () => this.soon());
    const { namespace, schedulerName } = plan;
    this.offset = clock.unixSeconds() - clock.monotonicSeconds();
    this.farm = new PodFarm(plan);
    this.lease = new Lease({
      connection,
      clock,
      namespace,
      name: leaseOf({ schedulerName }),
      holder: parts.holder ?? `${hostname()}_${randomUUID()}`,
      held: (wasOthers) => {
        log("holds the lease");
        // What another one has done meanwhile has been seen, but not what this one had in mind. Where nobody has, to begin
        // anew might take longer than the lease lasts, again and again.
        if (wasOthers) this.farm.forget();
        this.teller.go();
        this.soon();
      },
      lost: (why) =>
        log(`does not hold the lease${this.sight.hasSaid(why) ? ", for the same reason" : `: ${why}`}`),
    });
    this.teller = new Teller({ connection, clock, name: schedulerName, mayTell: () => this.lease.isHeld });
    this.binder = new Binder({
      connection,
      clock,
      lease: this.lease,
      slots: (node) => this.farm.nodes.slots(node),
      quiet: (uid) => this.teller.drop(uid),
      bound: (pod, node) => {
        this.farm.bound(pod.metadata.uid, node);
        for (const message of messagesOf(ignored, pod, plan.gpuResource))
          this.teller.note(pod, "Ignored", message);
        metrics?.bound(pod.metadata.uid, this.now());
        this.soon();
      },
      settled: (uid) => {
        this.farm.settled(uid);
        metrics?.settled(uid);
        this.soon();
      },
      gaveUp: (unit) => {
        this.farm.gaveUp(this.now(), unit);
        this.soon();
      },
      failed: (unit, message) => {
        this.farm.failed(this.now(), unit, message);
        for (const uid of unit.uids) metrics?.refused(uid, this.now());
        this.soon();
      },
    });
    this.evictor = new Evictor({
      connection,
      clock,
      lease: this.lease,
      preemptions: this.farm.preemptions,
      evicted: (eviction) => {
        this.farm.preemptions.evicted(eviction);
        this.tellVictims(eviction);
        metrics?.evicted(eviction.victims.length);
        this.soon();
      },
      refused: (eviction, staying, obstacle, forbids) => {
        this.farm.preemptions.refused(this.now(), eviction, staying, obstacle, forbids);
        this.soon();
      },
    });
    const place = { connection, clock, random };
    this.nodes = new Reflector<Node>(
      {
        ...place,
        path: "/api/v1/nodes",
        query: selecting(plan.nodeSelector),
        kept: ({ metadata }) => ({ metadata }),
      },
      this.sight.events("nodes", {
        changed: (node) => this.farm.seeNode(node),
        gone: ({ metadata }) => this.farm.removeNode(metadata.name),
      }),
    );
    this.pods = new Reflector<ScheduledPod>(
      {
        ...place,
        path: "/api/v1/pods",
        // Those of other schedulers too: they take room.
        query: { fieldSelector: "status.phase!=Succeeded,status.phase!=Failed" },
        kept: ({ metadata: { name, namespace, uid, resourceVersion } }) => ({
          metadata: { name, uid, resourceVersion, ...(namespace === undefined ? {} : { namespace }) },
          spec: {},
        }),
      },
      this.sight.events("pods", {
        changed: (pod) => this.farm.seePod(pod),
        gone: ({ metadata }) => {
          void this.teller.drop(metadata.uid);
          this.farm.removePod(metadata.uid);
        },
      }),
    );
    metrics?.watch(this.farm, this);
  }

  /** What it lacks to schedule, by what it is; null: nothing. One that another one keeps from it lacks nothing. */
  get lacks(): Readonly<Record<"nodes" | "pods" | "lease", string | null>> {
    const { sight, lease } = this;
    return { nodes: sight.problemOf("nodes"), pods: sight.problemOf("pods"), lease: lease.whyUnheld };
  }

  /** Null: it schedules, or would if another one did not. */
  get whyNotReady(): string | null {
    const all = Object.values(this.lacks).filter((each) => each !== null);
    return all.length === 0 ? null : all.join("\n");
  }

  open(): void {
    this.lease.open();
    this.nodes.open();
    this.pods.open();
    const askAgain = (): void => {
      this.farm.waiting.askAgain();
      this.soon();
      this.cancelGangs = this.parts.clock.after(GANGS_SECONDS, askAgain);
    };
    askAgain();
  }

  /** Ends what is under way, decides nothing more, and gives up the lease. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.cancelTurn?.();
    this.cancelGangs();
    this.nodes.close();
    this.pods.close();
    this.teller.close();
    await Promise.all([this.binder.idle(), this.evictor.idle()]);
    await this.lease.close();
  }

  private now(): number {
    return this.parts.clock.monotonicSeconds() + this.offset;
  }

  private soon(): void {
    if (this.isClosed) return;
    this.turnIn(GATHER_SECONDS);
  }

  private turnIn(seconds: number): void {
    const at = this.parts.clock.monotonicSeconds() + seconds;
    if (this.cancelTurn !== null && this.turnAt <= at) return;
    this.cancelTurn?.();
    this.turnAt = at;
    this.cancelTurn = this.parts.clock.after(seconds, () => {
      this.cancelTurn = null;
      this.turn();
    });
  }

  private turn(): void {
    if (this.isClosed || !this.nodes.hasSynced || !this.pods.hasSynced || !this.lease.isHeld) return;
    const { farm, binder, evictor, teller, parts } = this;
    const at = this.now();
    try {
      for (const start of farm.turn(at)) {
        for (const { pod } of start.pods)
          parts.metrics?.decides(pod.metadata.uid, at, farm.waiting.seenAt.get(pod.metadata.uid) ?? at);
        binder.bind(start);
      }
      for (const eviction of farm.preemptions.take()) {
        parts.metrics?.preempts();
        evictor.evict(eviction);
      }
      for (const [pod, verdict] of farm.news()) {
        if (verdict.reason !== "BindFailed") parts.metrics?.waits();
        teller.tell(pod, verdict);
      }
      parts.metrics?.turned(this.now() - at);
      this.turnLog.over();
    } catch (error) {
      this.turnLog.say(`a turn has failed, and all is seen anew: ${String(error)}`);
      farm.forget();
      return this.turnIn(1);
    }
    for (const gang of farm.waiting.unknownGangs) void this.askFor(gang);
    this.turnIn(Math.min(LONGEST_PAUSE_SECONDS, Math.max(GATHER_SECONDS, farm.nextTime - this.now())));
  }

  private tellVictims({ node, victims, preemptors }: Eviction): void {
    const coming = preemptors.map(({ pod }) => pod);
    for (const { pod } of victims) {
      const names = namesFor(pod, coming);
      const message = `it is evicted from node ${node} for pods of higher priority: ${names}`;
      this.teller.note(pod, "Preempted", message);
    }
  }

  private async askFor(gang: string): Promise<void> {
    if (this.asking.has(gang)) return;
    this.asking.add(gang);
    const least = await readLeast(this.connection, gang, this.farm.waiting.leastOf(gang));
    this.asking.delete(gang);
    this.farm.setLeast(this.now(), gang, least);
    this.soon();
  }
}
