import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, test } from "vitest";

import { croftIn, temporaryFolder, type Finished } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
const study = (...words: (string | string[])[]): Promise<Finished> => croft("study", ...words);

/** Figure 3.1 of Shai 2014 followed by Figure 3.2, every 10 s a job; memory in MiB. */
const jobs = [
  ...Array.from({ length: 2 }, () => [1, 16_384]),
  ...Array.from({ length: 6 }, () => [1, 4096]),
  ...Array.from({ length: 3 }, () => [1, 8192]),
  [1, 32_768],
].map(([cores, memory], i) => `${i * 10},300,${cores},${memory}`);
writeFileSync(join(folder, "figures.csv"), ["submit,runtime,cores,memory", ...jobs, ""].join("\n"));
const noMemory = jobs.map((line) => line.split(",").slice(0, 3).join(","));
writeFileSync(join(folder, "cores.csv"), ["submit,runtime,cores", ...noMemory, ""].join("\n"));

const aClaim = {
  claim: expect.any(String),
  source: expect.stringMatching(/^section /),
  evidence: expect.any(String),
};

describe("study buckets", () => {
  test("prints shares of wins, then the claims", async () => {
    const { status, stdout, stderr } = await study([
      "buckets",
      "figures.csv",
      "--machines",
      "2x4c32g",
      "--bucket-size",
      "8",
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain("1 buckets of 8 jobs; the last 4 jobs fill none\n");
    expect(stdout).toMatch(/^best-fit-cores +0% +0 +6\.00$/m);
    expect(stdout).toMatch(/^mix-fit +100% +0 +8\.00$/m);
    expect(stdout).toMatch(/^does not hold +no single-resource heuristic wins all buckets/m);
    expect(stdout).toMatch(/^cannot be judged +pool A: mix-fit wins the most buckets/m);
  });

  test("prints one object, and writes the report, that says what is synthetic", async () => {
    const { status, stdout, stderr } = await study([
      "buckets",
      "netbatch-a",
      "--jobs",
      "3500",
      "--seed",
      "3",
      "--json",
      "--out",
      "made/here",
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "report: made/here/report.html\n" });
    const json = JSON.parse(stdout);
    expect(json).toMatchObject({
      workload: { synthetic: true, jobs: 3500 },
      machines: { name: "64x8c64g", count: 64, coresMilli: 512_000 },
      buckets: { jobsPerBucket: 1000, buckets: 3, leftOverJobs: 500, ineligibleJobs: expect.any(Number) },
    });
    for (const row of [...json.buckets.heuristics, ...json.buckets.singleResource]) {
      expect(Object.keys(row)).toEqual(["heuristic", "wins", "winShare", "soleWins", "matchedJobsMean"]);
    }
    for (const claim of json.claims) expect(claim).toMatchObject(aClaim);
    expect(readdirSync(join(folder, "made/here")).sort()).toEqual([
      "report.html",
      "results.json",
      "settings.yaml",
    ]);
    const results = JSON.parse(readFileSync(join(folder, "made/here/results.json"), "utf8"));
    expect(results).toMatchObject({
      ...json,
      command: expect.stringMatching(/^croft study buckets netbatch-a /),
    });
    const page = readFileSync(join(folder, "made/here/report.html"), "utf8");
    expect(page).toContain("Buckets won");
    expect(page).toContain("Synthetic workload, not a real log.");
    expect(page).toContain("✗ does not hold");
  });

  test("leaves out what decides by memory where there is none, and says so", async () => {
    const { status, stdout, stderr } = await study("buckets", "cores.csv", "--bucket-size", "6", "--json");
    expect(status).toBe(0);
    expect(stderr).toContain("no memory to decide by: best-fit-memory, worse-fit-memory, mix-fit");
    const { heuristics } = JSON.parse(stdout).buckets;
    expect(heuristics.map((row: { heuristic: string }) => row.heuristic)).toEqual([
      "best-fit-cores",
      "worse-fit-cores",
    ]);
  });
});

describe("study load", () => {
  test("runs every policy at every load and judges the claims", async () => {
    const { status, stdout } = await study([
      "load",
      "figures.csv",
      "--machines",
      "2x4c32g",
      "--load",
      "0.9,1.2",
      "--out",
      "load",
      "--json",
    ]);
    expect(status).toBe(0);
    const { workload, machines, runs, claims } = JSON.parse(stdout);
    expect(workload).toMatchObject({ name: "figures", synthetic: false, jobs: 12 });
    expect(machines).toMatchObject({ count: 2 });
    expect(runs).toHaveLength(14);
    expect(runs[0]).toMatchObject({
      policy: "first-fit",
      waitMeanSeconds: expect.any(Number),
      slowdownMean: expect.any(Number),
      boundedSlowdownMean: expect.any(Number),
      queueLengthMean: expect.any(Number),
    });
    expect(runs[0]).not.toHaveProperty("series");
    expect(runs[6]).toMatchObject({ policy: "max-jobs", wins: { "mix-fit": expect.any(Number) } });
    for (const claim of claims) expect(claim).toMatchObject(aClaim);
    expect(readFileSync(join(folder, "load/report.html"), "utf8")).toContain("Published claims, tested here");
    expect(JSON.parse(readFileSync(join(folder, "load/results.json"), "utf8")).runs[0]).toHaveProperty(
      "series",
    );
  });

  test("a preset's settings hold, and other options override them", async () => {
    const { stdout } = await study(
      ["load", "figures.csv", "--machines", "2x4c32g", "--policy", "max-jobs", "--beta", "1", "--json"],
      ["--preset", "simba", "--interval", "20s", "--max-jobs", "mix-fit,first-fit"],
    );
    const { runs } = JSON.parse(stdout);
    expect(runs).toMatchObject([{ policy: "max-jobs", beta: 1, intervalSeconds: 20 }]);
    expect(Object.keys(runs[0].wins)).toEqual(["mix-fit", "first-fit"]);
  });

  test("a synthetic pool brings its machines", async () => {
    const { stdout } = await study([
      "load",
      "netbatch-d",
      "--jobs",
      "2000",
      "--policy",
      "first-fit,mix-fit",
      "--beta",
      "1",
    ]);
    expect(stdout).toContain("2,000 jobs of netbatch-d (synthetic) under load on netbatch-d");
    expect(stdout).toMatch(/^cannot be judged +max-jobs is the best or near the best at every load/m);
  });
});

describe("study optimum", () => {
  const onTwo = ["optimum", "figures.csv", "--machines", "2x4c32g", "--under", "best-fit-memory"];

  test("tells the most jobs that could start, and how many each policy starts", async () => {
    const { status, stdout, stderr } = await study(onTwo, "--load", "3", "--quiet");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^\d+ of these compared/m);
    expect(stdout).toMatch(/^policy +started +worst +reached +time +none reserved +worst/m);
    expect(stdout).toMatch(/^mix-fit +[\d.]+% +[\d.]+% +\d+ +[\d.]+ ms/m);
  });

  test("prints one object, and writes the report with its plot", async () => {
    const { status, stdout } = await study(
      [...onTwo, "--load", "3", "--policy", "mix-fit,either-order/mix-fit"],
      ["--json", "--out", "optimum"],
    );
    expect(status).toBe(0);
    const told = JSON.parse(stdout);
    expect(told.run).toMatchObject({ policy: "best-fit-memory" });
    expect(told.provenCycles).toBe(told.compared.length);
    for (const { low, high, reserved } of told.compared) {
      expect(low).toBe(high);
      for (const jobs of reserved) expect(jobs).toBeLessThanOrEqual(high);
    }
    expect(told.standings.map(({ policy }: { policy: string }) => policy)).toEqual([
      "mix-fit",
      "either-order/mix-fit",
    ]);
    const page = readFileSync(join(folder, "optimum/report.html"), "utf8");
    expect(page).toContain("Jobs started, of the most that could");
    expect(page.match(/<svg class="chart"/g)).toHaveLength(1);
  });

  test("says so where there is nothing to compare", async () => {
    const { stdout } = await study("optimum", "figures.csv", "--machines", "9x4c32g", "--quiet");
    expect(stdout).toContain("nothing to compare: try a higher --load");
  });
});

describe("study characterise", () => {
  test("tells what jobs ask for", async () => {
    const { status, stdout } = await study("characterise", "figures.csv", "--out", "asked");
    expect(status).toBe(0);
    expect(stdout).toMatch(/^≤ 16 GiB +16\.7%$/m);
    expect(stdout).toMatch(/^holds +the vast majority of the jobs ask for one core/m);
    expect(readFileSync(join(folder, "asked/report.html"), "utf8")).toContain("Memory per job");
  });

  test("prints one object", async () => {
    const { stdout } = await study("characterise", "netbatch-c", "--jobs", "2000", "--pool", "a", "--json");
    const { statistics, claims } = JSON.parse(stdout);
    expect(statistics).toMatchObject({ synthetic: true, jobs: 2000, buckets: { jobsPerBucket: 1000 } });
    expect(statistics.buckets.cores).toHaveLength(2);
    const ofA = claims.filter(({ claim }: { claim: string }) => claim.startsWith("pool A: "));
    expect(ofA.map(({ holds }: { holds: boolean | null }) => holds)).toEqual([false, false]);
  });
});

describe("what cannot be used ends with 2 and leaves nothing", () => {
  test.each([
    [["buckets", "nothing.swf"], /nothing\.swf/],
    [["buckets", "figures.csv", "--heuristic", "mixfit"], /did you mean mix-fit/],
    [["buckets", "figures.csv", "--bucket-size", "0"], /above 0/],
    [["buckets", "cores.csv", "--heuristic", "mix-fit"], /mix-fit decide by memory/],
    [["load", "figures.csv"], /give the machines of the log/],
    [["load", "figures.csv", "--machines", "2x4c32g", "--policy", "easi"], /did you mean easy/],
    [["load", "figures.csv", "--machines", "2x4c32g", "--load", "-1"], /above 0/],
    [["optimum", "figures.csv"], /give the machines of the log/],
    [["optimum", "figures.csv", "--machines", "2x4c32g", "--policy", "easy"], /keeps records of jobs/],
    [["optimum", "netbatch-a", "--jobs", "5", "--pool", "a"], /unknown option '--pool'/],
    [["characterise", "figures.csv", "--jobs", "5"], /synthetic workloads/],
    [["characterise", "netbatch-a", "--jobs", "5", "--pool", "e"], /Allowed choices are a, b, c, d/],
  ])("%j", async (args, message) => {
    const { status, stdout, stderr } = await study(args, "--out", "refused");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(existsSync(join(folder, "refused"))).toBe(false);
  });
});

describe("study fractional", () => {
  const tiny = ["--slack", "0.5", "--variation", "0.5", "--constrained", "0", "--quiet"];

  test("prints tables with the slides' figures beside, then the claims", async () => {
    const { status, stdout, stderr } = await study(
      ["fractional", "--part", "rounding", "--hosts", "4", "--services", "8,12"],
      tiny,
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^Services placed by fractional needs: 2 synthetic instances$/m);
    expect(stdout).toMatch(/^rrndnz .* 0\.580 \(78\.0%\) .* 22\.0%$/m);
    expect(stdout).toMatch(/^algorithm +8 services +12 services$/m);
    expect(stdout).toMatch(/^cannot be judged +rrndnz fails less often than rrnd \(slides/m);
  });

  test("prints one object, and writes the report with its charts", async () => {
    const { status, stdout, stderr } = await study(
      ["fractional", "--part", "optimal,errors", "--hosts", "4", "--services", "8", "--instances", "2"],
      tiny,
      ["--json", "--out", "fractional"],
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: "report: fractional/report.html\n" });
    const told = JSON.parse(stdout);
    expect(told).toMatchObject({
      optimal: { instances: 2, unsolved: 0, sweep: { hosts: [4], services: [8], slack: [0.5] } },
      errors: { instances: 2, algorithm: "meta-hvp" },
      claims: [{ claim: "the LP bound is only 4 % above the optimum", holds: null }],
    });
    expect(told.optimal.qualities[0]).toMatchObject({ algorithm: "milp", solved: 2, dfbMean: 0 });
    expect(told.optimal).not.toHaveProperty("trials");
    const kept = JSON.parse(readFileSync(join(folder, "fractional", "results.json"), "utf8"));
    expect(kept.optimal.trials[0].attempts[0]).toMatchObject({ algorithm: "milp", isStopped: false });
    const page = readFileSync(join(folder, "fractional", "report.html"), "utf8");
    expect(page).toContain("on 4 synthetic instances");
    expect(page.match(/<svg class="chart"/g)).toHaveLength(2);
    expect(page).toContain("Against the optimum: 2 instances");
  });

  test.for([
    [["--part", "all"], /There is no part all/],
    [["--algorithm", "vp"], /there is no algorithm vp to compete/],
    [["--services", "1.5"], /Give whole numbers above 0/],
    [["--slack", "-1"], /Give numbers of at least 0/],
  ] as const)("refuses %s", async ([words, message]) => {
    const { status, stdout, stderr } = await study(["fractional", ...words]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

describe("study buckets --sensitivity", () => {
  test("prints a row for each value, and the ranges of the claims", async () => {
    const { status, stdout } = await study(
      ["buckets", "netbatch-b", "--sensitivity", "--jobs", "1000"],
      ["--model", "burst-share=0.5", "--out", "sensitivity"],
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^What the guesses in netbatch-b \(synthetic\) decide/m);
    expect(stdout).toMatch(/^burst-share +0\.5\* .* [+−]\d+\.\d$/m);
    expect(stdout).toMatch(/^pools B and D: mix-fit performs similarly to worse-fit-cores +/m);
    expect(readFileSync(join(folder, "sensitivity", "report.html"), "utf8")).toContain("Synthetic workload");
  });

  test.for([
    [["lublin", "--sensitivity"], /varies the guesses in netbatch-a to -d, and lublin is none of them/],
    [["netbatch-a", "--sensitivity", "--bucket-size", "10"], /leave --heuristic and --bucket-size out/],
    [["netbatch-a", "--jobs", "10", "--model", "memory=2"], /Give NAME=VALUE, of eight-core-share/],
    [
      ["netbatch-a", "--jobs", "10", "--model", "burst-share=2"],
      /burst-share must be a number from 0.01 to 0.9/,
    ],
    [["lublin", "--jobs", "10", "--model", "load=1"], /lublin has no such parameters/],
  ] as const)("refuses %s", async ([words, message]) => {
    const { status, stdout, stderr } = await study(["buckets", ...words]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

describe("study rescheduling", () => {
  test("has the contract's rows and claims, and a page with the paper's tables", async () => {
    const { status, stdout, stderr } = await study([
      "rescheduling",
      "--jobs",
      "1000",
      "--no-year",
      "--json",
      "--out",
      "resched",
      "--quiet",
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "report: resched/report.html\n" });
    const { rows, claims, ...rest } = JSON.parse(stdout) as Record<string, Record<string, unknown>[]>;
    expect(rest).toEqual({ margins: null });
    expect(rows).toHaveLength(30);
    expect(Object.keys(rows[0])).toEqual([
      "scenario",
      "routing",
      "strategy",
      "suspendRate",
      "completionMeanSuspendedMinutes",
      "completionMeanMinutes",
      "suspendedMeanMinutes",
      "wastedMeanMinutes",
      "wastedWaitMinutes",
      "wastedSuspendMinutes",
      "wastedRestartMinutes",
    ]);
    for (const claim of claims)
      expect(claim).toMatchObject({ claim: expect.any(String), evidence: expect.any(String) });
    const page = readFileSync(join(folder, "resched", "report.html"), "utf8");
    for (const number of [1, 2, 3, 4, 5]) expect(page).toContain(`Table ${number}. `);
    for (const published of ["2498.7", "7580.7", "5846.1", "4916.0", "399.7"])
      expect(page).toContain(published);
    expect(page).toContain("Synthetic workload, not a real log.");
  });

  test("makes several weeks, and tells how sure their means are", async () => {
    const few = ["rescheduling", "--jobs", "1000", "--seeds", "2", "--no-year", "--quiet"];
    const { status, stdout } = await study(few);
    expect(status).toBe(0);
    expect(stdout).toContain("1,000 jobs of each of 2 synthetic weeks");
    // Two tables of thirty rows, five of them these: the means, and what they may be off by.
    expect(stdout).toContain("With 95% confidence the means over the weeks are right to within");
    expect(stdout.match(/^high-load +utilization/gm)).toHaveLength(10);
    // Two weeks are too few for an interval.
    expect(stdout).toMatch(/^ +holds in \d of 2 weeks$/m);
  });

  test("takes one's own log and farm", async () => {
    const files = ["--out", "own.csv", "--farm-out", "own.yaml"];
    await croft("workload", "generate", "netbatch-week", "--jobs", "1000", files);
    const own = ["own.csv", "--farm", "own.yaml", "--quiet", "--out", "ours"];
    const { status, stdout, stderr } = await study("rescheduling", own);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^Dynamic rescheduling on 1,000 jobs of own$/m);
    expect(stdout).toMatch(/^High load: the same jobs on half the machines .*: \d+% of the cores\.$/m);
    expect(stdout).toMatch(/^Jobs suspended without rescheduling: \d+ under normal load, /m);
    const { rows, ofLog } = JSON.parse(readFileSync(join(folder, "ours", "results.json"), "utf8"));
    expect(rows).toHaveLength(20);
    expect(ofLog).toEqual({ rejected: { normal: 0, highLoad: 0 }, highLoadCores: expect.any(Number) });
    const page = readFileSync(join(folder, "ours", "report.html"), "utf8");
    expect(page).toContain("The published figures are of another farm.");
    expect(page).not.toContain("High suspension");
  });

  test("asks what the paper left for later, chapter by chapter, and says what it cannot try", async () => {
    const some = [
      "rescheduling",
      "--chapters",
      "service-levels,duplication",
      "--jobs",
      "1000",
      "--seeds",
      "2",
    ];
    const { status, stdout, stderr } = await study(some, "--quiet", "--out", "later");
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/left for later, on 1,000 jobs of each of 2 synthetic weeks$/m);
    expect(stdout).toMatch(/^DupSusUtil +high +[\d.]+ (same|better|worse) +[+−][\d.]+ ± [\d.]+ /m);
    expect(stdout).toMatch(/^service-levels \(section 5\)\n.*\n.*Not tried: jobs have priorities/ms);
    const { chapters, jobs, weeks } = JSON.parse(readFileSync(join(folder, "later", "results.json"), "utf8"));
    expect({ jobs, weeks }).toEqual({ jobs: 1000, weeks: 2 });
    expect(chapters[0]).toMatchObject({
      name: "duplication",
      notTried: null,
      rows: [{ scenario: "normal", variant: "ResSusUtil", isBaseline: true }, {}, {}, {}],
    });
    const page = readFileSync(join(folder, "later", "report.html"), "utf8");
    expect(page).toContain("synthetic");
    expect(page).toContain("<td>jobs have priorities and no prices, ");
  });

  test("asks it of one's own log and farm", async () => {
    const files = ["--out", "mine.csv", "--farm-out", "mine.yaml"];
    await croft("workload", "generate", "netbatch-week", "--jobs", "1000", files);
    const own = ["rescheduling", "mine.csv", "--farm", "mine.yaml", "--quiet", "--chapters"];
    const { status, stdout } = await study(own, "checkpoints,inter-site", "--json");
    expect(status).toBe(0);
    const { weeks, chapters } = JSON.parse(stdout);
    expect(weeks).toBe(1);
    expect(chapters.map((each: { rows: unknown[] }) => each.rows.length)).toEqual([8, 0]);
    expect(chapters[0].rows[0].figures.completionMeanMinutes.margin).toBe(null);
  });

  test.each([
    [["--sensitivity", "--no-year"], /--sensitivity has no year/],
    [["--chapters", "tasks", "--no-year"], /--chapters has no year/],
    [["--chapters", "all", "--sensitivity"], /give --chapters or --sensitivity, not both/],
    [["--chapters", "tasc"], /there is no chapter "tasc"; did you mean tasks/],
    [["own.csv"], /give the farm of the log: --farm FILE/],
    [["--farm", "own.yaml"], /--farm: for a log, and none is given/],
    [["--job-shape", "tasks"], /--job-shape: for a log, and none is given/],
    [
      ["own.csv", "--seeds", "2", "--no-year"],
      /--seeds, --no-year: for synthetic weeks, and own\.csv is a log/,
    ],
  ])("refuses %j", async (args, message) => {
    const { status, stdout, stderr } = await study("rescheduling", args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test("refuses too few jobs", async () => {
    const { status, stderr } = await study("rescheduling", "--jobs", "5");
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: "croft: jobs must be a whole number from 1000 to 50000000, not 5\n",
    });
  });
});
