import { Counter, Gauge, Histogram, Registry } from "prom-client";

import type { Connection } from "../engines/kubernetes/connection.ts";
import { addProcessMetrics } from "../process-metrics.ts";
import type { PendingPods } from "./pending.ts";

const SECONDS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30];

/**
 * What a scheduler of pods counts, as Prometheus reads it. What kube-scheduler counts too has the names that it has there
 * (Kubernetes documentation, "Kubernetes Metrics Reference"), so that its boards and alarms can be used.
 */
export class PodMetrics {
  private readonly registry = new Registry();
  private readonly attempts: Counter<"profile" | "result">;
  private readonly attemptSeconds: Histogram<"profile" | "result">;
  private readonly sinceSeenSeconds: Histogram;
  private readonly preemptions: Counter;
  private readonly victims: Histogram;
  private readonly turns: Histogram;
  private readonly requests: Counter<"code" | "method">;
  private readonly profile: string;
  /** By UID: when a pod was decided on that is not bound yet, and when it was first seen. */
  private readonly decided = new Map<string, { readonly at: number; readonly seenAt: number }>();

  /** @param profile the name that pods give */
  constructor(profile: string) {
    this.profile = profile;
    const registers = [this.registry];
    addProcessMetrics(this.registry);
    this.attempts = new Counter({
      name: "scheduler_schedule_attempts_total",
      help: "Pods that were bound (scheduled), whose binding was refused (error), or that began to wait for a reason (unschedulable)",
      labelNames: ["profile", "result"],
      registers,
    });
    this.attemptSeconds = new Histogram({
      name: "scheduler_scheduling_attempt_duration_seconds",
      help: "From the beginning of the turn that has decided on a pod until it was bound, or refused",
      labelNames: ["profile", "result"],
      buckets: SECONDS,
      registers,
    });
    this.sinceSeenSeconds = new Histogram({
      name: "scheduler_pod_scheduling_sli_duration_seconds",
      help: "From when a pod was first seen as one to schedule, without gates, until it was bound",
      buckets: [0.01, 0.1, 1, 10, 60, 300, 900, 3600, 14_400, 43_200, 86_400],
      registers,
    });
    this.preemptions = new Counter({
      name: "scheduler_preemption_attempts_total",
      help: "Times that pods of a node were to be evicted for others",
      registers,
    });
    this.victims = new Histogram({
      name: "scheduler_preemption_victims",
      help: "Pods that were evicted at a time",
      buckets: [1, 2, 4, 8, 16, 32, 64],
      registers,
    });
    this.turns = new Histogram({
      name: "croft_turn_seconds",
      help: "How long a turn took: what was seen is taken in, and decided on",
      buckets: SECONDS,
      registers,
    });
    this.requests = new Counter({
      name: "rest_client_requests_total",
      help: "Requests to the API server that were answered, by status (none: they were not)",
      labelNames: ["code", "method"],
      registers,
    });
  }

  /** Measures a scheduler whenever somebody asks. */
  watch(
    farm: { readonly pending: PendingPods },
    scheduler: {
      readonly lease: { readonly name: string; readonly isHeld: boolean };
      readonly lacks: Readonly<Record<string, string | null>>;
    },
  ): void {
    const { lease } = scheduler;
    this.registry.registerMetric(
      new Gauge({
        name: "scheduler_pending_pods",
        help: "Pods on no node, by queue: active (they wait for their turn), backoff (a binding was refused), unschedulable, gated",
        labelNames: ["queue"],
        registers: [],
        collect() {
          for (const [queue, count] of Object.entries(farm.pending)) this.set({ queue }, count);
        },
      }),
    );
    this.registry.registerMetric(
      new Gauge({
        name: "leader_election_master_status",
        help: "Whether this process holds the lease: 1 or 0",
        labelNames: ["name"],
        registers: [],
        collect() {
          this.set({ name: lease.name }, lease.isHeld ? 1 : 0);
        },
      }),
    );
    this.registry.registerMetric(
      new Gauge({
        name: "kubernetes_healthcheck",
        help: "What readiness asks for: whether nodes and pods are seen, and whether the lease is held by somebody: 1 or 0",
        labelNames: ["name", "type"],
        registers: [],
        collect() {
          for (const [name, lack] of Object.entries(scheduler.lacks))
            this.set({ name, type: "readyz" }, lack === null ? 1 : 0);
        },
      }),
    );
  }

  turned(seconds: number): void {
    this.turns.observe(seconds);
  }

  /** A pod is to be bound. */
  decides(uid: string, at: number, seenAt: number): void {
    this.decided.set(uid, { at, seenAt });
  }

  bound(uid: string, at: number): void {
    const decided = this.decided.get(uid);
    this.ended(uid, at, "scheduled");
    if (decided !== undefined) this.sinceSeenSeconds.observe(Math.max(0, at - decided.seenAt));
  }

  refused(uid: string, at: number): void {
    this.ended(uid, at, "error");
  }

  /** Nothing of a pod is under way. */
  settled(uid: string): void {
    this.decided.delete(uid);
  }

  waits(): void {
    this.attempts.inc({ profile: this.profile, result: "unschedulable" });
  }

  preempts(): void {
    this.preemptions.inc();
  }

  evicted(victims: number): void {
    this.victims.observe(victims);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }

  /** A connection whose requests are counted. */
  counting(connection: Connection): Connection {
    return {
      call: async (request) => {
        const answer = await connection.call(request);
        // An answer that is no failure has no status here: the API's are 200 and 201.
        const code = answer.ok ? "2xx" : answer.status === null ? "none" : String(answer.status);
        this.requests.inc({ code, method: request.method });
        return answer;
      },
      follow: (...args) => connection.follow(...args),
      close: () => connection.close(),
    };
  }

  private ended(uid: string, at: number, result: "scheduled" | "error"): void {
    const labels = { profile: this.profile, result };
    const decided = this.decided.get(uid);
    this.attempts.inc(labels);
    if (decided !== undefined) this.attemptSeconds.observe(labels, at - decided.at);
    this.settled(uid);
  }
}
