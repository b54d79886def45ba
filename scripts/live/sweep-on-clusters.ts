/** A sweep on a farm of this machine and two real Slurms, of which a node is killed midway: the bytes are a local run's. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import type { JobView } from "../../src/live/store/job-views.ts";
import { hasSlurm, SlurmCluster } from "../../test/slurm-cluster.fixture.ts";
import { Service } from "./service.ts";
import { croft, type Trial } from "./trial.ts";

export const sweepOnClusters: Trial = {
  name: "sweep",
  summary: "a sweep on this machine and two real Slurms, of which a node is killed midway",
  unit: "runs",
  usual: 200,
  plants: { names: ["another-byte"], count: 8 },
  run,
};

// A node that is gone is told within half a minute, and its jobs are not Slurm's to run again.
const SETTINGS = `
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
MessageTimeout=5
SlurmdTimeout=15`;
const NODES = 2;

/** @param count a multiple of four: two policies at two loads, for each seed */
async function run(count: number, seed: number, plant: string | null): Promise<boolean> {
  if (!hasSlurm) throw new Error("it needs slurmctld and slurmd, and root");
  const folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
  const clusters = { north: new SlurmCluster(), south: new SlurmCluster() };
  const seeds = Array.from({ length: Math.ceil(count / 4) }, (_, i) => seed + i);
  writeFileSync(
    join(folder, "study.yaml"),
    `logs: [{ generate: netbatch-b, jobs: 100, machines: 4x8c32g }]\npolicies: [easy, fcfs]\nloads: [log, 0.9]\nseeds: [${seeds.join(", ")}]\n`,
  );
  let service: Service | null = null;
  try {
    const pools = [
      "  - { name: own, site: here, engine: { kind: local, allowRoot: true, cores: 1, memoryMiB: 4000 } }",
    ];
    for (const [name, cluster] of Object.entries(clusters)) {
      chmodSync(cluster.folder, 0o711);
      await cluster.start({
        nodes: NODES,
        cores: 1,
        memoryMiB: 4000,
        partitions: ["batch"],
        settings: SETTINGS,
      });
      pools.push(
        `  - { name: ${name}, site: here, engine: { kind: slurm, config: ${cluster.configPath}, partition: batch, allowRoot: true } }`,
      );
    }
    service = Service.of(
      folder,
      `sites: [here]\npools:\n${pools.join("\n")}\nvirtualPools: [{ name: all, site: here, pools: [own, north, south], routing: round-robin }]\n`,
    );
    await service.start();
    const localSeconds = await sweep(folder, "local", "--threads", "1");
    const onFarm = sweep(folder, "farm", "--on", join(folder, "s"));
    while (unitsIn(folder, "farm") < count / 3) await pause(100);
    await clusters.north.killNode("n1");
    const farmSeconds = await onFarm;
    if (plant !== null) {
      const units = join(folder, "farm/units");
      appendFileSync(join(units, readdirSync(units)[0]), " ");
    }
    const jobs = await service.client.get<JobView[]>("/v1/jobs?limit=10000");
    const isSame =
      JSON.stringify(filesIn(join(folder, "local"))) === JSON.stringify(filesIn(join(folder, "farm")));
    const again = jobs.filter(({ attempt }) => attempt > 1).length;
    const where = ["own", ...Object.keys(clusters)].map(
      (name) => `${jobs.filter(({ pool }) => pool === name).length} in ${name}`,
    );
    const slots = 1 + Object.keys(clusters).length * NODES;
    console.log(
      `${unitsIn(folder, "farm")} runs (${where.join(", ")}), ${again} of them tried again; ${isSame ? "the same bytes" : "OTHER BYTES"} as of a local run`,
    );
    console.log(
      `${farmSeconds.toFixed(1)} s by the clock with ${slots} slots, ${localSeconds.toFixed(1)} s in one process on this machine: ${((farmSeconds * slots - localSeconds) / count).toFixed(2)} s of a slot more a run`,
    );
    return isSame;
  } finally {
    await service?.end("SIGKILL");
    for (const cluster of Object.values(clusters)) await cluster.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Seconds by the clock. */
async function sweep(folder: string, out: string, ...args: readonly string[]): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [croft, "sweep", "study.yaml", "--out", out, ...args], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [status] = (await once(child, "exit")) as [number | null];
  if (status !== 0) throw new Error(`croft sweep --out ${out} ended with ${status}`);
  return (performance.now() - begun) / 1000;
}

function unitsIn(folder: string, out: string): number {
  const units = join(folder, out, "units");
  return existsSync(units) ? readdirSync(units).filter((name) => !name.startsWith(".")).length : 0;
}

function filesIn(folder: string): (readonly [string, string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path.slice(folder.length), readFileSync(path, "latin1")] as const);
}
