import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { beforeAll, describe, expect, it } from "vitest";

import { busyLog, croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
const farm = ["--machines", "8x8c32g"];

beforeAll(() => {
  const log = Buffer.from(busyLog(300));
  const files: Record<string, string | Uint8Array> = {
    "good.csv": log,
    "cut.csv.gz": gzipSync(log).subarray(0, 1000),
    "binary.swf": Uint8Array.from({ length: 5000 }, (_, i) => (i * 37) % 256),
    "empty.swf": "",
    "no-jobs.swf": "; Version: 2.2\n",
    "no-memory.csv": "submit,runtime,cores\n0,1,1\n",
    "negative.csv": "submit,runtime,cores\n0,1,1\n0,-1,1\n",
    "long.csv": `submit,runtime,cores\n0,1,1\n${"9".repeat(10_000_000)}\n`,
    "zero-cores.csv": "id,cores,memory\na,4,100\nb,0,100\n",
    "shares.csv": "project,share\n/a,0\n",
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
});

const memoryPolicy = ["--policy", "best-fit-memory"];
const cases: [what: string, args: string[], status: 1 | 2, message: RegExp][] = [
  ["a missing log", ["none.swf", ...farm], 2, /^croft: none\.swf: there is no such file$/m],
  ["a truncated gzip", ["cut.csv.gz", ...farm], 2, /^croft: cut\.csv\.gz: the packed data is cut short/m],
  ["a binary file", ["binary.swf", ...farm], 2, /^croft: binary\.swf:1: .*binary/m],
  ["an empty log", ["empty.swf", ...farm], 2, /^croft: empty\.swf: the file is empty$/m],
  ["a log without jobs", ["no-jobs.swf", ...farm], 2, /^croft: no-jobs\.swf: there is no job in it$/m],
  ["a memory policy on a log without memory", ["no-memory.csv", ...farm, ...memoryPolicy], 2, /no-memory/],
  [
    "a memory policy on a farm without",
    ["good.csv", "--machines", "2x4c", ...memoryPolicy],
    2,
    /2x4c have none/,
  ],
  ["a negative run time", ["negative.csv", ...farm, "--strict"], 2, /^croft: negative\.csv:3: the run time/m],
  ["a line of 10 MB", ["long.csv", ...farm], 2, /^croft: long\.csv:3: the line is longer/m],
  [
    "a machine without cores",
    ["good.csv", "--machines", "zero-cores.csv"],
    2,
    /^croft: zero-cores\.csv:3: /m,
  ],
  ["a group without cores", ["good.csv", "--machines", "2x0c4g"], 2, /0 cores/],
  [
    "a group without machines",
    ["good.csv", "--machines", "0x4c"],
    2,
    /^croft: "0x4c" has no machines: give at least one, as in 1024x8c12g/m,
  ],
  [
    "a report below a file",
    ["good.csv", ...farm, "--out", "good.csv/report"],
    2,
    /^croft: good\.csv\/report: the folder cannot be made: \S*good\.csv is a file; name another folder$/m,
  ],
  ["no such machines", ["good.csv", "--machines", "farm"], 2, /neither a file nor a shorthand/],
  ["an unknown policy", ["good.csv", ...farm, "--policy", "mixfit"], 2, /"mixfit"; did you mean mix-fit,/],
  [
    "backfilling for no job",
    ["good.csv", ...farm, "--policy", "backfill:0"],
    2,
    /"backfill:0": say how many .* as in backfill:100/,
  ],
  [
    "backfilling without a number",
    ["good.csv", ...farm, "--policy", "backfill"],
    2,
    /"backfill": say how many .* as in backfill:100/,
  ],
  [
    "backfilling for too many jobs",
    ["good.csv", ...farm, "--policy", "backfill:5000000"],
    2,
    /"backfill:5000000": say how many .* as in backfill:100/,
  ],
  ["an unknown heuristic", ["good.csv", ...farm, "--max-jobs", "first"], 2, /"first".*first-fit/],
  ["a share of nothing", ["good.csv", ...farm, "--shares", "shares.csv"], 2, /^croft: shares\.csv:2: /m],
  ["shares without projects", ["no-memory.csv", ...farm, "--fair-share"], 2, /names no projects/],
  [
    "a half-life of cores in use",
    ["good.csv", ...farm, "--fair-share", "--half-life", "1d"],
    2,
    /^croft: --half-life: only with --fair-share usage$/m,
  ],
  ["no half-life", ["good.csv", ...farm, "--fair-share", "usage", "--half-life", "0"], 2, /1s or more/],
  ["an unknown format", ["good.csv", ...farm, "--format", "xml"], 2, /Allowed choices are .*swf/],
  ["no machines", ["good.csv"], 2, /--machines/],
  ["a load and a beta", ["good.csv", ...farm, "--load", "1", "--beta", "1"], 2, /cannot be used with/],
  ["a load that is not a number", ["good.csv", ...farm, "--load", "high"], 2, /'high' is invalid/],
  ["a load of nothing", ["good.csv", ...farm, "--load", "0"], 2, /above 0/],
  [
    "a folder under a file",
    ["good.csv", ...farm, "--out", "good.csv/out"],
    2,
    /^croft: good\.csv\/out: the folder/m,
  ],
  ["a file for a folder", ["good.csv", ...farm, "--out", "good.csv"], 2, /good\.csv is a file/],
  [
    "a schedule of no format known",
    ["good.csv", ...farm, "--schedule", "s.xls"],
    2,
    /^croft: s\.xls: a schedule is written as \.csv, .*: end the name in one of them$/m,
  ],
  [
    "a schedule nowhere",
    ["good.csv", ...farm, "--schedule", "no/s.csv"],
    2,
    /no\/s\.csv: .*folder does not exist/,
  ],
];

describe("bad input", () => {
  it.for(cases)("%s", async ([, args, status, message]) => {
    const before = readdirSync(folder);
    const run = await croft("simulate", ...args);
    expect(run.stderr).toMatch(message);
    expect(run.stderr).not.toMatch(/^ +at /m);
    expect(run.status).toBe(status);
    expect(run.stdout).toBe("");
    expect(readdirSync(folder)).toEqual(before);
  });

  it("leaves no folder and no schedule where a run fails", async () => {
    const before = readdirSync(folder);
    const run = await croft([
      "simulate",
      "no-memory.csv",
      ...farm,
      ...memoryPolicy,
      "--schedule",
      "s.csv",
      "--out",
      "deep/out",
    ]);
    expect(run.status).toBe(2);
    expect(readdirSync(folder)).toEqual(before);
  });

  it("is bad usage where the command is unknown", async () => {
    const run = await croft("simulat");
    expect(run.status).toBe(2);
    expect(run.stderr).toContain("Did you mean simulate?");
  });

  it("is help for what there is not", async () => {
    const [nothing, study, simulate] = await Promise.all([
      croft("help", "nothing"),
      croft("help", "study", "nothing"),
      croft("help", "simulate", "now"),
    ]);
    expect(nothing.stderr).toMatch(
      /^error: croft has no command 'nothing'; it has simulate, sweep, explain, /,
    );
    expect(study.stderr).toMatch(/^error: croft study has no command 'nothing'; it has buckets, /);
    expect(simulate.stderr).toBe("error: croft simulate has no commands of its own, so no 'now'\n");
    for (const { status, stdout } of [nothing, study, simulate]) expect([status, stdout]).toEqual([2, ""]);
  });

  it("is no failure to ask for help or the version", async () => {
    const [help, nested, flag, version] = await Promise.all([
      croft("simulate", "--help"),
      croft("help", "study", "online"),
      croft("--version"),
      croft("version"),
    ]);
    expect(help.status).toBe(0);
    expect(help.stdout).toContain("--preset <name>");
    expect(nested.stdout).toMatch(/^Usage: croft study online /);
    expect(nested.status).toBe(0);
    expect(flag.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(version.stdout).toBe(
      `croft ${flag.stdout.trim()} (Node.js ${process.versions.node}, ${process.platform}-${process.arch})\n`,
    );
  });
});

describe.skipIf(!existsSync("/dev/full"))("a full disk (needs /dev/full)", () => {
  it("is the machine's failure", async () => {
    const run = await croft("simulate", "good.csv", ...farm, "--schedule", "/dev/full");
    expect(run.stderr).toContain("croft: /dev/full: the disk is full");
    expect(run.status).toBe(1);
    expect(existsSync("/dev/full")).toBe(true);
  });
});
