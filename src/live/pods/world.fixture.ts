import { connect, type Connection } from "../engines/kubernetes/connection.ts";
import { StandInApiServer } from "../engines/kubernetes/stand-in.fixture.ts";
import { systemClock, type Clock } from "../engines/system/clock.ts";
import type { VirtualClock } from "../engines/system/virtual-clock.fixture.ts";
import type { PhysicalPool } from "../../workload/index.ts";
import type { ScheduledPod } from "./objects.ts";
import { PodMetrics } from "./metrics.ts";
import type { Plan } from "./plan.ts";
import { PodScheduler } from "./scheduler.ts";

const PATIENCE_SECONDS = 30;
export const NAMESPACE = "work";

export type PodFields = Partial<ScheduledPod["spec"]> & {
  readonly cores?: string;
  readonly memory?: string;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
};

export function planFor(settings: Partial<Plan> = {}, pool: Partial<PhysicalPool> = {}): Plan {
  return {
    pool: {
      name: "cluster",
      site: 0,
      groups: [],
      policy: "first-fit",
      maxJobsList: [],
      intervalSeconds: null,
      reserving: Infinity,
      shares: null,
      ...pool,
    },
    kubeconfigPath: null,
    context: null,
    namespace: "croft",
    nodeSelector: {},
    gpuResource: "nvidia.com/gpu",
    schedulerName: "croft",
    familyLabel: null,
    packing: null,
    victim: null,
    ...settings,
  };
}

/** A pod as it is made; by default one core of whoever schedules as croft. */
export function podOf(
  name: string,
  fields: PodFields = {},
): Omit<ScheduledPod, "metadata"> & {
  readonly metadata: Partial<ScheduledPod["metadata"]> & { readonly name: string };
} {
  const { cores = "1", memory = "1Gi", labels, annotations, ...spec } = fields;
  return {
    metadata: {
      name,
      namespace: NAMESPACE,
      creationTimestamp: "2026-01-01T00:00:00Z",
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    spec: {
      schedulerName: "croft",
      containers: [{ name: "main", resources: { requests: { cpu: cores, memory } } }],
      ...spec,
    },
    status: { phase: "Pending" },
  };
}

export interface NodeFields {
  readonly cores?: string;
  readonly memory?: string;
  readonly gpus?: string;
  readonly pods?: string;
  readonly labels?: Record<string, string>;
  readonly spec?: object;
  readonly isReady?: boolean;
}

export function nodeOf(name: string, fields: NodeFields = {}) {
  const { cores = "4", memory = "16Gi", gpus, pods = "110", labels = {}, spec = {}, isReady = true } = fields;
  return {
    metadata: { name, labels },
    spec,
    status: {
      allocatable: { cpu: cores, memory, pods, ...(gpus === undefined ? {} : { "nvidia.com/gpu": gpus }) },
      conditions: [{ type: "Ready", status: isReady ? "True" : "False" }],
    },
  };
}

/** An API server with its faults, and schedulers of its pods, each as a process would be. */
export class PodWorld {
  readonly server = new StandInApiServer();
  readonly log: string[] = [];
  readonly schedulers: PodScheduler[] = [];
  /** Of the last of them. */
  metrics = new PodMetrics("croft");
  private readonly plan: Plan;
  private readonly clock: Clock;

  private constructor(plan: Plan, clock: Clock) {
    this.plan = plan;
    this.clock = clock;
  }

  static async make(plan = planFor(), clock: Clock = systemClock()): Promise<PodWorld> {
    const world = new PodWorld(plan, clock);
    await world.server.start();
    return world;
  }

  /** Starts a scheduler, with another connection of its own. */
  open(
    holder = `holder-${this.schedulers.length}`,
    wrap: (connection: Connection) => Connection = (connection) => connection,
  ): PodScheduler {
    const connection = connect(async () => ({ server: this.server.url, tls: {}, headers: {} }));
    this.metrics = new PodMetrics("croft");
    const scheduler = new PodScheduler({
      plan: this.plan,
      connection: wrap(connection),
      clock: this.clock,
      log: (text) => this.log.push(text),
      metrics: this.metrics,
      random: () => 0.1,
      holder,
    });
    this.schedulers.push(scheduler);
    scheduler.open();
    return scheduler;
  }

  node(name: string, fields: NodeFields = {}): void {
    this.server.set("nodes", nodeOf(name, fields));
  }

  pod(name: string, fields: PodFields = {}): string {
    return this.server.set("pods", podOf(name, fields)).metadata.uid;
  }

  seen(name: string): ScheduledPod | undefined {
    return this.server.all("pods").find(({ metadata }) => metadata.name === name) as ScheduledPod | undefined;
  }

  placeOf(name: string): string | undefined {
    return this.seen(name)?.spec.nodeName;
  }

  /** Why a pod is told to be pending; empty: nothing is told. */
  reasonOf(name: string): string {
    return this.conditionOf(name)?.reason ?? "";
  }

  conditionOf(
    name: string,
  ): { readonly status: string; readonly reason?: string; readonly message?: string } | undefined {
    return this.seen(name)?.status?.conditions?.find(({ type }) => type === "PodScheduled");
  }

  eventsOf(name: string): string[] {
    return this.server
      .all("events")
      .filter((event) => (event["involvedObject"] as { name: string }).name === name)
      .map((event) => `${String(event["reason"])}: ${String(event["message"])}`);
  }

  /** A pod has ended. */
  end(name: string, phase: "Succeeded" | "Failed" = "Succeeded"): void {
    this.server.set("pods", { ...this.seen(name)!, status: { phase } });
  }

  remove(name: string): void {
    this.server.unset("pods", NAMESPACE, name);
  }

  async until(what: string, isSo: () => boolean): Promise<void> {
    const end = Date.now() + PATIENCE_SECONDS * 1000;
    while (!isSo()) {
      if (Date.now() > end)
        throw new Error(
          `not within ${PATIENCE_SECONDS} s: ${what}; the log: ${this.log.slice(-5).join(" | ")}; conditions: ${JSON.stringify(
            this.server
              .all("pods")
              .map(({ metadata, spec }) => [metadata.name, spec?.nodeName, this.conditionOf(metadata.name)]),
          ).slice(0, 2000)}`,
        );
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /**
   * Lets time pass by a made-up clock: a second for every few milliseconds, so that a lease can be renewed.
   *
   * @returns how many seconds it took
   */
  async passUntil(clock: VirtualClock, mostSeconds: number, isSo: () => boolean): Promise<number> {
    const from = clock.monotonicSeconds();
    const passed = (): number => clock.monotonicSeconds() - from;
    while (!isSo() && passed() < mostSeconds) {
      await clock.pass(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return passed();
  }

  placed(...names: string[]): Promise<void> {
    return this.until(`${names.join(", ")} on nodes`, () =>
      names.every((name) => this.placeOf(name) !== undefined),
    );
  }

  told(name: string, reason: string): Promise<void> {
    return this.until(`${name} is told ${reason}`, () => this.reasonOf(name) === reason);
  }

  async close(): Promise<void> {
    await Promise.all(this.schedulers.map((each) => each.close()));
    await this.server.stop();
  }
}
