import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);

const farm = `
pools:
  - name: a
    machines: [{ count: 2, cores: 2, memory: 4 GiB, attributes: { os: linux } }]
    interval: 0
  - name: b
    machines: [{ count: 2, cores: 2, memory: 4 GiB, attributes: { os: linux } }]
    interval: 0
`;

beforeAll(() => {
  writeFileSync(join(folder, "farm.yaml"), farm);
  writeFileSync(join(folder, "wrong.yaml"), `${farm}rescheduling: { strategy: ResSusUtl }\n`);
  writeFileSync(join(folder, "silent.yaml"), "pools: [{ name: a, machines: [1x1c], policy: mix-fit }]\n");
  const lines = ["submit,runtime,cores,memory,priority,pools,requires"];
  for (let i = 0; i < 60; i++) {
    const isUrgent = i % 3 === 2;
    lines.push(
      `${i * 20},${300 + i},${1 + (i % 2)},512,${isUrgent ? 5 : 0},${isUrgent ? "a" : ""},os == "linux"`,
    );
  }
  writeFileSync(join(folder, "log.csv"), `${lines.join("\n")}\n`);
});

describe("croft simulate --farm", () => {
  it("prints the figures of every strategy as JSON", async () => {
    const strategies = ["--strategy", "NoRes,ResSusUtil", "--strategy", "ResSusWaitRand"];
    const { status, stdout, stderr } = await croft(
      ["simulate", "log.csv", "--farm", "farm.yaml", "--json", "--quiet"],
      strategies,
    );
    expect([status, stderr]).toEqual([0, ""]);
    const { farm, runs } = JSON.parse(stdout) as { farm: object; runs: Record<string, number | string>[] };
    expect(farm).toMatchObject({ name: "farm", pools: 2, machines: 4, cores: 8 });
    expect(runs.map(({ strategy }) => strategy)).toEqual(["NoRes", "ResSusUtil", "ResSusWaitRand"]);
    for (const run of runs) {
      expect(run).toMatchObject({ routing: "round-robin", jobs: 60, rejected: 0 });
      const parts = ["wastedWaitMinutes", "wastedSuspendMinutes", "wastedRestartMinutes"] as const;
      const sum = parts.reduce((total, part) => total + (run[part] as number), 0);
      expect(run["wastedMeanMinutes"]).toBeCloseTo(sum, 9);
      expect(run["suspendRate"]).toBeGreaterThan(0);
      for (const field of ["completionMeanSuspendedMinutes", "completionMeanMinutes", "suspendedMeanMinutes"])
        expect(typeof run[field]).toBe("number");
    }
  });

  it("prints a table", async () => {
    const { status, stdout } = await croft([
      "simulate",
      "log.csv",
      "--farm",
      "farm.yaml",
      "--strategy",
      "all",
      "--routing",
      "utilization",
      "--quiet",
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^strategy +routing +suspended +CT susp\. +CT all +ST +wasted +/m);
    expect(stdout).toMatch(/^ResSusWaitUtil +utilization /m);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  it.each([
    [
      ["--farm", "wrong.yaml"],
      /wrong\.yaml:9:27: rescheduling\.strategy: .*ResSusUtl.*did you mean ResSusUtil/,
    ],
    [["--farm", "farm.yaml", "--strategy", "Res"], /unknown rescheduling strategy "Res"/],
    [["--farm", "farm.yaml", "--routing", "random"], /unknown routing "random"/],
    [["--farm", "farm.yaml", "--policy", "easy"], /'--farm <file>' cannot be used with option '--policy/],
    [["--farm", "none.yaml"], /none\.yaml/],
    [[], /--machines, or --farm/],
    [["--machines", "1x1c", "--strategy", "NoRes"], /--strategy is for farms of several pools: give --farm/],
    [["--machines", "1x1c", "--pool-detail"], /--pool-detail is for farms/],
    [["--farm", "silent.yaml"], /silent\.yaml:1:46: pools\[0\]\.policy: mix-fit decides by memory/],
  ])("refuses %j", async (args, message) => {
    const { status, stdout, stderr } = await croft(["simulate", "log.csv"], args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});

describe("croft explain", () => {
  it("tells what became of a job on a farm, as text and as JSON", async () => {
    const args = ["log.csv", "--farm", "farm.yaml", "--strategy", "ResSusUtil"];
    const text = await croft(["explain", "20"], args);
    expect([text.status, text.stderr]).toEqual([0, ""]);
    expect(text.stdout).toMatch(/^Job 20, submitted at 380 s/);
    expect(text.stdout).toMatch(/its virtual pool chose the pool \(round-robin\)/);
    expect(text.stdout).toMatch(/With this policy in all pools it would have started:/);
    const json = await croft(["explain", "20"], args, ["--json"]);
    const explanation = JSON.parse(json.stdout) as Record<string, unknown>;
    expect(explanation).toMatchObject({ job: 20, submitSeconds: 380 });
    expect(explanation["steps"]).toMatchObject([{ doing: "waiting" }, {}]);
  });

  it("tells it of a run on one pool, where the farm's columns do not count", async () => {
    const { status, stdout } = await croft(["explain", "10", "log.csv", "--machines", "1x2c4g"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/cycles passed it by:\n {2}- 1 machine is too full; nearest is \S+, which lacks /);
  });

  it("says that a job waited for the pool's next cycle", async () => {
    // Submitted at 20 s to an empty machine, whose cycles are 30 s apart.
    const { stdout } = await croft(["explain", "2", "log.csv", "--machines", "2x2c4g"]);
    expect(stdout).toMatch(
      /\+0 s {2}waiting in 2x2c4g for 10\.0 s\n.*\n {2}the pool had no cycle until then\n/,
    );
  });

  it.each([
    [["61"], /no job 61; its jobs are 1 to 60/],
    [["x"], /Give a number/],
  ])("refuses job %j", async (job, message) => {
    const { status, stderr } = await croft(["explain"], job, ["log.csv", "--farm", "farm.yaml"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(message);
  });

  it.each([
    [
      "greedypm*/per",
      'croft: policy "greedypm*/per" shares nodes in parts, and this is for policies of a pool only',
    ],
    [
      "whole-node/fcfs",
      'croft: policy "whole-node/fcfs" gives every task a whole node, and this is for policies of a pool only, such as fcfs;',
    ],
    ["GreedyQ *", 'croft: policy "GreedyQ *": before the first slash stands nothing, '],
  ])("says of policy %s that it is not a pool's", async (policy, message) => {
    const { status, stderr } = await croft([
      "explain",
      "1",
      "log.csv",
      "--machines",
      "2x2c4g",
      "--policy",
      policy,
    ]);
    expect(status).toBe(2);
    expect(stderr.startsWith(message)).toBe(true);
  });

  it("does not tell another run than the one of a log in parts of nodes", async () => {
    writeFileSync(join(folder, "parts.txt"), "1 0 1 0.5 0.5 100\n");
    const args = ["explain", "1", "parts.txt", "--format", "tasks", "--machines", "1x4c"];
    const { status, stdout, stderr } = await croft(args, "--policy", "easy");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^croft: parts\.txt: its jobs ask for parts of nodes, /);
  });
});
