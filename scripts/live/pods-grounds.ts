import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";

import type { ScheduledPod } from "../../src/live/pods/objects.ts";
import type { Draws } from "../../src/live/service/draws.ts";
import type { Part } from "../../test/kubernetes-cluster.fixture.ts";
import {
  conditionOf,
  containerOf,
  jobOf,
  JOBS,
  POD_GROUPS,
  PODS,
  PodsCluster,
  type JobShape,
} from "../../test/pods-cluster.fixture.ts";
import { until, within } from "./patience.ts";
import { planted } from "./plants.ts";
import { PodsWitness } from "./pods-witness.ts";
import { croft } from "./trial.ts";

const NODES = 4;
/** Each has one core. */
const NODE_MILLI = 1000;

/** What is counted in a trial; from "lost" on nothing of it may be. */
export const HEAD = [
  "trials",
  "died at step",
  "schedulers",
  "API servers",
  "etcds",
  "kubelets",
  "Jobs",
  "pods",
  "starts",
  "lost",
  "twice",
  "bound twice",
  "refused",
  "wedged",
] as const;
export type Counts = Record<(typeof HEAD)[number], number>;

export const noCounts = (): Counts => Object.fromEntries(HEAD.map((name) => [name, 0])) as Counts;
export const isWrong = (counts: Counts): boolean =>
  HEAD.slice(HEAD.indexOf("lost")).some((name) => counts[name] > 0);

export type Victim = "scheduler" | "etcd" | "kube-apiserver" | "kubelet";

export interface TrialJob extends JobShape {
  readonly name: string;
  readonly isGang: boolean;
}

/** A cluster, a scheduler as a process, and who looks on. */
export class Grounds {
  private readonly world: PodsCluster;
  private readonly witness: PodsWitness;
  private readonly plant: string | null;
  private scheduler: ChildProcess | null = null;

  private constructor(world: PodsCluster, plant: string | null) {
    this.world = world;
    this.plant = plant;
    const kubelets = Array.from({ length: NODES }, (_, at): Part => `hollow-${at + 1}`);
    this.witness = new PodsWitness(world, kubelets);
  }

  static async make(plant: string | null): Promise<Grounds> {
    return new Grounds(await PodsCluster.make(NODES, { isAudited: true }), plant);
  }

  begin(): void {
    this.witness.begin();
  }

  startScheduler(crashAt: string | null): void {
    const crash = crashAt === null ? {} : { CROFT_CRASH_TRIALS: "1", CROFT_CRASH_AT: crashAt };
    this.scheduler = spawn(process.execPath, [croft, "schedule-pods", "--farm", this.world.farmPath], {
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...planted(this.plant), ...crash },
    });
    this.scheduler.stderr!.setEncoding("utf8").on("data", (text: string) => {
      if (/has failed/.test(text)) console.log(text);
    });
  }

  async schedulerDied(): Promise<true> {
    const { scheduler } = this;
    if (scheduler !== null && scheduler.exitCode === null && scheduler.signalCode === null)
      await once(scheduler, "exit");
    return true;
  }

  /** Kills these at once, and starts them again after a while. */
  async killAndMend(victims: readonly Victim[], draws: Draws, found: Counts): Promise<void> {
    const { cluster } = this.world;
    const node = 1 + draws.below(NODES);
    const kubelet: Part = `hollow-${node}`;
    await Promise.all(
      victims.map(async (victim) => {
        if (victim === "scheduler") await this.endScheduler("SIGKILL");
        else await cluster.kill(victim === "kubelet" ? kubelet : victim);
      }),
    );
    if (victims.includes("kubelet")) this.witness.killed(kubelet);
    for (const [victim, name] of COUNTED) if (victims.includes(victim)) found[name]++;
    await pause(draws.below([1, 300, 2000][draws.below(3)]));
    if (victims.includes("etcd")) cluster.startEtcd();
    if (victims.includes("kubelet")) await cluster.startHollow(node);
    if (victims.includes("scheduler")) this.startScheduler(null);
    if (victims.includes("kube-apiserver")) await cluster.startApiServer();
  }

  /** Asks until it is acknowledged. */
  async make(job: TrialJob): Promise<void> {
    if (job.isGang)
      await this.insist("POST", POD_GROUPS, {
        apiVersion: "scheduling.x-k8s.io/v1alpha1",
        kind: "PodGroup",
        metadata: { name: job.name },
        spec: { minMember: job.pods },
      });
    const labels = job.isGang ? { "scheduling.x-k8s.io/pod-group": job.name } : {};
    await this.insist("POST", JOBS, jobOf(job.name, { ...job, labels }));
  }

  /** A pod that no node can hold: its scheduler has something to tell. */
  async makeTooLarge(): Promise<void> {
    const spec = { schedulerName: "croft", containers: [containerOf("2", "10Mi")] };
    await this.insist("POST", PODS, { metadata: { name: TOO_LARGE }, spec });
  }

  async someRun(): Promise<void> {
    await until("a pod runs", async () => {
      const pods = await this.pods();
      return pods?.some(({ status }) => status?.phase === "Running") === true || null;
    });
  }

  /**
   * Waits until all pods of all Jobs run. Where one waits for room, Jobs are over whose pods all run; and the last of
   * Jobs that keep the room from each other, each with a part of its pods.
   *
   * @returns how many pods were not to run any more
   */
  async allRun(jobs: readonly TrialJob[]): Promise<number> {
    const ran = new Set<string>();
    let neverRan = 0;
    await until(`all pods of ${jobs.map(({ name }) => name).join(", ")} run`, async () => {
      if (this.witness.hasRefused) return true;
      const items = await this.pods();
      if (items === null) return null;
      const runningOf = (name: string): number =>
        items.filter(
          ({ metadata, status }) => metadata.labels?.["job-name"] === name && status?.phase === "Running",
        ).length;
      for (const { name, pods } of jobs) if (runningOf(name) >= pods) ran.add(name);
      const last = isStuck(items) ? jobs.findLast(({ name }) => !ran.has(name)) : undefined;
      if (last !== undefined) {
        neverRan += last.pods - runningOf(last.name);
        ran.add(last.name);
      }
      if (items.some((pod) => conditionOf(pod)?.reason === "WaitingForTurn"))
        for (const name of ran) await this.remove(`${JOBS}/${name}`);
      return ran.size === jobs.length || null;
    });
    return neverRan;
  }

  /** @param neverRan pods that were not to run any more */
  judge(jobs: readonly TrialJob[], neverRan: number, found: Counts): void {
    const isPlanted = this.plant === "a-second-start";
    const { pods, starts, twice, boundTwice, refused } = this.witness.found(isPlanted);
    for (const text of [...twice, ...boundTwice, ...refused]) console.log(text);
    found.Jobs = jobs.length;
    found.pods = jobs.reduce((sum, { pods }) => sum + pods, 0) - neverRan;
    found.starts = starts;
    found.twice = twice.length;
    found["bound twice"] = boundTwice.length;
    found.refused = refused.length;
    found.lost = Math.max(0, found.pods - pods);
  }

  async clear(jobs: readonly TrialJob[]): Promise<void> {
    for (const { name, isGang } of jobs) {
      await this.remove(`${JOBS}/${name}`);
      if (isGang) await this.remove(`${POD_GROUPS}/${name}`);
    }
    await this.remove(`${PODS}/${TOO_LARGE}`);
    await until("all pods are gone", async () => (await this.pods())?.length === 0 || null);
    // The next one does not wait for its lease.
    await this.endScheduler("SIGTERM");
  }

  async close(): Promise<void> {
    await this.endScheduler("SIGKILL");
    this.witness.close();
    await this.world.close();
  }

  /** Null: the API server does not answer. */
  private async pods(): Promise<readonly ScheduledPod[] | null> {
    const answer = await this.world.admin.call({ method: "GET", path: PODS });
    return answer.ok ? (answer.value as { items: ScheduledPod[] }).items : null;
  }

  private async endScheduler(signal: NodeJS.Signals): Promise<void> {
    const { scheduler } = this;
    this.scheduler = null;
    if (scheduler === null || scheduler.exitCode !== null || scheduler.signalCode !== null) return;
    const ended = once(scheduler, "exit");
    scheduler.kill(signal);
    await within(`the scheduler ends after ${signal}`, ended);
  }

  private async remove(path: string): Promise<void> {
    await this.insist("DELETE", path, {
      apiVersion: "v1",
      kind: "DeleteOptions",
      propagationPolicy: "Background",
    });
  }

  /** Asks until it is answered. It may have been done already, by what was not answered. */
  private async insist(method: "POST" | "DELETE", path: string, body: object): Promise<void> {
    await until(`an answer to ${method} ${path}`, async () => {
      const answer = await this.world.admin.call({ method, path, body });
      if (answer.ok || answer.status === 409 || (method === "DELETE" && answer.status === 404)) return true;
      if (answer.status !== null && answer.status < 500 && answer.status !== 429)
        throw new Error(`${path}: ${answer.message}`);
      return null;
    });
  }
}

const TOO_LARGE = "too-large";

/** Whether all that wait for their turn do so for room that nobody is about to leave. */
function isStuck(items: readonly ScheduledPod[]): boolean {
  const waiting = items.filter((pod) => conditionOf(pod)?.reason === "WaitingForTurn");
  const isLeaving = items.some(({ metadata }) => metadata.deletionTimestamp !== undefined);
  if (waiting.length === 0 || isLeaving) return false;
  const taken = new Map<string, number>();
  for (const pod of items) {
    const { nodeName } = pod.spec;
    if (nodeName !== undefined) taken.set(nodeName, (taken.get(nodeName) ?? 0) + milliOf(pod));
  }
  const least = taken.size < NODES ? 0 : Math.min(...taken.values());
  return waiting.every((pod) => least + milliOf(pod) > NODE_MILLI);
}

/** The thousandths of a core that a pod of a trial asks for. */
function milliOf({ spec }: ScheduledPod): number {
  const cpu = spec.containers?.[0]?.resources?.requests?.["cpu"] ?? "";
  return cpu.endsWith("m") ? Number.parseInt(cpu, 10) : Number(cpu) * 1000;
}

const COUNTED = [
  ["scheduler", "schedulers"],
  ["kube-apiserver", "API servers"],
  ["etcd", "etcds"],
  ["kubelet", "kubelets"],
] as const;
