import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { describe, expect, it } from "vitest";

import type { JobView } from "../../src/live/store/job-views.ts";
import { TestFarm } from "./farm.fixture.ts";

describe("the first minute", () => {
  it("serves, takes a job, shows what it prints, and exits with its status", async () => {
    const farm = new TestFarm();
    expect(await farm.serve()).toContain("croft serves");
    const submitted = await farm.croft(
      "submit",
      "--cores",
      "1",
      "--",
      "sh",
      "-c",
      "echo hello; echo oh >&2; exit 3",
    );
    expect(submitted).toMatchObject({ status: 0, stdout: "1\n", stderr: "" });
    const waited = await farm.croft("wait", "1");
    expect(waited).toMatchObject({ status: 3, stdout: "" });
    expect(waited.stderr).toContain("job 1 has failed: it ended with status 3");
    for (const more of [[], ["--follow"]]) {
      const logs = (...args: string[]) => farm.croft("logs", "1", ...args, ...more);
      expect(await logs()).toMatchObject({ status: 0, stdout: "hello\n", stderr: "oh\n" });
      expect(await logs("--stderr")).toMatchObject({ status: 0, stdout: "oh\n", stderr: "" });
    }
    expect(readFileSync(join(farm.folder, "data/jobs/1/stdout"), "utf8")).toBe("hello\n");
    const [job] = JSON.parse((await farm.croft("jobs", "--json")).stdout) as JobView[];
    expect(job).toMatchObject({
      number: 1,
      name: "sh",
      state: "failed",
      exitStatus: 3,
      attempt: 1,
      pool: "local",
    });
    expect(statSync(farm.socket).mode & 0o777).toBe(0o600);
  });

  it("passes arguments, environment and folder on as they are", async () => {
    const farm = new TestFarm();
    await farm.serve();
    const odd = "$(touch bad); `x` ' \" \\ \n *";
    await farm.croft(
      "submit",
      "--env",
      `ODD=${odd}`,
      "--",
      "sh",
      "-c",
      'printf %s "$1|$ODD|$PWD|$CROFT_JOB_NUMBER"',
      "sh",
      odd,
    );
    await farm.croft("wait", "1");
    expect((await farm.croft("logs", "1")).stdout).toBe(`${odd}|${odd}|${farm.folder}|1`);
    expect(existsSync(join(farm.folder, "bad"))).toBe(false);
  });

  it("takes jobs from a shell whose last folder has a name that is no text", async () => {
    const farm = new TestFarm();
    await farm.serve();
    const job = "sh -c 'printf %s \"$PWD|${OLDPWD-none}\"'";
    const submitted = await farm.shell(`OLDPWD=$(printf '/a\\377b') croft submit --wait -- ${job}`);
    expect(submitted).toMatchObject({ status: 0, stderr: "" });
    expect((await farm.croft("logs", "1")).stdout).toBe(`${farm.folder}|none`);
  });

  it("tells a job what it has, also where that was changed while it waited", async () => {
    const farm = new TestFarm();
    await farm.serve();
    const print = ["sh", "-c", 'echo "$CROFT_JOB_CORES ${CROFT_JOB_MEMORY_MIB-none}"'];
    await farm.croft("submit", "--cores", "0.5", "--wait", "--", ...print);
    await farm.croft("submit", "--memory", "64M", "--hold", "--", ...print);
    await farm.croft("change", "2", "--cores", "0.25", "--memory", "32M");
    await farm.croft("release", "2");
    await farm.croft("wait", "2");
    expect((await farm.croft("logs", "1")).stdout).toBe("0.5 none\n");
    expect((await farm.croft("logs", "2")).stdout).toBe("0.25 32\n");
  });

  it("says that a script's options are not read, and that it is here and not in the PATH", async () => {
    const farm = new TestFarm();
    await farm.serve();
    writeFileSync(join(farm.folder, "job.sh"), "#!/bin/sh\n#SBATCH -c 4\n");
    const { status, stdout, stderr } = await farm.croft("submit", "job.sh");
    expect({ status, stdout }).toEqual({ status: 0, stdout: "1\n" });
    expect(stderr).toBe(
      "croft: job.sh is looked for in the PATH, not in this folder: ./job.sh is the one here\n" +
        "croft: the #SBATCH lines of job.sh are not read: give croft submit the options\n",
    );
  });

  it("leaves jobs running when it ends, in good order or not, and finds them again", async () => {
    const farm = new TestFarm();
    await farm.serve();
    const go = join(farm.folder, "go");
    const count = join(farm.folder, "count");
    const command = `echo run >>${count}; until [ -e ${go} ]; do sleep 0.05; done; exit 5`;
    await farm.client.send("POST", "/v1/jobs", { command: ["/bin/sh", "-c", command] });
    await untilRunning(farm);
    expect(await farm.kill("SIGTERM")).toBe(0);
    await farm.serve();
    expect(await farm.client.get("/v1/jobs/1")).toMatchObject({ state: "running" });
    await farm.kill("SIGKILL");
    await farm.serve();
    expect(await farm.client.get("/v1/jobs/1")).toMatchObject({ state: "running" });
    await farm.client.send("POST", "/v1/jobs", { command: ["/usr/bin/touch", go] });
    expect(await farm.client.get("/v1/jobs/1?wait=60")).toMatchObject({ state: "failed", exitStatus: 5 });
    expect(readFileSync(count, "utf8")).toBe("run\n");
  });

  it("submits a job once, also where the service dies before it has answered", async () => {
    const farm = new TestFarm();
    // It dies in its second turn, that of the submission: it is written and not answered.
    await farm.serve({ CROFT_CRASH_TRIALS: "1", CROFT_CRASH_AT: "before-answers:1" });
    const submitting = farm.croft("submit", "--", "true");
    await farm.end();
    await farm.serve();
    const { status, stdout, stderr } = await submitting;
    expect({ status, stdout }).toEqual({ status: 0, stdout: "1\n" });
    expect(stderr).toBe(
      "croft: the connection broke before the answer came: asking again, for the same jobs\n",
    );
    expect(await farm.client.get("/v1/jobs")).toHaveLength(1);
  });

  it("stops in good order while a job is being started, which then runs once", async () => {
    const farm = new TestFarm();
    const count = join(farm.folder, "count");
    for (let job = 1; job <= 3; job++) {
      await farm.serve();
      await farm.client.send("POST", "/v1/jobs", { command: ["/bin/sh", "-c", `echo ${job} >>${count}`] });
      expect(await farm.kill("SIGTERM")).toBe(0);
    }
    await farm.serve();
    for (let job = 1; job <= 3; job++)
      expect(await farm.client.get(`/v1/jobs/${job}?wait=60`)).toMatchObject({ state: "ended", attempt: 1 });
    expect(readFileSync(count, "utf8").split("\n").sort()).toEqual(["", "1", "2", "3"]);
  });

  it("stops at once at a second signal, and says so", async () => {
    const stopTwice = async (): ReturnType<TestFarm["end"]> => {
      const farm = new TestFarm();
      await farm.serve();
      const end = farm.end();
      // Both are there when it looks, in whichever order: the one that comes second counts.
      for (const signal of ["SIGSTOP", "SIGTERM", "SIGINT", "SIGCONT"] as const) farm.signal(signal);
      return end;
    };
    let { status, stderr } = await stopTwice();
    // On a busy machine it may have stopped in good order before the system delivers the second.
    for (let tries = 1; status === 0 && tries < 4; tries++) ({ status, stderr } = await stopTwice());
    expect([130, 143]).toContain(status);
    expect(stderr).toBe("croft: a second signal: stopped at once; jobs run on\n");
  });

  it("is told that there is no such pool or state to list jobs of", async () => {
    const farm = new TestFarm();
    await farm.serve();
    expect(await farm.croft("jobs", "--pool", "nope")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: 'croft: jobs are listed by the pool they are in, and none is "nope": there are local\n',
    });
    for (const command of ["jobs", "cancel"]) {
      const { status, stderr } = await farm.croft(command, "--state", "running,nope");
      expect(status).toBe(2);
      expect(stderr).toContain("option '--state <states>'");
      expect(stderr).toContain('There is no state "nope": there are waiting, held, starting');
    }
    expect(await farm.croft("jobs", "--pool", "local", "--json")).toMatchObject({
      status: 0,
      stdout: "[]\n",
    });
  });

  it("changes what a job that waits asks for", async () => {
    const farm = new TestFarm();
    await farm.serve();
    await farm.croft("submit", "--hold", "--memory", "1G", "--", "true");
    const changed = await farm.croft(
      "change",
      "1",
      "--cores",
      "0.5",
      "--memory",
      "2G",
      "--time",
      "1h",
      "--json",
    );
    expect(changed).toMatchObject({ status: 0, stderr: "" });
    expect(JSON.parse(changed.stdout)).toMatchObject([{ cores: 0.5, memoryMiB: 2048, timeSeconds: 3600 }]);
    const refused = await farm.croft("change", "1", "--cores", "100000");
    expect(refused).toMatchObject({
      status: 112,
      stderr:
        "croft: no machine of pool local could ever hold job 1 with that: it stays as it is, unless its pool is changed too\n",
    });
    const unlimited = await farm.croft("change", "99", "1", "--time", "none", "--json");
    // There is no job 99; job 1 is changed all the same.
    expect(unlimited).toMatchObject({ status: 111, stderr: "croft: there is no job 99\n" });
    expect(JSON.parse(unlimited.stdout)).toMatchObject([{ number: 1, timeSeconds: null }]);
    expect(await farm.croft("change", "1")).toMatchObject({ status: 2 });
  });

  it("is told that no farm is there", async () => {
    const farm = new TestFarm();
    const { status, stderr } = await farm.croft("jobs");
    expect(status).toBe(110);
    expect(stderr).toContain("no farm answers at");
  });

  it("refuses a second service on the same data", async () => {
    const farm = new TestFarm();
    await farm.serve();
    const { status, stderr } = await farm.croft("serve", "--data", join(farm.folder, "data"));
    expect(status).toBe(2);
    expect(stderr).toContain("another croft serve uses this data");
  });

  it.each([
    ["another command's", "{ kind: kubernetes, schedule: all, namespace: croft }", "croft schedule-pods"],
    ["without an image", "{ kind: kubernetes, namespace: croft }", "image: give the container image"],
    ["of an unknown engine", "{ kind: condor }", 'there is no engine "condor"'],
    ["with a wrong cgroup", "{ kind: local, cgroup: mine }", "cgroup: give auto, none"],
  ])("refuses a farm file that is %s, and makes no folder", async (_, engine, text) => {
    const farm = new TestFarm();
    const data = join(farm.folder, "nowhere", "data");
    const file = join(farm.folder, "wrong.yaml");
    writeFileSync(file, `pools: [{ name: north, engine: ${engine} }]\npreemption: { victim: none }\n`);
    const { status, stderr } = await farm.croft("serve", "--farm", file, "--data", data);
    expect([status, stderr]).toEqual([2, expect.stringContaining(text)]);
    expect(existsSync(dirname(data))).toBe(false);
  });

  it("refuses a data folder that cannot be made", async () => {
    const { status, stderr } = await new TestFarm().croft("serve", "--data", "/proc/nope/data");
    expect(status).toBe(2);
    expect(stderr).toContain("/proc/nope/data: the folder cannot be made");
  });
});

async function untilRunning({ client }: TestFarm): Promise<void> {
  for (;;) {
    const { state } = await client.get<JobView>("/v1/jobs/1?wait=0.05");
    if (state === "running") return;
  }
}
