import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { parquetReadObjects } from "hyparquet";
import { describe, expect, it } from "vitest";

import { croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);

describe("nodes shared in parts", () => {
  it("runs policies in the slides' notation, and says what the contract says", async () => {
    writeFileSync(join(folder, "two.txt"), "0 0 1 1.0 0.6 100\n1 50 1 1.0 0.6 20\n");
    const { status, stdout } = await croft(
      ["simulate", "two.txt", "--format", "tasks", "--machines", "1x4c", "--json"],
      ["--policy", "GreedyP *,whole-node/fcfs,easy", "--penalty", "30", "--period", "600", "--mvt", "600"],
      ["--node-memory", "16"],
    );
    expect(status).toBe(0);
    const { workload, runs } = JSON.parse(stdout) as {
      workload: Record<string, unknown>;
      runs: Record<string, unknown>[];
    };
    expect(workload["offeredLoad"]).toBeCloseTo(120 / 50, 12);
    expect(runs.map(({ policy }) => policy)).toEqual(["GreedyP *", "whole-node/fcfs", "easy"]);
    expect(runs[0]).toMatchObject({
      stretchMean: 1.25,
      stretchMax: 1.5,
      pauses: 1,
      migrations: 0,
      needs: "log",
    });
    expect(runs[0]["pauseGBPerSecondMean"]).toBeCloseTo((2 * 0.6 * 16) / 150, 12);
    expect(runs[0]["stretchBound"]).toBeCloseTo(1.2, 3);
    expect(runs[1]).toMatchObject({ stretchMax: 3.5, pauses: 0, migrationGBPerSecondMean: 0 });
    expect(runs[0]["simulationSeconds"]).toBeGreaterThan(0);
  });

  it.each(["csv", "parquet"])("writes when jobs ended into a schedule as %s", async (format) => {
    writeFileSync(join(folder, "halves.txt"), "1 0 1 1 0.1 100\n2 0 1 1 0.1 50\n");
    const file = `halves.${format}`;
    const { status } = await croft(
      ["simulate", "halves.txt", "--format", "tasks", "--machines", "1x4c", "--policy", "Greedy *"],
      ["--schedule", file],
    );
    expect(status).toBe(0);
    const { buffer, byteOffset, byteLength } = readFileSync(join(folder, file));
    const bytes = buffer.slice(byteOffset, byteOffset + byteLength);
    const ends =
      format === "csv"
        ? Buffer.from(bytes)
            .toString()
            .trim()
            .split("\n")
            .slice(1)
            .map((line) => Number(line.split(",")[3]))
        : (await parquetReadObjects({ file: bytes })).map((row) => row["end"]);
    // Half the node each until the shorter one ends.
    expect(ends).toEqual([150, 100]);
  });

  it("calls a policy the same in the schedule file, the table and the JSON, however it was typed", async () => {
    writeFileSync(join(folder, "named.txt"), "1 0 1 1 0.1 100\n");
    const args = [
      "simulate",
      "named.txt",
      "--format",
      "tasks",
      "--machines",
      "1x4c",
      "--schedule",
      "named.csv",
    ];
    const typed = ["--policy", "greedypm*/PER,GreedyPM */per,easy"];
    const { stdout } = await croft(args, typed);
    const names = ["GreedyPM */per", "easy"];
    const column = (text: string, line: RegExp): string[] => [...text.matchAll(line)].map(([, name]) => name);
    expect(column(stdout, /^(GreedyPM \*\/per|easy) +0 s/gm)).toEqual(names);
    expect(column(readFileSync(join(folder, "named.csv"), "utf8"), /^([^,]+),1,0,/gm)).toEqual(names);
    const { runs } = JSON.parse((await croft(args, typed, "--json")).stdout) as {
      runs: { policy: string }[];
    };
    expect(runs.map(({ policy }) => policy)).toEqual(names);
  });

  it("runs what is named beside all of a pool's policies too", async () => {
    writeFileSync(join(folder, "beside.txt"), "1 0 1 1 0.1 100\n");
    const args = ["simulate", "beside.txt", "--format", "tasks", "--machines", "1x4c", "--json", "--policy"];
    const { stdout } = await croft(args, "all,greedy,fcfs");
    const names = (JSON.parse(stdout) as { runs: { policy: string }[] }).runs.map(({ policy }) => policy);
    expect(names.at(-1)).toBe("Greedy *");
    expect(names.filter((name) => name === "fcfs")).toHaveLength(1);
    const wrong = await croft(args, "all,fcfz");
    expect(wrong.stderr).toMatch(/^croft: unknown policy "fcfz"; /);
  });

  it("says on which policies an option has no effect, and goes on", async () => {
    writeFileSync(join(folder, "mixed.txt"), "1 0 1 1 0.1 100\n");
    const { status, stdout, stderr } = await croft(
      ["simulate", "mixed.txt", "--format", "tasks", "--machines", "1x4c", "--policy", "easy,greedy"],
      ["--interval", "30"],
    );
    expect(status).toBe(0);
    expect(stdout).toContain("Greedy *");
    expect(stderr).toMatch(/^--interval has no effect on Greedy \*: .*\n$/);
  });

  it("says so of the options of a part that the policy does not have", async () => {
    writeFileSync(join(folder, "parts.txt"), "1 0 1 1 0.1 100\n");
    const { status, stderr } = await croft(
      ["simulate", "parts.txt", "--format", "tasks", "--machines", "1x4c", "--mvt", "100", "--mft", "9"],
      ["--policy", "greedy,/per/MVT", "--period", "60"],
    );
    expect(status).toBe(0);
    expect(stderr.trimEnd().split("\n").sort()).toEqual([
      "--mft has no effect on Greedy *, /per/MVT: it is for policies with /MFT",
      "--mvt has no effect on Greedy *: it is for policies with /MVT",
      "--period has no effect on Greedy *: it is for policies with /per or /stretch-per",
    ]);
  });

  it("tells the penalty and the period in the report", async () => {
    writeFileSync(join(folder, "one.txt"), "0 0 1 1.0 0.6 100\n");
    const { status } = await croft(
      ["simulate", "one.txt", "--format", "tasks", "--machines", "1x4c", "--policy", "/per/MVT"],
      ["--penalty", "31", "--period", "601", "--mvt", "602", "--out", "told"],
    );
    expect(status).toBe(0);
    const report = readFileSync(join(folder, "told/report.html"), "utf8");
    for (const setting of ["31\u00a0s without progress", "every 601\u00a0s", "602\u00a0s of virtual time"])
      expect(report).toContain(setting);
  });

  it("explains a name that is none", async () => {
    const { status, stderr } = await croft(
      "simulate",
      "two.txt",
      "--machines",
      "1x4c",
      "--policy",
      "GreedyQ *",
    );
    expect(status).toBe(2);
    expect(stderr).toBe(
      'croft: policy "GreedyQ *": before the first slash there can be nothing, Greedy, GreedyP, GreedyPM or MCB; did you mean Greedy *, GreedyP *, GreedyPM *?\n',
    );
  });

  it("generates a load, and studies", async () => {
    const made = await croft(
      "workload",
      "generate",
      "lublin",
      "--jobs",
      "60",
      "--load",
      "0.5",
      "--out",
      "l.tasks",
    );
    expect(made.stderr).toContain("60 synthetic jobs written as tasks");
    const refused = await croft("workload", "generate", "netbatch-a", "--load", "0.5", "--out", "n.csv");
    expect(refused.stderr).toBe("croft: netbatch-a has the load of its log: leave --load out\n");
    const study = await croft(
      ["study", "online", "--traces", "1", "--jobs", "30", "--load", "0.5", "--period", "600"],
      ["--policy", "FCFS,whole-node/fcfs,greedypm,GreedyPM *", "--threads", "1", "--json"],
    );
    expect(study.status).toBe(0);
    const { synthetic, summary } = JSON.parse(study.stdout) as {
      synthetic: boolean;
      summary: {
        loads: number[];
        degradation: { lines: { policy: string }[] }[];
        bandwidth: { policy: string; published?: unknown }[];
      };
    };
    expect(synthetic).toBe(true);
    expect(summary.loads).toEqual([0.5]);
    // Under the names that the published figures have.
    expect(summary.degradation[0].lines.map(({ policy }) => policy)).toEqual(["FCFS", "GreedyPM *"]);
    expect(summary.bandwidth).toMatchObject([{ policy: "GreedyPM *", published: { pauseMax: 0.07 } }]);
    const lost = await croft("study", "online", "--slices", "week");
    expect(lost.stderr).toBe("croft: --slices and --most cut a log: give --workload\n");
  });
});
