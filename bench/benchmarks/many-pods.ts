import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { StandInApiServer } from "../../src/live/engines/kubernetes/stand-in.fixture.ts";
import type { Benchmark, Options, Row } from "../benchmark.ts";
import { nodeOf, podOf } from "../../src/live/pods/world.fixture.ts";

const croft = fileURLToPath(new URL("../../bin/croft.js", import.meta.url));
/** At a time, and so often, pods end and as many come. */
const CHURN = { pods: 100, everySeconds: 0.5, times: 120 };
const CORES = ["250m", "500m", "1", "2", "4"];
const CORES_OF_NODE = 14;
const UNTIL_SECONDS = 900;

/**
 * `croft schedule-pods` on a large cluster: a stand-in of an API server with 5,000 nodes and 50,000 pods, more than find
 * room at once. What it takes of the API server's side is not measured, which serves in this process beside it.
 */
export const manyPods: Benchmark = {
  name: "many-pods",
  summary:
    "croft schedule-pods with 5,000 nodes and 50,000 pods of a stand-in API server: turns, memory, a start anew",
  onAllCores: true,
  cases: () => ["mix-fit"],
  measure,
};

async function measure(policy: string, { quick }: Options): Promise<readonly Row[]> {
  const [nodes, pods] = quick ? [500, 5000] : [5000, 50_000];
  const world = new World(policy);
  await world.server.start();
  try {
    for (let at = 0; at < nodes; at++)
      world.server.set("nodes", nodeOf(`n${at}`, { cores: String(CORES_OF_NODE), memory: "64Gi" }));
    for (let at = 0; at < pods; at++) world.makePod();
    const first = await world.start();
    const filled = await world.untilBoundStops();
    const bound = world.bound().length;
    const before = await first.turns();
    await world.churn();
    const turns = difference(await first.turns(), before);
    const peakMiB = first.peakMiB();
    await first.stop();
    const boundBefore = world.bound().length;
    world.endSome();
    const again = performance.now();
    const second = await world.start();
    await world.until(() => world.bound().length > boundBefore - CHURN.pods);
    const anew = (performance.now() - again) / 1000;
    await second.stop();
    const p99 = quantile(turns, 0.99);
    return [
      {
        what: `${bound} of ${pods} pods on ${nodes} nodes, from its start`,
        figure: `${filled.toFixed(1)} s, ${Math.round(bound / filled)} bindings/s`,
      },
      {
        what: `turns while ${CHURN.pods / CHURN.everySeconds} pods a second end and as many come`,
        figure: `${turns.at(-1)!.count} turns, p50 ${milliseconds(quantile(turns, 0.5))}, p99 ${milliseconds(p99)}`,
        peakMiB,
      },
      { what: "a start anew, until the first pod is bound", figure: `${anew.toFixed(1)} s` },
    ];
  } finally {
    await world.close();
  }
}

/** How many turns took so long or less. */
interface Bucket {
  readonly seconds: number;
  readonly count: number;
}

interface Scheduler {
  turns(): Promise<Bucket[]>;
  peakMiB(): number;
  stop(): Promise<void>;
}

class World {
  readonly server = new StandInApiServer();
  private readonly folder = mkdtempSync(join(tmpdir(), "croft-bench-"));
  private readonly policy: string;
  private made = 0;
  private readonly ended = new Set<string>();
  private child: ChildProcess | null = null;

  constructor(policy: string) {
    this.policy = policy;
  }

  makePod(): void {
    const at = this.made++;
    this.server.set("pods", podOf(`p${at}`, { cores: CORES[(at * 7) % CORES.length], memory: "512Mi" }));
  }

  /** The names of the pods that are on nodes and have not ended. */
  bound(): string[] {
    return this.server
      .all("pods")
      .filter(({ metadata: { name }, spec }) => spec?.nodeName !== undefined && !this.ended.has(name))
      .map(({ metadata }) => metadata.name);
  }

  endSome(): void {
    const bound = this.bound();
    for (let count = 0; count < CHURN.pods; count++) {
      const name = bound[(count * 7919) % bound.length];
      if (this.ended.has(name)) continue;
      this.ended.add(name);
      this.server.unset("pods", podOf(name).metadata.namespace!, name);
    }
  }

  async churn(): Promise<void> {
    for (let time = 0; time < CHURN.times; time++) {
      this.endSome();
      for (let count = 0; count < CHURN.pods; count++) this.makePod();
      await new Promise((resolve) => setTimeout(resolve, CHURN.everySeconds * 1000));
    }
  }

  /** Returns the seconds until the last one of those that find room at once was bound. */
  async untilBoundStops(): Promise<number> {
    const begun = performance.now();
    let count = 0;
    let last = begun;
    await this.until(() => {
      const now = this.bound().length;
      if (now > count) last = performance.now();
      count = now;
      return count > 0 && performance.now() - last > 5000;
    });
    return (last - begun) / 1000;
  }

  async until(isSo: () => boolean): Promise<void> {
    const end = performance.now() + UNTIL_SECONDS * 1000;
    while (!isSo()) {
      if (performance.now() > end) throw new Error(`not within ${UNTIL_SECONDS} s`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  /** Starts a scheduler. */
  async start(): Promise<Scheduler> {
    const child = spawn(
      process.execPath,
      [croft, "schedule-pods", "--farm", this.farmFile(), "--listen", "127.0.0.1:0"],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    this.child = child;
    const address = await new Promise<string>((resolve, reject) => {
      let said = "";
      child.stderr.on("data", (data) => {
        said += String(data);
        const found = /metrics at (http\S+)/.exec(said);
        if (found !== null) resolve(found[1]);
      });
      child.on("exit", () => reject(new Error(said)));
    });
    return {
      turns: async () => bucketsOf(await (await fetch(address)).text()),
      peakMiB: () => {
        const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))!;
        return Number(kib) / 1024;
      },
      stop: async () => {
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      },
    };
  }

  async close(): Promise<void> {
    this.child?.kill("SIGKILL");
    await this.server.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private farmFile(): string {
    const kubeconfig = join(this.folder, "kubeconfig");
    const config = {
      "current-context": "bench",
      contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
      clusters: [{ name: "bench", cluster: { server: this.server.url } }],
      users: [{ name: "bench", user: { token: "none" } }],
    };
    writeFileSync(kubeconfig, JSON.stringify(config));
    const engine = { kind: "kubernetes", schedule: "all", namespace: "croft", kubeconfig };
    const pools = [{ name: "pods", policy: this.policy, engine }];
    const farm = { name: "bench", sites: ["a"], pools, preemption: { victim: "none" } };
    const path = join(this.folder, "farm.yaml");
    writeFileSync(path, JSON.stringify(farm));
    return path;
  }
}

function bucketsOf(metrics: string): Bucket[] {
  const lines = metrics.matchAll(/^croft_turn_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm);
  return Array.from(lines, ([, le, count]) => ({
    seconds: le === "+Inf" ? Infinity : Number(le),
    count: Number(count),
  }));
}

function difference(after: readonly Bucket[], before: readonly Bucket[]): Bucket[] {
  return after.map(({ seconds, count }, at) => ({ seconds, count: count - before[at].count }));
}

/** The bound of the bucket that a quantile is in, so that no more is claimed than is known. */
function quantile(buckets: readonly Bucket[], part: number): number {
  const all = buckets.at(-1)!.count;
  return buckets.find(({ count }) => count >= part * all)!.seconds;
}

function milliseconds(seconds: number): string {
  return `at most ${seconds * 1000} ms`;
}
