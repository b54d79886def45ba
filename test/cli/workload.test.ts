import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { describe, expect, it } from "vitest";

import { busyLog, croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
writeFileSync(join(folder, "busy.csv"), busyLog(1500));

describe("workload convert", () => {
  it("gives the same workload through Parquet and back", async () => {
    await croft("workload", "convert", "busy.csv", "busy.parquet");
    await croft("workload", "convert", "busy.parquet", "back.csv");
    const withJob = (text: string): string[] => text.trimEnd().split("\n").slice(1);
    const back = withJob(readFileSync(join(folder, "back.csv"), "utf8"));
    // The writer adds the jobs' numbers in front.
    expect(back.map((line) => line.replace(/^\d+,/, ""))).toEqual(
      withJob(readFileSync(join(folder, "busy.csv"), "utf8")),
    );
  });

  it("asks for the format where the name does not tell", async () => {
    const { status, stderr } = await croft("workload", "convert", "busy.csv", "busy.xls");
    expect(status).toBe(2);
    expect(stderr).toBe(
      "croft: busy.xls: the name does not tell the format: end it in .parquet, .csv, .swf, .tasks, or give --to\n",
    );
  });
});

describe("workload generate", () => {
  it("makes a farm's workload and the farm, which simulate takes", async () => {
    const made = await croft(
      ["workload", "generate", "netbatch-week", "--jobs", "2000", "--out", "week.parquet"],
      ["--farm-out", "week.yaml"],
    );
    expect(made.stderr).toContain("week.yaml: the farm written");
    expect(readFileSync(join(folder, "week.yaml"), "utf8")).toMatch(/^# Synthetic: /);
    const { status, stdout } = await croft("simulate", "week.parquet", "--farm", "week.yaml", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ strategy: "NoRes", jobs: 2000, rejected: 0 }] });
    const pool = await croft(
      "workload",
      "generate",
      "netbatch-a",
      "--jobs",
      "5",
      "--out",
      "a.csv",
      "--farm-out",
      "f",
    );
    expect(pool).toMatchObject({ status: 2 });
    expect(pool.stderr).toBe(
      "croft: --farm-out: netbatch-a is for one pool; simulate it with --machines netbatch-a\n",
    );
  });

  it("tells what jobs ask of a farm, and where a requirement cannot be read", async () => {
    const log =
      "submit,runtime,cores,requires,pools,site,group,priority\n0,5,1,gpu,p1;p2,s,g,3\n1,5,1,,,,,\n";
    writeFileSync(join(folder, "asks.csv"), log);
    const { stdout } = await croft("workload", "inspect", "asks.csv");
    for (const title of ["sites", "groups", "priorities", "pools", "requirements"]) {
      expect(stdout).toMatch(new RegExp(`^${title} +2; `, "m"));
    }
    writeFileSync(join(folder, "one.yaml"), "pools: [{ name: p1, machines: [1x1c] }]");
    const unknown = await croft("simulate", "asks.csv", "--farm", "one.yaml");
    expect(unknown).toMatchObject({ status: 2, stdout: "" });
    expect(unknown.stderr).toContain(
      'croft: asks.csv:2: requirement "gpu": column 1: no machine of the farm has the attribute "gpu"; did you mean ',
    );
    writeFileSync(join(folder, "bad.csv"), log.replace("gpu", '"os = ""linux"""'));
    const bad = await croft("workload", "inspect", "bad.csv");
    expect(bad).toMatchObject({ status: 2, stdout: "" });
    expect(bad.stderr).toContain(
      `croft: bad.csv:2: requirement "os = \\"linux\\"": column 4: one "=" compares nothing`,
    );
  });

  it("makes the same synthetic workload from the same seed, and says that it is synthetic", async () => {
    const make = ["workload", "generate", "netbatch-d", "--jobs", "3000", "--seed", "5", "--out"];
    await Promise.all([croft(...make, "a.parquet"), croft(...make, "b.parquet")]);
    const [a, b] = ["a.parquet", "b.parquet"].map((file) => readFileSync(join(folder, file)));
    expect(a?.equals(b ?? Buffer.alloc(0))).toBe(true);
    const { stdout } = await croft(
      ["simulate", "a.parquet", "--machines", "netbatch-d"],
      ["--policy", "first-fit", "--json"],
    );
    expect(JSON.parse(stdout)).toMatchObject({ workload: { synthetic: true, jobs: 3000 } });
  });

  it("names its generators to who asks for another", async () => {
    const { status, stderr } = await croft("workload", "generate", "netbatch-z", "--out", "z.csv");
    expect(status).toBe(2);
    expect(stderr).toContain("choose netbatch-a, netbatch-b, netbatch-c, netbatch-d");
  });
});

describe("workload inspect", () => {
  it("tells what is in a log", async () => {
    const { stdout } = await croft("workload", "inspect", "busy.csv");
    expect(stdout).toMatch(/^jobs +1,500 over 12\.5 h$/m);
    expect(stdout).toMatch(/^serial jobs +60\.0%$/m);
    expect(stdout).toMatch(/^≤ 4 .* 20\.0%$/m);
  });

  it("gives every figure as JSON", async () => {
    const { stdout } = await croft("workload", "inspect", "busy.csv", "--json");
    const figures = JSON.parse(stdout) as Record<string, unknown>;
    expect(figures).toMatchObject({
      name: "busy",
      jobs: 1500,
      serialShare: 0.6,
      cores: { summary: { mean: 1.8, max: 4 } },
      buckets: { jobsPerBucket: 1000, cores: [1.8] },
      farm: null,
    });
  });
});

describe("policies", () => {
  it("says where one's own come from", async () => {
    expect((await croft("policies")).stdout).toMatch(/\n\nOf your own: croft simulate --plugin FILE, /);
  });

  it("lists names and summaries", async () => {
    const { stdout } = await croft("policies", "--json");
    const known = JSON.parse(stdout) as { name: string; summary: string }[];
    expect(known.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["mix-fit", "max-jobs", "backfill:N"]),
    );
    expect(known.every(({ summary }) => summary !== "")).toBe(true);
  });
});
