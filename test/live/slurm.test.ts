import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { hasSlurm, SlurmCluster } from "../slurm-cluster.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

const skipped = hasSlurm ? "" : " (skipped: needs slurmctld and slurmd, and root)";
describe.skipIf(!hasSlurm)(`a farm of this machine and a Slurm cluster${skipped}`, () => {
  const cluster = new SlurmCluster();
  const folder = mkdtempSync(join(tmpdir(), "croft-slurm-farm-"));
  const farmFile = join(folder, "farm.yaml");
  const path = (name: string): string => join(folder, name);

  beforeAll(async () => {
    chmodSync(cluster.folder, 0o711);
    await cluster.start({
      nodes: 1,
      cores: 4,
      memoryMiB: 4000,
      partitions: ["batch"],
      settings: `
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
ReturnToService=2
MessageTimeout=5`,
    });
    const slurm = `config: ${cluster.configPath}, partition: batch, allowRoot: true`;
    writeFileSync(
      farmFile,
      `
sites: [here]
pools:
  - { name: own, site: here, engine: { kind: local, allowRoot: true, cores: 4, memoryMiB: 4000 } }
  - { name: north, site: here, engine: { kind: slurm, ${slurm} } }
virtualPools:
  - { name: all, site: here, pools: [north, own], routing: round-robin }
  - { name: only-north, site: here, pools: [north], routing: round-robin }
rescheduling: { strategy: ResSusUtil }
`,
    );
  });

  afterAll(async () => {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A job that counts its runs and waits until it is let go. */
  const waiting = (name: string): string[] => [
    "sh",
    "-c",
    'echo x >>"$1"; while ! [ -e "$2" ]; do sleep 0.05; done',
    "job",
    path(`ran-${name}`),
    path(`go-${name}`),
  ];
  const runs = (name: string): number =>
    existsSync(path(`ran-${name}`)) ? readFileSync(path(`ran-${name}`), "utf8").length / 2 : 0;
  const letGo = (name: string): void => appendFileSync(path(`go-${name}`), "");

  async function jobs(farm: TestFarm): Promise<JobView[]> {
    return JSON.parse((await farm.croft("jobs", "--json")).stdout) as JobView[];
  }

  async function job(farm: TestFarm, number: string): Promise<JobView> {
    return (
      (await jobs(farm)).find((each) => each.number === Number(number)) ?? expect.fail(`no job ${number}`)
    );
  }

  async function submit(farm: TestFarm, ...args: string[]): Promise<string> {
    const { status, stdout, stderr } = await farm.croft("submit", ...args);
    expect(stderr).toBe("");
    expect(status).toBe(0);
    return stdout.trim();
  }

  it("runs jobs on both", async () => {
    const farm = new TestFarm(["--farm", farmFile]);
    await farm.serve();
    for (const [pool, machine] of [
      ["only-north", "n1"],
      ["own", null],
    ] as const) {
      const number = await submit(farm, "--pool", pool, "--", "sh", "-c", "echo $SLURMD_NODENAME; exit 4");
      expect((await farm.croft("wait", number)).status).toBe(4);
      expect((await farm.croft("logs", number)).stdout).toBe(`${machine ?? ""}\n`);
      expect(await job(farm, number)).toMatchObject({ state: "failed", exitStatus: 4 });
    }
  });

  it("finds jobs again after the service and slurmctld were killed together", async () => {
    const farm = new TestFarm(["--farm", farmFile]);
    await farm.serve();
    const names = ["one", "two", "three"];
    const numbers: string[] = [];
    for (const name of names)
      numbers.push(await submit(farm, "--pool", "only-north", "--", ...waiting(name)));
    await cluster.until("all run", async () => names.every((name) => runs(name) === 1));
    const attempts = join(farm.folder, "data/engines/north/attempts");
    const claims = readdirSync(attempts).map((name) => statSync(join(attempts, name, "start")).mtimeMs);
    const startedSeconds = Math.max(...claims) / 1000;
    await cluster.until("the starts are saved", async () => cluster.savedUnixSeconds() > startedSeconds);
    await farm.kill("SIGKILL");
    await cluster.kill("controller");
    await farm.serve();
    const later = await submit(farm, "--pool", "only-north", "--", ...waiting("later"));
    expect((await jobs(farm)).map(({ state }) => state).sort()).not.toContain("lost");
    await cluster.startController();
    await cluster.until("the later one runs too", async () => runs("later") === 1);
    for (const name of [...names, "later"]) letGo(name);
    expect((await farm.croft("wait", ...numbers, later)).status).toBe(0);
    expect([...names, "later"].map(runs)).toEqual([1, 1, 1, 1]);
  });

  it("moves a job that is suspended on the cluster to this machine", async () => {
    const farm = new TestFarm(["--farm", farmFile]);
    await farm.serve();
    const low = await submit(
      farm,
      "--pool",
      "all",
      "--cores",
      "4",
      "--priority",
      "10",
      "--",
      ...waiting("low"),
    );
    await cluster.until(
      "it runs on the cluster",
      async () => (await job(farm, low)).pool === "north" && runs("low") === 1,
    );
    const high = await submit(
      farm,
      "--pool",
      "only-north",
      "--cores",
      "4",
      "--priority",
      "90",
      "--",
      ...waiting("high"),
    );
    await cluster.until(
      "it runs on this machine",
      async () => (await job(farm, low)).pool === "own" && runs("low") === 2,
    );
    await cluster.until("the other one runs on the cluster", async () => runs("high") === 1);
    for (const name of ["low", "high"]) letGo(name);
    expect((await farm.croft("wait", low, high)).status).toBe(0);
    expect(await job(farm, low)).toMatchObject({ state: "ended", pool: "own", attempt: 2 });
    expect(await job(farm, high)).toMatchObject({ state: "ended", pool: "north", attempt: 1 });
  });

  it("lets a job wait where others have the cores, comes back meanwhile, and runs it when they give them back", async () => {
    const other = await cluster.run(
      "sbatch",
      "--parsable",
      "-c4",
      "--mem=10",
      "--output=/dev/null",
      "--wrap",
      "sleep 600",
    );
    await cluster.until("the other job runs", async () =>
      (await cluster.run("squeue", "-h", "-o", "%T")).includes("RUNNING"),
    );
    const farm = new TestFarm(["--farm", farmFile]);
    for (const signal of ["SIGTERM", "SIGKILL", "SIGTERM"] as const) {
      await farm.serve();
      await farm.kill(signal);
    }
    await farm.serve();
    const number = await submit(farm, "--pool", "only-north", "--cores", "4", "--", "true");
    expect(await job(farm, number)).toMatchObject({ state: "waiting" });
    expect((await farm.croft("explain", number)).stdout).toContain(
      "cores: machine n1 is too full for it: it lacks 4 cores.",
    );
    expect((await farm.croft("when", number)).stdout).toContain(
      "others than the farm use what it would need of",
    );
    const large = await farm.croft("submit", "--pool", "only-north", "--cores", "5", "--", "true");
    expect(large.stderr).toContain("asks for 5 cores on one machine; the largest has 4");
    await cluster.cancel(other);
    expect((await farm.croft("wait", number)).status).toBe(0);
  });
});
