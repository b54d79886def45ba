import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import type { JobView } from "../../src/live/store/job-views.ts";
import type { Finished } from "../cli/croft.fixture.ts";
import { TestFarm } from "./farm.fixture.ts";

const examples = fileURLToPath(new URL("../../examples", import.meta.url));

/** A farm in whose scripts the programs of a profile are on the path, and what runs one. */
async function farmWith(programs: string) {
  const farm = new TestFarm(["--allow-root"]);
  await farm.serve();
  const run = (script: string): Promise<Finished> =>
    farm.shell(`PATH='${examples}/${programs}':"$PATH"; ${script}`);
  return { farm, run };
}

const untilGo = "until [ -e go ]; do sleep 0.05; done";

describe("Snakemake's profile", () => {
  const config = parse(readFileSync(join(examples, "snakemake/config.yaml"), "utf8")) as Record<
    string,
    string
  >;
  const [submitCommand, statusCommand, cancelCommand] = ["submit", "status", "cancel"].map(
    (what) => config[`cluster-generic-${what}-cmd`],
  );

  /** What the executor does with the profile: its placeholders, and the quoted path behind the command. */
  const submitLine = (job: Readonly<Record<string, string>>, script: string): string =>
    `${submitCommand.replace(/\{([\w.]+)\}/g, (_, name: string) => job[name])} "${script}"`;
  const aJob = {
    rule: "sort",
    jobid: "7",
    threads: "2",
    "resources.mem_mb": "500",
    "resources.runtime": "60",
  };

  async function begin() {
    const { farm, run } = await farmWith("snakemake");
    const submit = async (program: string, job: object = {}): Promise<string> => {
      const script = join(farm.folder, `snakejob ${Math.random()}.sh`);
      writeFileSync(script, `#!/bin/sh\n${program}\n`, { mode: 0o744 });
      const { status, stdout, stderr } = await run(submitLine({ ...aJob, ...job }, script));
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      return stdout.split("\n")[0];
    };
    const statusOf = async (job: string): Promise<string> => {
      const { status, stdout } = await run(`${statusCommand} '${job}'`);
      expect(status).toBe(0);
      return stdout;
    };
    const until = (job: string, status: string): Promise<void> =>
      expect.poll(() => statusOf(job), { timeout: 60_000 }).toBe(`${status}\n`);
    return { farm, run, submit, statusOf, until };
  }

  it("submits what the rule asks for, and tells how it ended", async () => {
    const { farm, submit, statusOf, until } = await begin();
    const [good, bad] = [await submit(untilGo), await submit(`${untilGo}; exit 3`)];
    expect(await farm.client.get(`/v1/jobs/${good}`)).toMatchObject({
      name: "sort",
      tags: { snakemake: "7" },
      cores: 2,
      memoryMiB: 500,
      timeSeconds: 3600,
      directory: farm.folder,
    });
    expect(await statusOf(good)).toBe("running\n");
    writeFileSync(join(farm.folder, "go"), "");
    await until(good, "success");
    await until(bad, "failed");
    expect(await statusOf("999999")).toBe("failed\n");
  });

  it("cancels several jobs, each of which has then failed", async () => {
    const { farm, run, submit, until } = await begin();
    const jobs = [await submit("sleep 1000"), await submit("sleep 1000"), await submit("sleep 1000")];
    // The executor starts the program itself, with no shell.
    expect(cancelCommand).not.toContain(" ");
    expect((await run(`${cancelCommand} ${jobs.join(" ")}`)).status).toBe(0);
    for (const job of jobs) await until(job, "failed");
    const states = (await farm.client.get<JobView[]>("/v1/jobs")).map(({ state }) => state);
    expect(states).toEqual(["cancelled", "cancelled", "cancelled"]);
  });

  it("takes jobs to run on while the farm is away", async () => {
    const { farm, run, submit, statusOf, until } = await begin();
    const job = await submit(`${untilGo}; exit 1`);
    await farm.kill("SIGKILL");
    const away = await run(`${statusCommand} ${job}`);
    expect(away).toMatchObject({ status: 0, stdout: "running\n" });
    expect(away.stderr).toContain("no farm answers");
    await farm.serve();
    expect(await statusOf(job)).toBe("running\n");
    writeFileSync(join(farm.folder, "go"), "");
    await until(job, "failed");
  });

  it("is told, and submits nothing, where no pool could hold the job", async () => {
    const { farm, run } = await begin();
    const script = join(farm.folder, "job.sh");
    const { status, stderr } = await run(submitLine({ ...aJob, threads: "100000" }, script));
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/rejected/);
  });

  it("runs many jobs, and tells those that fail from those that do not", async () => {
    const { submit, until } = await begin();
    const job = { threads: "1", "resources.mem_mb": "1" };
    const jobs = await Promise.all(
      Array.from({ length: 24 }, (_, index) => submit(`exit ${index % 3}`, job)),
    );
    expect(new Set(jobs).size).toBe(24);
    for (const [index, number] of jobs.entries()) await until(number, index % 3 === 0 ? "success" : "failed");
  });
});

describe("Nextflow's programs in the place of Slurm's", () => {
  /** As Nextflow writes it before a task's own commands. */
  const header = (folder: string, more: readonly string[]): string =>
    [
      "#!/bin/bash",
      "#SBATCH -J nf-align_(1)",
      `#SBATCH -o ${folder}/.command.log`,
      "#SBATCH --no-requeue ",
      "#SBATCH --signal B:USR2@30",
      ...more,
    ]
      .map((line) => `${line}\n`)
      .join("");

  async function begin() {
    const { farm, run } = await farmWith("nextflow/bin");
    let tasks = 0;
    /** A task in a folder of its own, in which sbatch is called with the name of its script. */
    const task = (program: string, more: readonly string[] = [], named = "work"): string => {
      const folder = join(farm.folder, named, String(tasks++));
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, ".command.run"),
        `${header(folder, more)}trap 'echo $? >.exitcode' EXIT\n${program}\n`,
      );
      return folder;
    };
    const sbatch = (folder: string): Promise<Finished> => run(`cd '${folder}' && sbatch .command.run`);
    const submit = async (folder: string): Promise<string> => {
      const { status, stdout, stderr } = await sbatch(folder);
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      return /^Submitted batch job (\d+)$/m.exec(stdout)![1];
    };
    const states = async (): Promise<Record<string, string>> => {
      const { status, stdout } = await run(`squeue --noheader -o '%i %t' -t all -u root`);
      expect(status).toBe(0);
      const lines = stdout.split("\n").filter((line) => line !== "");
      for (const line of lines) expect(line).toMatch(/^\d+ (PD|R|S)$/);
      return Object.fromEntries(lines.map((line) => line.split(" ")));
    };
    const ended = (job: string): Promise<JobView> => farm.client.get<JobView>(`/v1/jobs/${job}?wait=60`);
    return { farm, run, task, sbatch, submit, states, ended };
  }

  it("submits what the process asks for, and its status is in .exitcode", async () => {
    const { farm, task, submit, states, ended } = await begin();
    const asks = [
      "#SBATCH -c 2",
      "#SBATCH -t 01:00:00",
      "#SBATCH --mem 500M",
      "#SBATCH --priority 20 --comment 'a b'",
    ];
    const folder = task("echo hello; until [ -e ../../go ]; do sleep 0.05; done; exit 4", asks);
    const job = await submit(folder);
    expect(await farm.client.get(`/v1/jobs/${job}`)).toMatchObject({
      name: "nf-align_(1)",
      cores: 2,
      timeSeconds: 3600,
      memoryMiB: 500,
      priority: 20,
      comment: "a b",
      directory: folder,
      output: join(folder, ".command.log"),
    });
    await expect.poll(states, { timeout: 60_000 }).toEqual({ [job]: "R" });
    writeFileSync(join(farm.folder, "go"), "");
    expect(await ended(job)).toMatchObject({ state: "failed", exitStatus: 4 });
    expect(readFileSync(join(folder, ".exitcode"), "utf8")).toBe("4\n");
    expect(readFileSync(join(folder, ".command.log"), "utf8")).toBe("hello\n");
    expect(await states()).toEqual({});
  });

  it("reads quoted paths, and runs nothing that stands in a name", async () => {
    const { farm, task, submit, ended } = await begin();
    const folder = task("echo hello", [], "a 100%% b");
    const script = join(folder, ".command.run");
    const quoted = readFileSync(script, "utf8")
      .replace(/^#SBATCH -o .*$/m, `#SBATCH -o "${folder.replaceAll(" ", "\\ ")}/.command.log"`)
      .replace("nf-align_(1)", "nf-$(touch${IFS}bad)_`touch${IFS}bad`");
    writeFileSync(script, quoted);
    expect(await ended(await submit(folder))).toMatchObject({ state: "ended" });
    expect(readFileSync(join(folder, ".command.log"), "utf8")).toBe("hello\n");
    for (const where of [folder, farm.folder])
      expect((await farm.shell(`ls '${where}'`)).stdout).not.toContain("bad");
  });

  it("tells jobs that wait and that are suspended, and cancels several", async () => {
    const { farm, run, task, submit, states, ended } = await begin();
    const running = await submit(task("sleep 1000"));
    const waiting = await submit(task("sleep 1000", ["#SBATCH --hold"]));
    await expect.poll(states, { timeout: 60_000 }).toEqual({ [running]: "R", [waiting]: "PD" });
    await farm.croft("suspend", running);
    await expect.poll(states, { timeout: 60_000 }).toEqual({ [running]: "S", [waiting]: "PD" });
    expect((await run(`scancel ${running} ${waiting}`)).status).toBe(0);
    for (const job of [running, waiting]) expect(await ended(job)).toMatchObject({ state: "cancelled" });
    expect(await states()).toEqual({});
  });

  it("refuses what it cannot do, and nothing is submitted", async () => {
    const { farm, task, sbatch } = await begin();
    const array = await sbatch(task("true", ["#SBATCH --array 0-9"]));
    expect(array).toMatchObject({ status: 2, stdout: "" });
    expect(array.stderr).toContain("job arrays of Nextflow are not supported");
    const unknown = await sbatch(task("true", ["#SBATCH --qos high"]));
    expect(unknown).toMatchObject({ status: 2, stdout: "" });
    expect(unknown.stderr).toContain("--qos");
    expect(await farm.client.get("/v1/jobs")).toEqual([]);
  });

  it("says that it does not know where the farm is away, and not that the jobs are gone", async () => {
    const { farm, run } = await begin();
    await farm.kill("SIGTERM");
    expect((await run("squeue --noheader")).status).toBe(110);
  });

  it("runs many tasks, each with its own status", async () => {
    const { task, submit, ended } = await begin();
    const folders = Array.from({ length: 24 }, (_, index) => task(`exit ${index % 5}`));
    const jobs = await Promise.all(folders.map(submit));
    for (const [index, job] of jobs.entries()) {
      expect((await ended(job)).exitStatus).toBe(index % 5);
      expect(readFileSync(join(folders[index], ".exitcode"), "utf8")).toBe(`${index % 5}\n`);
    }
  });
});
