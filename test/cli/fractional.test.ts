import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);

/** Two equal hosts of 1 and 1; three services with need 1 in the first dimension. */
const EQUAL = "2\n2\n3\n1 1 1 1\n1 1 1 1\n0 0.4 1 0 0 0.4 1 0\n0 0.4 1 0 0 0.4 1 0\n0 0.4 1 0 0 0.4 1 0\n";
writeFileSync(join(folder, "equal.prob"), EQUAL);

interface Result {
  readonly algorithm: string;
  readonly feasible: boolean | null;
  readonly minYield: number | null;
  readonly meanYield: number | null;
  readonly seconds: number;
  readonly optimal?: boolean;
  readonly gap?: number;
}

async function solveJson(...args: string[]): Promise<{ bound: number | null; results: Result[] }> {
  const { stdout, stderr } = await croft("fractional", "solve", ...args, "--json");
  expect(stderr).toBe("");
  return JSON.parse(stdout) as { bound: number | null; results: Result[] };
}

describe("fractional solve", () => {
  it("tells the bound and, of each algorithm, what it found", async () => {
    const { bound, results } = await solveJson(
      "equal.prob",
      "--algorithm=vp-ff-sum,greedy-S3-P1",
      "--algorithm=meta-vp",
      "--verify",
    );
    expect(bound).toBeCloseTo(2 / 3, 6);
    expect(results.map(({ algorithm }) => algorithm)).toEqual(["vp-ff-sum", "greedy-S3-P1", "meta-vp"]);
    for (const { feasible, minYield, meanYield, seconds } of results) {
      expect(feasible).toBe(true);
      expect(minYield).toBeCloseTo(0.5, 6);
      expect(meanYield).toBeCloseTo(2 / 3, 6);
      expect(seconds).toBeGreaterThan(0);
    }
    expect(results[2]).toMatchObject({ optimal: false });
    expect(results[2].gap).toBeCloseTo(1 / 6, 6);
  });

  it("takes the words after the file as algorithms too", async () => {
    const { results } = await solveJson(
      "equal.prob",
      "--algorithm",
      "meta-vp",
      "vp-ff-sum,greedy",
      "meta-vp",
    );
    expect(results.map(({ algorithm }) => algorithm)).toEqual(["meta-vp", "vp-ff-sum", "greedy"]);
  });

  it("tells apart what was stopped and what found nothing", async () => {
    await croft(
      "fractional",
      "generate",
      "--hosts",
      "64",
      "--services",
      "250",
      "--out",
      "stopped.prob",
      "--shape",
      "varied",
    );
    const { stdout, stderr, status } = await croft(
      ["fractional", "solve", "stopped.prob", "--time-limit", "0.000001", "--json"],
      ["--algorithm", "lp-bound", "rrnd", "meta-greedy"],
    );
    expect(status).toBe(0);
    expect(stderr).toContain("lp-bound: stopped at the limit of 0.000001 s\n");
    const { results } = JSON.parse(stdout) as { results: Result[] };
    expect(results).toMatchObject([
      { algorithm: "lp-bound", feasible: null, stopped: true, minYield: null },
      { algorithm: "rrnd", feasible: false, stopped: true, minYield: null },
      { algorithm: "meta-greedy", feasible: true },
    ]);
    expect(results[2]).not.toHaveProperty("stopped");
  });

  it("takes the bound that an algorithm proves for all", async () => {
    const { bound, results } = await solveJson("equal.prob", "--algorithm", "vp-ff-sum,milp");
    expect(bound).toBeCloseTo(0.5, 6);
    expect(results).toMatchObject([
      { algorithm: "vp-ff-sum", optimal: true },
      { algorithm: "milp", optimal: true },
    ]);
  });

  it("writes the best placement, with services and hosts counted from 1", async () => {
    await solveJson("equal.prob", "--algorithm", "meta-vp", "--placement", "placement.csv");
    expect(readFileSync(join(folder, "placement.csv"), "utf8")).toBe(
      "service,host,yield\n1,1,0.5\n2,1,0.5\n3,2,1\n",
    );
  });

  it("shows a table to people", async () => {
    const { stdout, status } = await croft(
      "fractional",
      "solve",
      "equal.prob",
      "--algorithm",
      "meta-hvp,lp-bound",
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/^bound 0\.6667\n\nalgorithm {2}min yield {2}mean yield +gap +seconds\n/);
    expect(stdout).toMatch(/\nmeta-hvp +0\.5000 +0\.6667 +0\.1667 /);
    expect(stdout).toMatch(/\nlp-bound +0\.6667 /);
  });

  it("says that a placement cannot be written before anything else is done", async () => {
    const path = "no-such-folder/placement.csv";
    const { status, stderr } = await croft("fractional", "solve", "no-such.prob", "--placement", path);
    expect(status).toBe(2);
    expect(stderr).toBe(
      "croft: no-such-folder/placement.csv: cannot be written: its folder does not exist\n",
    );
  });

  it("says which service cannot be placed, and why, and writes no placement", async () => {
    writeFileSync(
      join(folder, "large.prob"),
      EQUAL.replace(/0 0\.4 1 0 0 0\.4 1 0\n$/, "0 1.5 1 0 0 1.5 1 0\n"),
    );
    const { status, stdout, stderr } = await croft(
      ["fractional", "solve", "large.prob", "--algorithm", "meta-hvp,milp"],
      ["--json", "--placement", "none.csv"],
    );
    expect(status).toBe(2);
    expect(stderr).toBe(
      "croft: large.prob: no placement meets all requirements: service 3 requires 1.5 of dimension 2 on one element of a host, and the largest has 1\n",
    );
    const { bound, results } = JSON.parse(stdout) as { bound: number | null; results: Result[] };
    expect(bound).toBeNull();
    expect(results).toMatchObject([
      { algorithm: "meta-hvp", feasible: false, minYield: null, meanYield: null },
      { algorithm: "milp", feasible: false, minYield: null, meanYield: null },
    ]);
    expect(existsSync(join(folder, "none.csv"))).toBe(false);
  });

  it("gives no wrong reason where only a solver proves that there is no placement", async () => {
    const five = "0.4 0 0.4 0\n".repeat(5);
    writeFileSync(join(folder, "pairs.prob"), `1 2 5\n1 1\n1 1\n${five}`);
    const { status, stderr } = await croft("fractional", "solve", "pairs.prob", "--algorithm", "milp");
    expect(status).toBe(2);
    expect(stderr).toBe(
      "croft: pairs.prob: no placement meets all requirements: milp proves it, though every service by itself fits on some host, and all hosts together have enough\n",
    );
  });

  it.each([
    [["none.prob"], "croft: none.prob: there is no such file\n"],
    [["equal.prob", "--algorithm", "vp-ff-sun"], 'croft: no algorithm "vp-ff-sun" (the nearest: vp-ff-sum'],
    [
      ["equal.prob", "--algorithm", "meta-vp", "vp-ff-sun"],
      'croft: no algorithm "vp-ff-sun" (the nearest: vp-ff-sum',
    ],
    [["equal.prob", "meta-vp"], 'croft: too many arguments: "meta-vp"; name algorithms with --algorithm\n'],
    [["short.prob"], "croft: short.prob:8: the file ends after 31 of the 32 numbers"],
    [["equal.prob", "--time-limit", "0"], "error: option '--time-limit <seconds>' argument '0' is invalid"],
  ])("refuses %j", async (args, message) => {
    writeFileSync(join(folder, "short.prob"), EQUAL.slice(0, -2));
    const { status, stdout, stderr } = await croft("fractional", "solve", ...args);
    expect(status).toBe(2);
    expect(stdout).toBe("");
    expect(stderr.startsWith(message)).toBe(true);
  });
});

describe("fractional generate", () => {
  it("makes the same instance from the same seed, which can be solved", async () => {
    const make = ["fractional", "generate", "--hosts", "8", "--services", "30", "--shape", "cores", "--out"];
    await Promise.all([
      croft(...make, "a.prob"),
      croft(...make, "b.prob"),
      croft(...make, "c.prob", "--seed", "2"),
    ]);
    const [a, b, c] = ["a.prob", "b.prob", "c.prob"].map((file) => readFileSync(join(folder, file), "utf8"));
    expect(a).toBe(b);
    expect(a).not.toBe(c);
    const { bound, results } = await solveJson("a.prob", "--verify");
    expect(results[0].feasible).toBe(true);
    expect(results[0].minYield).toBeLessThanOrEqual(bound!);
  });

  it("refuses a slack of all memory", async () => {
    const { status, stderr } = await croft("fractional", "generate", "--slack", "1", "--out", "x.prob");
    expect(status).toBe(2);
    expect(stderr).toContain("Give a number from 0 to below 1.");
  });
});
