import { Counter, Gauge, Histogram, Registry } from "prom-client";

import { addProcessMetrics } from "../process-metrics.ts";
import { poolViews } from "../service/farm-views.ts";
import type { Service } from "../service/service.ts";
import type { Turn } from "../service/turn.ts";

/** What the service counts, as Prometheus reads it. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly events: Counter<"kind">;
  private readonly turns: Histogram;

  /** @param droppedLines lines of the log that could not be written */
  constructor(service: () => Service, droppedLines: () => number) {
    const registers = [this.registry];
    addProcessMetrics(this.registry);
    this.events = new Counter({
      name: "croft_events_total",
      help: "What has happened, by kind",
      labelNames: ["kind"],
      registers,
    });
    this.turns = new Histogram({
      name: "croft_turn_seconds",
      help: "From the beginning of a turn of the service until it is durable",
      buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10],
      registers,
    });
    const jobs = new Gauge({
      name: "croft_jobs",
      help: "Jobs that are not over, by state",
      labelNames: ["state"],
      registers: [],
      collect() {
        this.reset();
        const counts = new Map<string, number>();
        for (const { state } of service().books.jobs.values())
          counts.set(state, (counts.get(state) ?? 0) + 1);
        for (const [state, count] of counts) this.set({ state }, count);
      },
    });
    const cores = new Gauge({
      name: "croft_pool_cores",
      help: "Cores of the pools, in all and free",
      labelNames: ["pool", "which"],
      registers: [],
      collect() {
        for (const { name: pool, cores, coresFree } of poolViews(service())) {
          this.set({ pool, which: "all" }, cores);
          this.set({ pool, which: "free" }, coresFree);
        }
      },
    });
    const reached = new Gauge({
      name: "croft_pool_reached",
      help: "Whether the engine of a pool is reached: 1 or 0",
      labelNames: ["pool"],
      registers: [],
      collect() {
        for (const { name: pool, unreachable } of poolViews(service()))
          this.set({ pool }, unreachable === null ? 1 : 0);
      },
    });
    const dropped = new Counter({
      name: "croft_log_lines_dropped_total",
      help: "Lines of the log that could not be written",
      registers: [],
      collect() {
        this.reset();
        this.inc(droppedLines());
      },
    });
    const waiting = new Gauge({
      name: "croft_notifications_waiting",
      help: "What channels are still to be told",
      registers: [],
      collect() {
        this.set(service().notifying.waiting);
      },
    });
    const notifications = new Counter({
      name: "croft_notifications_total",
      help: "What channels were told, could not be told at an attempt, were not told at last, or what was dropped",
      labelNames: ["what"],
      registers: [],
      collect() {
        this.reset();
        const { delivered, notifying } = service();
        this.inc({ what: "delivered" }, delivered.delivered);
        this.inc({ what: "failed" }, delivered.failed);
        this.inc({ what: "given-up" }, delivered.givenUp);
        this.inc({ what: "dropped" }, notifying.dropped);
      },
    });
    this.registry.registerMetric(jobs);
    this.registry.registerMetric(waiting);
    this.registry.registerMetric(notifications);
    this.registry.registerMetric(dropped);
    this.registry.registerMetric(cores);
    this.registry.registerMetric(reached);
  }

  countTurn({ events }: Turn, seconds: number): void {
    for (const { kind } of events) this.events.inc({ kind });
    this.turns.observe(seconds);
  }

  text(): Promise<string> {
    return this.registry.metrics();
  }
}
