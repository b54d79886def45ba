import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { beforeAll, describe, expect, it } from "vitest";

import type { RunResult } from "../../src/simulation/index.ts";
import { busyLog, croftIn, temporaryFolder } from "./croft.fixture.ts";

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
  writeFileSync(join(folder, "columns.csv"), "node,from,to\na-1,1,2\n");
  writeFileSync(join(folder, "unknown.csv"), "machine,down,up\na-9,0,1\n");
  writeFileSync(join(folder, "overlap.csv"), "machine,down,up\na-1,0,10\na-1,9,20\n");
  writeFileSync(join(folder, "wrong.csv"), "a-1,soon,1\n");
  writeFileSync(join(folder, "never.csv"), "a-1,5,5\n");
  writeFileSync(join(folder, "down.csv"), "a-1,100,1970-01-01 00:10\nb-2,0,400\n");
  const lines = ["submit,runtime,cores,memory,priority,pools,requires"];
  for (let i = 0; i < 60; i++) {
    const isUrgent = i % 3 === 2;
    lines.push(
      `${i * 20},${300 + i},${1 + (i % 2)},512,${isUrgent ? 5 : 0},${isUrgent ? "a" : ""},os == "linux"`,
    );
  }
  writeFileSync(
    join(folder, "licences.yaml"),
    farm.replaceAll("    interval", "    licences: { matlab: 2 }\n    interval"),
  );
  writeFileSync(
    join(folder, "licences.csv"),
    "job,submit,runtime,cores,memory,pools,licences\n" +
      "1,0,100,1,64,a,matlab=2\n2,1,10,1,64,a,matlab\n3,2,10,1,64,a,\n4,3,10,1,64,,matlap\n",
  );
  writeFileSync(join(folder, "two.csv"), "submit,runtime,cores,memory\n0,300,1,512\n20,301,2,512\n");
  writeFileSync(join(folder, "plain.csv"), busyLog(60));
  writeFileSync(join(folder, "log.csv"), `${lines.join("\n")}\n`);
});

describe("croft simulate --farm", () => {
  it("tells that estimates have no effect where nothing looks at run times", async () => {
    const remarkFor = async (...options: string[]): Promise<string> => {
      const { stderr } = await croft(
        ["simulate", "log.csv", "--farm", "farm.yaml", "--estimates", "2", "--quiet", "--json"],
        options,
      );
      // Owners come before others, so that a promise may be broken: that is told too.
      return stderr.replaceAll(/^log: .* later than first promised, .*\n/gm, "");
    };
    const noEffect =
      "only backfilling plans with run times, and no routing or strategy of the runs looks at them\n";
    expect(await remarkFor("--strategy", "NoRes,ResSusWaitUtil")).toBe(
      `--estimates has no effect: ${noEffect}`,
    );
    expect(await remarkFor("--policy", "easy,first-fit")).toBe(
      `--estimates has no effect on first-fit: ${noEffect}`,
    );
    for (const options of ["--routing combined", "--strategy ResSusWaitScore", "--policy easy"])
      expect(await remarkFor(...options.split(" "))).toBe("");
  });

  it("serves projects by what they have used where the file says so, and tells where that is idle", async () => {
    // One job of each project after the first, which has used a core for 100 s.
    const jobs = [100, 10, 10].map((run, i) => `0,${run},1,${i < 2 ? "/a" : "/b"}`);
    writeFileSync(join(folder, "projects.csv"), ["submit,runtime,cores,project", ...jobs, ""].join("\n"));
    writeFileSync(join(folder, "nobody.csv"), "submit,runtime,cores\n0,10,1\n");
    const pool = (more: string): string => `pools: [{ name: p, machines: [1x1c1g], shares: {}${more} }]\n`;
    writeFileSync(join(folder, "running.yaml"), pool(""));
    writeFileSync(join(folder, "usage.yaml"), pool(", fairShare: usage, halfLife: 1h"));
    writeFileSync(join(folder, "memory.yaml"), pool(", fairShare: usage, fairShareOf: memory"));
    const run = (log: string, farm: string) =>
      croft("simulate", log, "--farm", farm, "--schedule", "by-use.csv", "--interval", "0", "--quiet");
    const order = (): string[] =>
      readFileSync(join(folder, "by-use.csv"), "utf8")
        .trim()
        .split("\n")
        .slice(1)
        .map((line) => line.split(",")[2]);
    expect((await run("projects.csv", "running.yaml")).status).toBe(0);
    expect(order()).toEqual(["0", "100", "110"]);
    expect((await run("projects.csv", "usage.yaml")).status).toBe(0);
    expect(order()).toEqual(["0", "110", "100"]);
    expect((await run("nobody.csv", "usage.yaml")).stderr).toContain(
      "the farm's shares have no effect: the workload names no projects\n",
    );
    expect(await run("projects.csv", "memory.yaml")).toMatchObject({
      status: 2,
      stderr: "croft: pool p of farm memory shares by memory, and workload projects tells none\n",
    });
  });

  it("tells of a seed, of pools in detail and of memory that nothing has a use for", async () => {
    writeFileSync(join(folder, "no-memory.csv"), "submit,runtime,cores\n0,300,1\n");
    writeFileSync(
      join(folder, "cores-only.yaml"),
      "pools: [{ name: a, machines: [1x2c] }, { name: b, machines: [1x2c] }]\n",
    );
    const remarkFor = async (...options: string[]): Promise<string> => {
      const { status, stderr } = await croft(["simulate", "--quiet", "no-memory.csv"], options);
      expect(status).toBe(0);
      return stderr;
    };
    const farm = ["--farm", "cores-only.yaml"];
    const nothingDrawn =
      "--seed has no effect: no routing or strategy of the runs draws at random, and no machine fails at random\n";
    expect(await remarkFor(...farm, "--seed", "2", "--strategy", "ResSusUtil")).toBe(nothingDrawn);
    expect(await remarkFor(...farm, "--seed", "2", "--strategy", "ResSusUtil,ResSusRand")).toBe("");
    expect(await remarkFor(...farm, "--seed", "2", "--failures", "mtbf=5m,mttr=1m")).toBe("");
    const noneDown =
      "--failures has no effect: no machine was down between the first submission and the last completion\n";
    writeFileSync(join(folder, "later.csv"), "a-1,9999,10000\n");
    writeFileSync(join(folder, "packed.csv.gz"), gzipSync("a-1,0,50\n"));
    expect(await remarkFor(...farm, "--failures", "later.csv")).toBe(noneDown);
    expect(await remarkFor(...farm, "--failures", "packed.csv.gz")).toBe("");
    const forOutput = "--pool-detail has no effect: it is for --json and the report of --out\n";
    expect(await remarkFor(...farm, "--pool-detail")).toBe(forOutput);
    expect(await remarkFor(...farm, "--pool-detail", "--json")).toBe("");
    const plugin =
      "export default { strategies: [{ name: 'mine', summary: '', onSuspension: null, onLongWait: null }] };";
    writeFileSync(join(folder, "idle.mjs"), plugin);
    expect(await remarkFor(...farm, "--plugin", "idle.mjs")).toBe(
      "--plugin has no effect: no run, pool or job names anything of it\n",
    );
    expect(await remarkFor(...farm, "--plugin", "idle.mjs", "--strategy", "mine")).toBe("");
    expect(await remarkFor(...farm, "--scale-memory", "2")).toBe(
      "--scale-memory has no effect: the machines have no memory\n",
    );
  });

  it("names jobs by the log's own numbers, in figures and in messages", async () => {
    writeFileSync(
      join(folder, "numbered.csv"),
      "job,submit,runtime,cores,memory,priority,pools\n1001,0,100,2,64,0,a\n1002,10,50,2,64,5,a\n",
    );
    writeFileSync(join(folder, "nowhere.csv"), "job,submit,runtime,cores,memory,pools\n77,0,1,1,64,z\n");
    const pool = "{ name: a, interval: 0, machines: [1x2c1g] }";
    writeFileSync(join(folder, "one-machine.yaml"), `pools: [${pool}]\n`);
    const run = await croft("simulate", "numbered.csv", "--farm", "one-machine.yaml", "--json");
    const [{ longestSuspended }] = (JSON.parse(run.stdout) as { runs: readonly RunResult[] }).runs;
    expect(longestSuspended).toMatchObject([{ job: 1001, suspendedSeconds: 50 }]);
    const { status, stderr } = await croft("simulate", "nowhere.csv", "--farm", "one-machine.yaml");
    expect(status).toBe(2);
    expect(stderr).toContain('job 77 names the pool "z", which farm one-machine does not have');
  });

  it("runs no policy for comparison with the record that cannot run there, and says so", async () => {
    writeFileSync(
      join(folder, "recorded.csv"),
      "submit,wait,runtime,cores,memory,estimate,licences\n0,0,100,1,64,100,matlab\n1,99,100,2,64,100,matlab\n",
    );
    const licences = await croft(
      ["simulate", "recorded.csv", "--farm", "licences.yaml", "--json"],
      ["--policy", "first-fit,best-fit-cores"],
    );
    expect(licences.status).toBe(0);
    const { fidelity } = JSON.parse(licences.stdout) as { fidelity: { policy: string } };
    expect(fidelity.policy).toBe("easy");
    const speeds = await croft(
      ["simulate", "recorded.csv", "--machines", "2x2c1g", "--policy", "GreedyPM */per"],
      ["--node-speeds", "1x1,1x0.5"],
    );
    expect(speeds.status).toBe(0);
    expect(speeds.stderr).toContain(
      "not run to compare with the record: easy: --node-speeds: it is for policies that share nodes in parts",
    );
  });

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
    expect(stdout).toMatch(/^policy +wait +wait p95 +/m);
    expect(stdout).toMatch(/^run +suspended jobs +done after +all +stopped for +wasted +/m);
    expect(stdout.match(/^ResSusWaitUtil +/gm)).toHaveLength(2);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  it("writes reports and schedule files, told apart by policy, strategy and load", async () => {
    const { status, stdout } = await croft(
      ["simulate", "log.csv", "--farm", "farm.yaml", "--quiet", "--json", "--preset", "simba"],
      ["--policy", "first-fit,easy", "--strategy", "NoRes,ResSusUtil", "--load", "0.8,1.1"],
      ["--out", "report", "--schedule", "schedule.csv", "--scale-cores", "2", "--scale-memory", "2"],
    );
    expect(status).toBe(0);
    const { farm, runs } = JSON.parse(stdout) as { farm: object; runs: Record<string, unknown>[] };
    expect(farm).toMatchObject({ cores: 16 });
    expect(runs.map(({ policy, strategy }) => `${String(policy)} ${String(strategy)}`)).toEqual(
      Array.from({ length: 2 }, () => [
        "first-fit NoRes",
        "first-fit ResSusUtil",
        "easy NoRes",
        "easy ResSusUtil",
      ]).flat(),
    );
    for (const run of runs) expect(run["intervalSeconds"]).toBe(10);
    const rows = readFileSync(join(folder, "schedule.csv"), "utf8").trimEnd().split("\n");
    expect(rows[0]).toBe(
      "policy,strategy,load,job,submit,start,end,machine,outcome,promised,cores,tasks,memoryMiB,user,runtimeSeconds,estimateSeconds,recordedWaitSeconds,counted",
    );
    expect(rows).toHaveLength(1 + 8 * 60);
    expect(rows[61]).toMatch(/^first-fit,ResSusUtil,0.8,1,0,0,\d+,[ab]-\d,done,,/);
    const html = readFileSync(join(folder, "report", "report.html"), "utf8");
    for (const text of ["easy, ResSusUtil", "Suspended, moved and lost", "By priority", "By pool"])
      expect(html).toContain(text);
    const results = JSON.parse(readFileSync(join(folder, "report", "results.json"), "utf8")) as {
      runs: object[];
    };
    expect(results.runs[0]).toHaveProperty("byPool");
  });

  it("gives out licences, explains who waits for them, and says where they have no effect", async () => {
    const run = await croft(
      ["simulate", "licences.csv", "--farm", "licences.yaml", "--quiet", "--json"],
      ["--schedule", "licences-schedule.csv"],
    );
    expect(run.status).toBe(0);
    const { runs } = JSON.parse(run.stdout) as { runs: { rejections: object[] }[] };
    expect(runs[0].rejections).toEqual([
      { reason: "asks for 1 of the licence matlap; the pool has none", jobs: 1 },
    ]);
    const rows = readFileSync(join(folder, "licences-schedule.csv"), "utf8").trimEnd().split("\n");
    expect(rows.slice(1, 4).map((row) => row.split(",").slice(0, 3).join())).toEqual([
      "1,0,0",
      "2,1,100",
      "3,2,2",
    ]);
    const onFarm = ["licences.csv", "--farm", "licences.yaml"];
    const [why, easy, all, none, machines] = await Promise.all([
      croft("explain", "2", onFarm),
      croft("simulate", onFarm, "--policy", "easy-sjbf"),
      croft("simulate", onFarm, "--policy", "all"),
      croft("simulate", "licences.csv", "--farm", "farm.yaml"),
      croft("simulate", "licences.csv", "--machines", "2x2c4g", "--policy", "easy"),
    ]);
    expect(why.stdout).toContain("- it asks for 1 of the licence matlab, of which 2 of 2 are in use");
    expect(easy.status).toBe(2);
    expect(easy.stderr).toMatch(
      /^croft: policy easy-sjbf promises jobs when they will start, and does not know/,
    );
    expect(all.status).toBe(0);
    expect(all.stderr).toContain(
      "left out, as they do not know when licences will be free: easy-sjbf, easy++",
    );
    for (const { status, stderr } of [none, machines]) {
      expect(status).toBe(0);
      expect(stderr).toContain("the workload's column licences has no effect: no pool has licences");
    }
  });

  it("lets machines fail by a file, whose times are seconds or dates", async () => {
    const args = ["simulate", "log.csv", "--farm", "farm.yaml", "--quiet", "--failures", "down.csv"];
    const [json, table] = await Promise.all([croft(args, "--json"), croft(args, "--out", "failures")]);
    const { runs } = JSON.parse(json.stdout) as { runs: Record<string, number>[] };
    // Jobs 1 and 3, of a core each, run on a-1 from 0 and 40 until 100 s. 500 s and 400 s of 2 cores are missing.
    expect(runs[0]).toMatchObject({
      lostJobs: 2,
      losses: 2,
      unavailableCoreHours: (2 * 500 + 2 * 400) / 3600,
    });
    expect(runs[0]["repeatedCoreHours"]).toBeCloseTo((100 + 60) / 3600, 12);
    expect(table.stdout).toMatch(
      /^run +load +jobs lost +attempts lost +core-hours repeated +core-hours unavailable$/m,
    );
    const html = readFileSync(join(folder, "failures", "report.html"), "utf8");
    expect(html).toContain("Core-hours repeated");
  });

  it("draws failures by a seed", async () => {
    const run = async (seed: string): Promise<number> => {
      const model = ["--failures", "mtbf=20m,mttr=2m,shape=0.8", "--seed", seed];
      const { stdout } = await croft(
        "simulate",
        "plain.csv",
        "--machines",
        "4x2c4g",
        "--policy",
        "first-fit",
        model,
        "--json",
      );
      return (JSON.parse(stdout) as { runs: { unavailableCoreHours: number }[] }).runs[0]
        .unavailableCoreHours;
    };
    const [first, again, other] = await Promise.all([run("1"), run("1"), run("2")]);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it.each([
    [
      ["--farm", "wrong.yaml"],
      /wrong\.yaml:9:27: rescheduling\.strategy: .*ResSusUtl.*did you mean ResSusUtil/,
    ],
    [["--farm", "farm.yaml", "--strategy", "Res"], /unknown rescheduling strategy "Res"/],
    [["--farm", "farm.yaml", "--routing", "random"], /unknown routing "random"/],
    [["--farm", "farm.yaml", "--machines", "1x1c"], /--machines and --farm both say what to run on/],
    [["--farm", "farm.yaml", "--policy", "eazy"], /unknown policy "eazy"; did you mean easy/],
    [
      ["--farm", "farm.yaml", "--preset", "pyss"],
      /--preset pyss: it is for one pool, and the farm has several/,
    ],
    [["--farm", "farm.yaml", "--clock", "order"], /--clock order: it is for one pool/],
    [
      ["--farm", "farm.yaml", "--machine-memory-unit", "GiB"],
      /--machine-memory-unit: a farm file tells the unit/,
    ],
    [["--farm", "farm.yaml", "--policy", "Greedy *"], /policy Greedy \*: equal nodes are a list of machines/],
    [
      ["--farm", "farm.yaml", "--failures", "mtbf=1h"],
      /--failures: mttr is missing: give --failures mtbf=30d,mttr=4h/,
    ],
    [
      ["--farm", "farm.yaml", "--failures", "unknown.csv"],
      /unknown\.csv:2: there is no machine "a-9"; did you mean a-1/,
    ],
    [
      ["--farm", "farm.yaml", "--failures", "overlap.csv"],
      /overlap\.csv:3: machine a-1 is down already by line 2/,
    ],
    [
      ["--farm", "farm.yaml", "--failures", "columns.csv"],
      /columns\.csv:1: the columns are machine,down,up, and not node,from,to/,
    ],
    [["--farm", "farm.yaml", "--failures", "wrong.csv"], /wrong\.csv:1: "soon" is not a time/],
    [
      ["--farm", "farm.yaml", "--failures", "never.csv"],
      /never\.csv:1: machine a-1 is up again no later than/,
    ],
    [["--farm", "none.yaml"], /none\.yaml/],
    [[], /--machines, or --farm/],
    [
      ["--machines", "1x1c", "--strategy", "NoRes"],
      /--strategy: there is one pool, .* give a farm of several pools with --farm/,
    ],
    [["--machines", "1x1c", "--pool-detail"], /--pool-detail: it is for the pools of a farm/],
    [["--farm", "silent.yaml"], /silent\.yaml:1:46: pools\[0\]\.policy: mix-fit decides by memory/],
  ])("refuses %j", async (args, message) => {
    const { status, stdout, stderr } = await croft(["simulate", "log.csv"], args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});

interface Step {
  readonly machines?: readonly string[];
}

describe("a farm with owners", () => {
  it("is told of owners that no job belongs to", async () => {
    const owned =
      "pools: [{ name: a, machines: [{ count: 2, cores: 4, owner: cpu }, { count: 1, cores: 4, owner: gpu }] }]\n";
    writeFileSync(join(folder, "owned.yaml"), owned);
    writeFileSync(join(folder, "grouped.csv"), "submit,runtime,cores,group\n0,10,1,cpu\n5,10,1,net\n");
    const { status, stderr } = await croft("simulate", "grouped.csv", "--farm", "owned.yaml");
    expect(status).toBe(0);
    expect(stderr).toContain("owned: no job is of a group that owns machines: gpu\n");
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

  it("tells it of a run on one pool", async () => {
    const { status, stdout } = await croft(["explain", "10", "plain.csv", "--machines", "1x8c32g"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^memory: machine m1 is too full for it.*\nIt waited: 3\.00 min cores, .*\n[^]*cycles passed it by:\n {2}cores: machine m1 is too full for it: .*\n {2}- 1 machine is too full; nearest is \S+, which lacks /m,
    );
  });

  it("tells of those that waited longest, the longest first, and of all jobs of a number", async () => {
    const args = ["plain.csv", "--machines", "machines.csv", "--json"];
    writeFileSync(join(folder, "machines.csv"), "big-node,8,32768\n");
    const longest = await croft(["explain", "--longest", "3"], args);
    const explained = JSON.parse(longest.stdout) as {
      submitSeconds: number;
      startSeconds: number;
      steps: Step[];
    }[];
    const waits = explained.map(({ submitSeconds, startSeconds }) => startSeconds - submitSeconds);
    expect(waits).toHaveLength(3);
    expect(waits).toEqual([...waits].sort((a, b) => b - a));
    expect(explained[0].steps.at(-1)!.machines).toEqual(["big-node"]);

    writeFileSync(join(folder, "twice.csv"), "job,submit,runtime,cores\n7,0,10,1\n7,40,10,1\n8,50,10,1\n");
    const both = await croft("explain", "7", "twice.csv", "--machines", "1x8c");
    expect(both.stdout.match(/^Job 7, submitted at (0|40) s/gm)).toHaveLength(2);
    expect(both.stderr).toContain("twice: jobs of the number 7: 2");
  });

  it("says that a job waited for the pool's next cycle", async () => {
    // Submitted at 20 s to an empty machine, whose cycles are 30 s apart.
    const { stdout } = await croft(["explain", "2", "two.csv", "--machines", "2x2c4g"]);
    expect(stdout).toMatch(
      /\+0 s {2}waiting in 2x2c4g for 10\.0 s\n.*\n {2}the pool had no cycle until then\n/,
    );
  });

  it.each([
    [["61"], /no job 61; its jobs are 1 to 60/],
    [["x"], /"x" is no job: give its number in the log/],
    [["20", "--longest", "2"], /--longest says which jobs: leave out the job's number/],
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
    ["GreedyQ *", 'croft: policy "GreedyQ *": before the first slash there can be nothing, '],
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
    expect(stderr).toMatch(/^croft: explain: only runs of a pool that gives out cores and memory /);
  });
});
