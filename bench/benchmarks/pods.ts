import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { connect, type Connection } from "../../src/live/engines/kubernetes/connection.ts";
import { Reflector } from "../../src/live/engines/kubernetes/reflector.ts";
import { systemClock } from "../../src/live/engines/system/clock.ts";
import type { ScheduledPod } from "../../src/live/pods/objects.ts";
import { hasWholeKubernetes, KubernetesCluster } from "../../test/kubernetes-cluster.fixture.ts";
import type { Benchmark, Options, Row } from "../benchmark.ts";
import { atLeast } from "../measure.ts";

const croft = fileURLToPath(new URL("../../bin/croft.js", import.meta.url));
const plainBinder = fileURLToPath(new URL("../live/plain-binder.ts", import.meta.url));
const PODS = "/api/v1/namespaces/default/pods";
const NODES = 100;
const ROUNDS = 3;
/** Requests of the benchmark itself. */
const IN_FLIGHT = 16;

/** Bindings a second, from the first to the last; and how long it took from the start of who made them to the last. */
interface Bound {
  readonly perSecond: number;
  readonly seconds: number;
}

/** Starts a process that binds all pods that wait for it. */
type Binding = (world: World, pods: number) => { readonly stop: () => Promise<void> };

const CANDIDATES: readonly { readonly name: string; readonly what: string; readonly bind: Binding }[] = [
  { name: "plain", what: "plain POSTs of bindings, 16 in flight", bind: bindPlainly },
  { name: "croft", what: "croft schedule-pods, mix-fit", bind: bindByCroft },
  { name: "default-scheduler", what: "kube-scheduler, its client without limits", bind: bindByKubeScheduler },
];

/**
 * Bindings of pods on a real API server and etcd: by Croft, by kube-scheduler, and by nothing but requests. Each is a
 * process of its own, all on one cluster, in turn, several times; each one's best is told. Nodes are only objects, so that no kubelet is beside them.
 */
export const pods: Benchmark = {
  name: "pods",
  summary: `bindings a second on a real API server with ${NODES} nodes, beside kube-scheduler and plain requests`,
  onAllCores: true,
  cases: () => (hasWholeKubernetes ? ["bindings"] : []),
  measure,
};

async function measure(_name: string, { quick }: Options): Promise<readonly Row[]> {
  const count = quick ? 300 : 1000;
  const world = await World.make();
  try {
    const best = new Map<string, Bound>();
    for (let round = 0; round < ROUNDS; round++)
      for (const { name, bind } of CANDIDATES) {
        const bound = await world.measure(count, name, bind);
        console.error(`${name}: ${Math.round(bound.perSecond)}/s, ${bound.seconds.toFixed(1)} s`);
        if (bound.perSecond > (best.get(name)?.perSecond ?? 0)) best.set(name, bound);
      }
    const alone = best.get("plain")!.perSecond;
    return CANDIDATES.map(({ name, what }) => {
      const { perSecond, seconds } = best.get(name)!;
      const share = perSecond / alone;
      const figure = `${Math.round(perSecond)}/s, ${share.toFixed(2)} of plain requests; ${count} in ${seconds.toFixed(1)} s from its start`;
      return {
        what,
        figure,
        ...(name === "croft" ? { target: atLeast(0.9, "of plain requests", share) } : {}),
      };
    });
  } finally {
    await world.close();
  }
}

class World {
  readonly cluster = new KubernetesCluster();
  readonly admin: Connection = connect(async () => ({
    server: this.cluster.url,
    tls: { rejectUnauthorized: false },
    headers: { authorization: `Bearer ${this.cluster.tokens.admin}` },
  }));

  static async make(): Promise<World> {
    const world = new World();
    await world.cluster.start();
    for (const namespace of ["default", "croft"])
      await world.admin.call({
        method: "POST",
        path: "/api/v1/namespaces",
        body: { metadata: { name: namespace } },
      });
    for (let at = 0; at < NODES; at++) await world.makeNode(`node-${at}`);
    const engine = {
      kind: "kubernetes",
      schedule: "all",
      namespace: "croft",
      kubeconfig: world.cluster.kubeconfigPath,
    };
    const pool = { name: "pods", policy: "mix-fit", engine };
    const farm = { name: "bench", sites: ["a"], pools: [pool], preemption: { victim: "none" } };
    writeFileSync(world.farmPath, JSON.stringify(farm));
    return world;
  }

  get farmPath(): string {
    return join(this.cluster.folder, "farm.yaml");
  }

  /** Makes so many pods, and has them bound. */
  async measure(count: number, schedulerName: string, bind: Binding): Promise<Bound> {
    const requests = { cpu: "100m", memory: "64Mi" };
    const spec = { schedulerName, containers: [{ name: "main", image: "image", resources: { requests } }] };
    const pods = Array.from({ length: count }, (_, at) => `pod-${at}`);
    await inFlight(pods, (name) => this.sure("POST", PODS, { metadata: { name }, spec }));
    const boundAt: number[] = [];
    const seen = new Set<string>();
    const watch = new Reflector<ScheduledPod>(
      {
        connection: this.admin,
        clock: systemClock(),
        random: () => 0.1,
        path: PODS,
        query: { fieldSelector: "spec.nodeName!=" },
        kept: ({ metadata }) => ({ metadata, spec: {} }),
      },
      {
        changed: ({ metadata: { uid } }) => {
          if (!seen.has(uid)) boundAt.push(performance.now());
          seen.add(uid);
        },
        gone: () => undefined,
        synced: () => undefined,
        failed: (reason) => {
          throw new Error(reason);
        },
        recovered: () => undefined,
      },
    );
    watch.open();
    const begun = performance.now();
    const binding = bind(this, count);
    while (boundAt.length < count) await new Promise((resolve) => setTimeout(resolve, 20));
    watch.close();
    await binding.stop();
    await inFlight(pods, (name) => this.sure("DELETE", `${PODS}/${name}`, { gracePeriodSeconds: 0 }));
    const [first, last] = [boundAt[0], boundAt.at(-1)!];
    return { perSecond: (count - 1) / ((last - first) / 1000), seconds: (last - begun) / 1000 };
  }

  async sure(method: "POST" | "PUT" | "DELETE", path: string, body: object): Promise<unknown> {
    const answer = await this.admin.call({ method, path, body });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.message}`);
    return answer.value;
  }

  async close(): Promise<void> {
    this.admin.close();
    await this.cluster.stop();
  }

  /** The API taints a new node until a controller has seen that it is ready: here it is told at once. */
  private async makeNode(name: string): Promise<void> {
    const resources = { cpu: "64", memory: "256Gi", pods: "1000" };
    const node = { metadata: { name }, status: { capacity: resources, allocatable: resources } };
    const made = (await this.sure("POST", "/api/v1/nodes", node)) as { metadata: object };
    const path = `/api/v1/nodes/${name}`;
    const { metadata } = (await this.sure("PUT", path, { metadata: made.metadata, spec: {} })) as typeof made;
    const conditions = [{ type: "Ready", status: "True", reason: "Bench", message: "" }];
    await this.sure("PUT", `${path}/status`, { metadata, status: { ...node.status, conditions } });
  }
}

function bindPlainly({ cluster }: World, pods: number): ReturnType<Binding> {
  return started(plainBinder, [cluster.url, cluster.tokens.admin, String(pods), String(NODES)]);
}

function bindByCroft({ farmPath }: World): ReturnType<Binding> {
  return started(croft, ["schedule-pods", "--farm", farmPath]);
}

function started(program: string, args: readonly string[]): ReturnType<Binding> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  return {
    // Not killed: the next one would wait for its lease.
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function bindByKubeScheduler({ cluster }: World): ReturnType<Binding> {
  cluster.startScheduler();
  return { stop: () => cluster.kill("kube-scheduler") };
}

async function inFlight<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: IN_FLIGHT }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
