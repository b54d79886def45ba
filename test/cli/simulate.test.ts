import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

import { parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";

import type { RunResult } from "../../src/simulation/index.ts";
import { readWorkload, workloadWriters, type RecordedFarm } from "../../src/workload/index.ts";
import { busyLog, croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
writeFileSync(join(folder, "busy.csv"), busyLog(2000));
writeFileSync(
  join(folder, "three.csv"),
  "submit,runtime,cores,memory\n0,10,1,100\n1,20.5,2,200\n2,1,100,1\n",
);
const farm = "8x8c32g";

interface Printed {
  readonly workload: Record<string, unknown>;
  readonly runs: readonly RunResult[];
  readonly recorded?: Record<string, unknown>;
  readonly fidelity?: Record<string, unknown>;
  readonly verdict: {
    readonly baseline: string;
    readonly sentence: string;
    readonly unseen: readonly string[];
    readonly cautions: readonly string[];
  };
}

const json = (text: string): Printed => JSON.parse(text) as Printed;
/** The figures that measure the simulator itself differ from run to run. */
const untimed = ({ runs, ...rest }: Printed): unknown => ({
  ...rest,
  runs: runs.map(({ simulationSeconds: _s, simulatedJobsPerSecond: _r, ...run }) => run),
});

describe("simulate --json", () => {
  it("prints one object: the workload, and the figures of every run", async () => {
    const { status, stdout, stderr } = await croft("simulate", "three.csv", "--machines", farm, "--json");
    expect(status).toBe(0);
    const { workload, runs, verdict, ...others } = json(stdout);
    expect(others).toEqual({});
    expect(verdict).toMatchObject({ baseline: "first-fit", offeredLoad: 51 / 128 });
    expect(workload).toEqual({
      name: "three",
      synthetic: false,
      format: "csv",
      jobs: 3,
      dropped: { count: 0, reasons: [] },
      columns: ["submit", "runtime", "cores", "memory"],
      spanSeconds: 2,
      // (1 × 10 s + 2 × 20.5 s) ÷ (64 cores × 2 s): no machine has 100 cores.
      offeredLoad: 51 / 128,
      notes: [],
    });
    expect(runs.map(({ policy }) => policy)).toEqual([
      "first-fit",
      "best-fit-memory",
      "worse-fit-memory",
      "best-fit-cores",
      "worse-fit-cores",
      "mix-fit",
      "max-jobs",
    ]);
    for (const run of runs) {
      // Cycles at 0 and 30 s: waits of 0 and 29 s.
      expect(run).toMatchObject({
        jobs: 3,
        started: 2,
        rejected: 1,
        waitMeanSeconds: 14.5,
        offeredLoad: 51 / 128,
      });
      expect(run.slowdownMean).toBeCloseTo((1 + 49.5 / 20.5) / 2, 12);
      expect(run).not.toHaveProperty("series");
    }
    expect(Object.keys(runs.at(-1)?.wins ?? {})).toContain("mix-fit");
    expect(stderr).toBe("three: rejected: asks for 100 cores on one machine; the largest has 8: 1\n");
  });

  it("gives the same figures and the same schedule to the byte, whatever the threads", async () => {
    const args = ["simulate", "busy.csv", "--machines", farm, "--json", "--load", "0.8,1.1"];
    const policies = ["--policy", "first-fit,mix-fit,max-jobs", "--schedule"];
    const [one, many] = await Promise.all([
      croft(...args, ...policies, "one-thread.csv", "--threads", "1"),
      croft(...args, ...policies, "threads.csv", "--threads", "4"),
    ]);
    const order = ["first-fit", "mix-fit", "max-jobs"];
    expect(json(one.stdout).runs.map(({ policy }) => policy)).toEqual([...order, ...order]);
    expect(untimed(json(many.stdout))).toEqual(untimed(json(one.stdout)));
    const [a, b] = ["one-thread.csv", "threads.csv"].map((name) => readFileSync(join(folder, name), "utf8"));
    expect(a?.split("\n")).toHaveLength(1 + 6 * 2000 + 1);
    expect(a === b).toBe(true);
  });

  it("reaches the loads that were asked for", async () => {
    const { stdout } = await croft(
      ["simulate", "busy.csv", "--machines", farm, "--json", "--policy", "first-fit"],
      ["--load", "0.5", "--load", "0.9,1.2"],
    );
    const loads = json(stdout).runs.map(({ offeredLoad }) => offeredLoad);
    expect(loads).toHaveLength(3);
    for (const [at, load] of [0.5, 0.9, 1.2].entries()) expect(loads[at]).toBeCloseTo(load, 12);
  });

  it("leaves out the policies that need memory where there is none, and says so", async () => {
    const { status, stdout, stderr } = await croft("simulate", "busy.csv", "--machines", "8x8c", "--json");
    expect(status).toBe(0);
    expect(json(stdout).runs.map(({ policy }) => policy)).toEqual([
      "first-fit",
      "best-fit-cores",
      "worse-fit-cores",
      "easy",
    ]);
    expect(stderr).toContain("left out, as machines 8x8c has no memory: best-fit-memory");
  });

  it("does not overwrite what it reads", async () => {
    writeFileSync(join(folder, "own.csv"), "submit,runtime,cores\n0,1,1\n");
    symlinkSync("own.csv", join(folder, "link.csv"));
    mkdirSync(join(folder, "logs"));
    writeFileSync(join(folder, "logs", "day.csv"), "submit,runtime,cores\n0,1,1\n");
    for (const [log, schedule] of [
      ["own.csv", "own.csv"],
      ["own.csv", "link.csv"],
      ["link.csv", "./own.csv"],
      ["logs", "logs/day.csv"],
    ]) {
      const run = await croft("simulate", log, "--machines", "1x1c", "--schedule", schedule);
      expect([run.status, run.stderr]).toEqual([
        2,
        `croft: ${schedule}: is read by this command: write to another file\n`,
      ]);
    }
    const converted = await croft("workload", "convert", "own.csv", "link.csv");
    expect([converted.status, converted.stderr]).toEqual([
      2,
      "croft: link.csv: is read by this command: write to another file\n",
    ]);
    for (const file of ["own.csv", "logs/day.csv"])
      expect(readFileSync(join(folder, file), "utf8")).toBe("submit,runtime,cores\n0,1,1\n");
  });

  it("says that it replaces a file that is there", async () => {
    const log = "submit,runtime,cores\n0,1,1\n";
    writeFileSync(join(folder, "fresh.csv"), log);
    const simulated = ["simulate", "fresh.csv", "--machines", "1x1c", "--quiet", "--schedule", "starts.csv"];
    expect((await croft(simulated)).stderr).not.toContain("in place of");
    expect((await croft(simulated)).stderr).toContain(
      "starts.csv: written, in place of the file that was there\n",
    );
    const converted = ["workload", "convert", "fresh.csv", "copy.csv"];
    expect((await croft(converted)).stderr).not.toContain("in place of");
    expect((await croft(converted)).stderr).toContain(
      "copy.csv: 1 job written as csv, in place of the file that was there\n",
    );
  });

  it("refuses a value that would take the place of another, and a misspelt one", async () => {
    const run = ["simulate", "three.csv", "--machines", farm];
    for (const [more, message] of [
      [["--estimates", "exact", "--estimates", "2"], "--estimates is given exact and 2, of which only"],
      [["--machines", "1x1c"], `--machines is given ${farm} and 1x1c, of which only`],
      [["--fair-share", "useage"], '--fair-share: "useage" is none of running, usage'],
    ] as const) {
      const { status, stdout, stderr } = await croft(run, [...more]);
      expect([status, stdout]).toEqual([2, ""]);
      expect(stderr).toContain(`croft: ${message}`);
    }
  });

  it("runs a policy once, whatever name it is given by", async () => {
    const { stdout } = await croft(
      ["simulate", "busy.csv", "--machines", farm, "--json"],
      ["--policy", "worst-fit-cores,worse-fit-cores,easy/worst-fit-cores"],
    );
    expect(json(stdout).runs.map(({ policy }) => policy)).toEqual([
      "worse-fit-cores",
      "easy/worse-fit-cores",
    ]);
  });

  it("tells of one policy under two names", async () => {
    const { status, stderr } = await croft(
      ["simulate", "busy.csv", "--machines", farm, "--quiet"],
      ["--policy", "easy,easy/first-fit,easy/best-fit-cores,fcfs"],
    );
    expect([status, stderr]).toEqual([0, "easy and easy/first-fit are the same policy\n"]);
  });

  it("lets options override a preset", async () => {
    const args = ["simulate", "busy.csv", "--machines", farm, "--policy", "first-fit", "--json"];
    const [preset, overridden, plain] = await Promise.all([
      croft(...args, "--preset", "simba"),
      croft(...args, "--preset", "simba", "--interval", "1m", "--reservations", "all"),
      croft(...args, "--interval", "60"),
    ]);
    expect(json(preset.stdout).runs[0]?.intervalSeconds).toBe(10);
    expect(json(overridden.stdout).runs[0]?.intervalSeconds).toBe(60);
    expect(json(overridden.stdout).workload["notes"]).toContainEqual({
      what: "raised: the memory, to 1024 MiB",
      count: 286,
      firstLine: 6,
    });
    expect(json(plain.stdout).runs[0]?.waitMeanSeconds).not.toBe(
      json(preset.stdout).runs[0]?.waitMeanSeconds,
    );
  });

  it("scales the farm", async () => {
    const args = ["simulate", "busy.csv", "--policy", "first-fit", "--json", "--machines"];
    const [scaled, named] = await Promise.all([
      croft(...args, "8x4c64g", "--scale-cores", "2", "--scale-memory", "0.5"),
      croft(...args, farm),
    ]);
    expect(untimed(json(scaled.stdout))).toEqual(untimed(json(named.stdout)));
  });
});

describe("simulate with a log that tells waits", () => {
  const lines = Array.from({ length: 60 }, (_, i) => `${i * 21_600},600,${i * 21_600 + 1200 + 60 * i},8`);
  writeFileSync(join(folder, "waits.csv"), `submit,runtime,start,cores\n${lines.join("\n")}\n`);
  const args = ["simulate", "waits.csv", "--machines", "1x8c", "--policy", "fcfs,first-fit"];
  const mean = 1200 + 60 * 29.5;

  it("has the record and the check at the top of the object, and holds the runs against them", async () => {
    const { stdout } = await croft(args, "--json");
    const { recorded, fidelity, verdict, runs } = json(stdout);
    expect(runs.map(({ policy }) => policy)).toEqual(["fcfs", "first-fit"]);
    expect(recorded).toMatchObject({ jobs: 60, waitMeanSeconds: mean, waitMaxSeconds: 1200 + 60 * 59 });
    expect(recorded).not.toHaveProperty("days");
    // No job waits in the simulation, whatever the policy: what jobs waited for is not in the log.
    expect(fidelity).toMatchObject({ because: "presumed", waitMeanSeconds: 0, isNear: false });
    expect(verdict.baseline).toBe("easy");
    expect(verdict.unseen.join()).toMatch(/a mean wait of 0 s where 49.5 min was recorded.*leaves out much/);
    expect(verdict.sentence).toMatch(/no job waits under any policy/);
  });

  it("shows it in the table, and says which policy is the user's own", async () => {
    const [plain, named] = await Promise.all([croft(args), croft(args, "--baseline", "easy")]);
    expect(plain.stdout).toMatch(/^as it was +49\.5 min/m);
    expect(plain.stdout).toMatch(/^First: Simulated, easy .* where 49\.5 min was recorded/m);
    expect(named.stdout).toMatch(/^easy /m);
    expect(named.stdout).toMatch(/no job waits under any policy/);
    expect((await croft(args, "--baseline", "esay")).status).toBe(2);
  });
});

it("names the policy that a log was made by, where the presumed one misses it", async () => {
  const args = ["--machines", farm, "--load", "0.8", "--policy", "fcfs", "--quiet"];
  await croft("simulate", "busy.csv", args, "--schedule", "made.csv");
  const rows = readFileSync(join(folder, "busy.csv"), "utf8").trim().split("\n");
  const made = readFileSync(join(folder, "made.csv"), "utf8").trim().split("\n");
  const log = made.slice(1).map((line, i) => {
    const [, submit, start, end] = line.split(",");
    const [, , cores, memory] = rows[i + 1].split(",");
    return [submit, start, end, cores, memory].join(",");
  });
  writeFileSync(join(folder, "fcfs.csv"), `submit,start,end,cores,memory\n${log.join("\n")}\n`);
  const { stdout } = await croft(
    "simulate",
    "fcfs.csv",
    "--machines",
    farm,
    "--policy",
    "fcfs,easy",
    "--json",
  );
  const { fidelity, recorded, runs } = json(stdout);
  expect(recorded?.["waitMeanSeconds"]).toBeCloseTo(runs[0].waitMeanSeconds, 3);
  expect(fidelity).toMatchObject({ policy: "easy", because: "presumed", isNear: false, nearer: "fcfs" });
  // A live farm's history says what ran, and nothing is presumed.
  const record = await readWorkload(join(folder, "fcfs.csv"));
  const history = async (name: string, ran: RecordedFarm, ...policies: string[]) => {
    const writer = workloadWriters.find((each) => each.name === name)!;
    await writer.write({ ...record, farm: ran }, join(folder, `history.${name}`));
    return croft("simulate", `history.${name}`, "--machines", farm, "--policy", policies.join(","), "--json");
  };
  for (const name of ["parquet", "csv", "swf"]) {
    const ran = await history(name, { policy: "fcfs", intervalSeconds: 0 }, "easy", "first-fit");
    const { fidelity, runs } = json(ran.stdout);
    // SWF has the cores of a job apart, so that other jobs fit.
    expect(fidelity).toMatchObject({ policy: "fcfs", because: "ran", isNear: name !== "swf" });
    // All decide as often as the farm did.
    expect(runs.map(({ intervalSeconds }) => intervalSeconds)).toEqual([0, 0]);
  }
  const unknown = await history("csv", { policy: null }, "easy");
  expect(json(unknown.stdout).fidelity).toMatchObject({ policy: "easy", because: "closest" });
  expect(unknown.stderr).toContain("the log says that several policies ran");
});

it("runs EASY by default if the log tells how long jobs may run", async () => {
  const rows = "submit,runtime,cores,walltime\n0,100,2,200\n1,100,4,200\n2,50,1,60\n";
  writeFileSync(join(folder, "limits.csv"), rows);
  writeFileSync(join(folder, "no-limits.csv"), rows.replaceAll(/,[^,\n]+$/gm, ""));
  const policies = async (file: string): Promise<string[]> => {
    const { stdout } = await croft("simulate", file, "--machines", "1x4c", "--json", "--quiet");
    return (JSON.parse(stdout) as { runs: { policy: string }[] }).runs.map(({ policy }) => policy);
  };
  const plain = await policies("no-limits.csv");
  expect(plain).not.toContain("easy");
  expect(await policies("limits.csv")).toEqual([...plain, "easy"]);
});

it("prints what the documentation shows", async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const page = readFileSync(join(root, "docs", "getting-started.md"), "utf8").replace(/^ {3}/gm, "");
  const [, command, shown] =
    /^npx croft (simulate examples\/data\/first-come.*)\n```\n\n```\n([^]*?)\n```$/m.exec(page)!;
  const { stdout } = await croftIn(root)(command.split(" "));
  expect(stdout.trimEnd()).toBe(shown);
});

it("refuses a warm-up that leaves no job to count", async () => {
  const { status, stderr } = await croft("simulate", "busy.csv", "--machines", farm, "--warmup", "400d");
  expect(status).toBe(2);
  expect(stderr).toMatch(
    /: a warm-up of 400d leaves no job to count: the first and the last job are submitted (\d+\.\d days, )?\d+ s apart$/m,
  );
  const window = ["--warmup", "36h", "--cooldown", "90s"];
  const both = await croft("simulate", "busy.csv", "--machines", farm, window);
  expect(both.stderr).toContain("a warm-up of 36h and a cool-down of 90s leave no job to count: ");
});

describe("simulate --schedule", () => {
  const args = ["simulate", "three.csv", "--machines", farm, "--quiet"];

  it("tells what became of each job", async () => {
    await croft(...args, "--policy", "worse-fit-cores", "--schedule", "one.csv");
    expect(readFileSync(join(folder, "one.csv"), "utf8")).toBe(
      [
        "job,submit,start,end,machine,outcome,promised,cores,tasks,memoryMiB,user,runtimeSeconds,estimateSeconds,recordedWaitSeconds,counted",
        "1,0,0,10,m1,done,,1,1,100,,10,,,true",
        "2,1,30,50.5,m1,done,,2,1,200,,20.5,,,true",
        "3,2,,,,rejected,,100,1,1,,1,,,true",
        "",
      ].join("\n"),
    );
  });

  it("tells policies and paces apart, and prints no noise of floating point", async () => {
    await croft(...args, "--policy", "mix-fit,first-fit", "--beta", "0.1,0.7", "--schedule", "many.csv.gz");
    const lines = gunzipSync(readFileSync(join(folder, "many.csv.gz")))
      .toString()
      .split("\n");
    expect(lines).toHaveLength(1 + 4 * 3 + 1);
    expect(lines[0]).toBe(
      "policy,beta,job,submit,start,end,machine,outcome,promised,cores,tasks,memoryMiB,user,runtimeSeconds,estimateSeconds,recordedWaitSeconds,counted",
    );
    expect(lines[1]).toBe("mix-fit,0.1,1,0,0,10,m1,done,,1,1,100,,10,,,true");
    expect(lines[5]).toBe("first-fit,0.1,2,0.1,30,50.5,m1,done,,2,1,200,,20.5,,,true");
    expect(lines[12]).toBe("first-fit,0.7,3,1.4,,,,rejected,,100,1,1,,1,,,true");
  });

  it("writes the same as Parquet", async () => {
    const unknown = { tasks: 1, user: null, estimateSeconds: null, recordedWaitSeconds: null, counted: true };
    await croft(...args, "--policy", "mix-fit,first-fit", "--schedule", "many.parquet");
    const { buffer, byteOffset, byteLength } = readFileSync(join(folder, "many.parquet"));
    const rows = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) });
    expect(rows).toHaveLength(6);
    const row = {
      policy: "mix-fit",
      job: 2,
      submit: 1,
      start: 30,
      end: 50.5,
      machine: "m1",
      outcome: "done",
      promised: null,
      cores: 2,
      memoryMiB: 200,
      runtimeSeconds: 20.5,
      ...unknown,
    };
    expect(rows[1]).toEqual(row);
    const rejected = { policy: "first-fit", job: 3, submit: 2, start: null, end: null, machine: null };
    const asked = { cores: 100, memoryMiB: 1, runtimeSeconds: 1, ...unknown };
    expect(rows[5]).toEqual({ ...rejected, outcome: "rejected", promised: null, ...asked });
  });

  it("tells what the log tells of each job, and which jobs the figures are of", async () => {
    writeFileSync(
      join(folder, "told.csv"),
      "submit,runtime,cores,tasks,memory,user,estimate,wait\n0,10,0.5,1,100,ann,12,7\n5,1,1,3,64,bob,,\n9,1,1,1,64,,2,0\n",
    );
    const out = ["--warmup", "1", "--cooldown", "2", "--schedule", "told-schedule.csv"];
    const { stdout } = await croft(
      ["simulate", "told.csv", "--machines", farm, "--policy", "first-fit"],
      [...out, "--json"],
    );
    const rows = readFileSync(join(folder, "told-schedule.csv"), "utf8").trimEnd().split("\n").slice(1);
    expect(rows.map((row) => row.split(",").slice(7).join(","))).toEqual([
      "0.5,1,100,ann,10,12,7,false",
      "1,3,64,bob,1,,,true",
      "1,1,64,unknown,1,2,0,false",
    ]);
    expect(json(stdout).runs[0].jobs).toBe(1);
  });

  it("tells the start that each job was first promised, and how many started later", async () => {
    // Job 1 outlives its estimate of 10 by 5. Job 2 needs both cores; jobs 3 and 4 need one.
    writeFileSync(
      join(folder, "promises.csv"),
      "submit,runtime,cores,estimate\n0,15,1,10\n1,20,2,20\n2,5,1,5\n3,9,1,9\n",
    );
    const file = ["simulate", "promises.csv", "--machines", "1x2c", "--schedule", "promises-schedule.csv"];
    const promised = async (policy: string): Promise<unknown> => {
      const { stdout } = await croft(...file, "--policy", policy, "--json");
      const rows = readFileSync(join(folder, "promises-schedule.csv"), "utf8").trim().split("\n").slice(1);
      const { runs } = JSON.parse(stdout) as { runs: Record<string, unknown>[] };
      const { promisesBroken, promised, promiseDelayMaxSeconds } = runs[0];
      return [rows.map((row) => row.split(",")[6]), promisesBroken, promised, promiseDelayMaxSeconds];
    };
    expect(await promised("easy")).toEqual([["", "10", "", "35"], { overrun: 1 }, 2, 5]);
    // Job 2 starts at 15 for 20 s, and job 4, behind it, at 35: both later than first promised.
    expect(await promised("conservative")).toEqual([["0", "10", "2", "30"], { overrun: 2 }, 4, 5]);
    expect(await promised("fcfs")).toEqual([["", "", "", ""], undefined, undefined, undefined]);
    const { stderr } = await croft(...file, "--policy", "easy");
    expect(stderr).toContain(
      "easy: 1 of 2 promised jobs started later than first promised, by 5.00 s at most, after a job ran for longer than expected",
    );
  });

  it("joins the machines of a parallel job", async () => {
    writeFileSync(join(folder, "wide.csv"), "submit,runtime,cores,tasks\n0,5,3,3\n");
    await croft("simulate", "wide.csv", "--machines", "3x4c", "--policy", "first-fit", "--schedule", "wide");
    expect(readFileSync(join(folder, "wide"), "utf8")).toContain("\n1,0,0,5,m1;m2;m3,done,,3,3,,,5,,,true\n");
  });
});

describe("simulate", () => {
  it("prints a table, and with --out names the report last", async () => {
    const { status, stdout } = await croft([
      "simulate",
      "busy.csv",
      "--machines",
      farm,
      "--policy",
      "first-fit,mix-fit",
      "--out",
      "new/out",
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^first-fit .*\n.*^mix-fit /ms);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("report: new/out/report.html");
    expect(readdirSync(join(folder, "new/out")).sort()).toEqual([
      "report.html",
      "results.json",
      "settings.yaml",
    ]);
    const html = readFileSync(join(folder, "new/out/report.html"), "utf8");
    expect(html).toContain("croft simulate busy.csv --machines 8x8c32g");
    const results = JSON.parse(readFileSync(join(folder, "new/out/results.json"), "utf8")) as Printed;
    expect(results.runs[0]?.series.timeSeconds.length).toBeGreaterThan(1);
  });

  it("keeps the verdict at each load, its intervals and the versions in results.json", async () => {
    const { stdout } = await croft(
      ["simulate", "busy.csv", "--machines", farm, "--policy", "first-fit,mix-fit,fcfs"],
      ["--load", "0.8,1.1", "--json", "--out", "verdicts"],
    );
    const kept = JSON.parse(readFileSync(join(folder, "verdicts/results.json"), "utf8")) as Printed & {
      readonly verdicts: readonly {
        readonly offeredLoad: number;
        readonly comparisons?: readonly { readonly policy: string }[];
      }[];
      readonly versions: object;
      readonly settings: readonly { readonly name: string }[];
    };
    expect(kept.verdict).toEqual(json(stdout).verdict);
    expect(kept.verdicts.map(({ offeredLoad }) => offeredLoad.toFixed(2))).toEqual(["0.80", "1.10"]);
    expect(kept.verdicts).toContainEqual(kept.verdict);
    // There is no verdict at a load that the machines cannot do.
    expect(kept.verdicts.map(({ comparisons }) => comparisons !== undefined)).toEqual([true, false]);
    for (const { comparisons = [] } of kept.verdicts.slice(0, 1))
      expect(comparisons.toSorted((a, b) => (a.policy > b.policy ? -1 : 1))).toEqual(
        ["mix-fit", "fcfs"].map((policy) => ({
          policy,
          baseline: "first-fit",
          change: expect.any(Number),
          interval: null,
          judgement: "cannot be judged",
          by: "days",
          silence: "few days",
          nextMonth: null,
        })),
      );
    expect(kept.versions).toEqual({ croft: expect.any(String), node: process.versions.node });
    expect(kept.settings.map(({ name }) => name)).toContain("scheduling cycles");
  });

  it("tells what of it has no effect on which policies", async () => {
    const { status, stderr } = await croft(
      ["simulate", "three.csv", "--machines", farm, "--policy", "first-fit,easy,fcfs"],
      ["--seed", "3", "--max-jobs", "first-fit", "--estimates", "exact", "--overrun", "cap"],
    );
    expect(status).toBe(0);
    expect(stderr).toContain(
      "--estimates has no effect on first-fit, fcfs: only backfilling plans with run times\n",
    );
    expect(stderr).toContain(
      "--max-jobs has no effect: it is the list of the policy max-jobs and its like\n",
    );
    expect(stderr).toContain("--seed has no effect: ");
    expect(stderr).toContain("three: no effect: what becomes of overruns, as the log has no estimates: 1\n");
    const silent = await croft(
      ["simulate", "busy.csv", "--machines", farm, "--policy", "max-jobs,easy"],
      ["--max-jobs", "first-fit"],
    );
    expect(silent.stderr).toBe(
      "--max-jobs has no effect on easy: it is the list of the policy max-jobs and its like\n",
    );
  });

  it("tells that easy++ has estimates of its own, and that there are no predictions without users", async () => {
    const { status, stderr } = await croft(
      ["simulate", "busy.csv", "--machines", farm, "--policy", "easy,easy++"],
      ["--estimates", "exact"],
    );
    expect(status).toBe(0);
    expect(stderr).toBe(
      "--estimates has no effect on easy++: it plans on predicted run times\n" +
        "the workload names no users: every job's predicted run time is its estimate\n",
    );
  });

  it("tells that the limits of a cycle do not hold for policies that have rules of their own", async () => {
    const { status, stderr } = await croft(
      [
        "simulate",
        "busy.csv",
        "--machines",
        farm,
        "--policy",
        "first-fit,fcfs,easy-sjbf,conservative,lookahead",
      ],
      ["--reservations", "none", "--examine", "5"],
    );
    expect(status).toBe(0);
    expect(stderr).toBe(
      "--reservations, --examine have no effect on fcfs, easy-sjbf, conservative: only heuristics, max-jobs, lookahead and either-order have the limits of a cycle\n",
    );
  });

  it("skips the cycles of a run time that cannot be, and asks whether it is right", async () => {
    writeFileSync(join(folder, "slip.csv"), "submit,runtime,cores\n0,10,1\n5,100000000000000,2\n");
    const { stdout, stderr } = await croft(
      ["simulate", "slip.csv", "--machines", farm, "--policy", "first-fit,easy", "--interval", "30"],
      ["--json"],
    );
    expect(json(stdout).runs.map(({ rejected }) => rejected)).toEqual([0, 0]);
    expect(stderr).toMatch(/dropped: the run time is out of range: 1 \(first in line 3\)/);
    writeFileSync(join(folder, "slip.csv"), "submit,runtime,cores\n0,10,1\n5,100000000000,2\n");
    const long = await croft(["simulate", "slip.csv", "--machines", farm, "--policy", "first-fit", "--json"]);
    expect(long.stderr).toContain(
      "slip: kept: ran ten times as long as the log covers, or longer: are its times right? such as job 2: 1\n",
    );
    expect(json(long.stdout).runs[0]).toMatchObject({ jobs: 2, rejected: 0 });
  });

  it("serves projects by their shares", async () => {
    writeFileSync(join(folder, "shares.csv"), "project,share\n/unit/p0,8\n/unit/p1,1\n/unt/p2,3\n");
    const { stdout, stderr } = await croft(
      ["simulate", "busy.csv", "--machines", farm, "--policy", "first-fit", "--json", "--load", "1.2"],
      ["--shares", "shares.csv"],
    );
    const projects = json(stdout).runs[0]?.fairness?.projects ?? [];
    const waitOf = (name: string): number =>
      projects.find(({ project }) => project === name)?.waitMeanSeconds ?? NaN;
    expect(projects.map(({ share }) => share).sort((a, b) => a - b)).toEqual([0.1, 0.1, 0.8]);
    expect(waitOf("/unit/p0")).toBeLessThan(waitOf("/unit/p1") / 2);
    expect(stderr).toContain("shares.csv: no job counts against /unt/p2");
  });
});

describe("simulate --figures", () => {
  it("writes each chart as SVG, PDF and CSV, and the results as CSV and LaTeX", async () => {
    const { status, stderr } = await croft(
      "simulate",
      "busy.csv",
      "--machines",
      farm,
      "--policy",
      "fcfs,easy",
      "--figures",
      "drawn",
    );
    expect(status).toBe(0);
    const files = readdirSync(join(folder, "drawn"));
    const charts = files.filter((name) => name.endsWith(".svg")).map((name) => name.slice(0, -4));
    expect(stderr).toContain(`${charts.length} figures: drawn`);
    expect(files.toSorted()).toEqual(
      [
        ...charts.flatMap((name) => [`${name}.svg`, `${name}.pdf`, `${name}.csv`]),
        "results.csv",
        "results.tex",
      ].toSorted(),
    );
    expect(readFileSync(join(folder, "drawn", "results.csv"), "utf8")).toMatch(/^policy,.*\nfcfs,.*\neasy,/);
  });

  it("refuses a file in the folder's place before it simulates", async () => {
    const { status, stderr } = await croft(
      "simulate",
      "busy.csv",
      "--machines",
      farm,
      "--figures",
      "busy.csv",
    );
    expect(status).toBe(2);
    expect(stderr).toContain("busy.csv is a file");
  });
});

describe("a log whose farm runs another policy than its batch system does by default", () => {
  /** First come, first served on one machine of four cores, as PBS writes it: jobs of one to four cores for an hour or two. */
  function strictPbsLog(): string {
    const start = Date.UTC(2026, 2, 1) / 1000;
    const free = [0, 0, 0, 0];
    let [submit, last, state] = [0, 0, 7];
    const below = (limit: number): number => (state = (state * 48_271) % 2_147_483_647) % limit;
    const lines = Array.from({ length: 900 }, (_, number) => {
      submit += below(2 * 3000);
      const [cores, run] = [1 + below(4), 1800 + below(5400)];
      free.sort((a, b) => a - b);
      const begin = Math.max(submit, last, free[cores - 1]);
      last = begin;
      free.fill(begin + run, 0, cores);
      const [queued, started, ended] = [submit, begin, begin + run].map((time) => start + time);
      const at = new Date(1000 * ended).toISOString();
      const day = `${at.slice(5, 7)}/${at.slice(8, 10)}/${at.slice(0, 4)} ${at.slice(11, 19)}`;
      return `${day};E;${number + 1}.pbs;user=u${number % 12} group=g queue=q ctime=${queued} qtime=${queued} etime=${queued} start=${started} exec_host=n1/0*${cores} Resource_List.select=1:ncpus=${cores} Resource_List.walltime=03:00:00 end=${ended} Exit_status=0`;
    });
    return `${lines.join("\n")}\n`;
  }

  it("names the one that follows the record, and lets nothing follow from the comparison with the default", async () => {
    writeFileSync(join(folder, "strict.pbs"), strictPbsLog());
    const args = ["simulate", "strict.pbs", "--machines", "1x4c", "--json"];
    const { stdout } = await croft(...args);
    const { fidelity, next } = JSON.parse(stdout) as Record<string, Record<string, unknown>>;
    expect(fidelity).toMatchObject({ because: "usual", isNear: false, nearer: "fcfs" });
    expect(next["assumed"]).toEqual({ policy: "first-fit without reservations", nearer: "fcfs" });
    const named = JSON.parse((await croft(...args, "--baseline", "fcfs")).stdout) as Record<string, unknown>;
    expect(named["fidelity"]).toMatchObject({ policy: "fcfs", waitMeanRatio: 1, isNear: true });
  });
});
