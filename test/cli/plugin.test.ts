import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import type { RunResult } from "../../src/simulation/index.ts";
import { busyLog, croftIn, temporaryFolder } from "./croft.fixture.ts";

const folder = temporaryFolder();
const croft = croftIn(folder);
writeFileSync(join(folder, "busy.csv"), busyLog(300));
copyFileSync(fileURLToPath(new URL("../../examples/plugin.ts", import.meta.url)), join(folder, "plugin.ts"));
const pool = "machines: [{ count: 4, cores: 8, memory: 32 GiB }]";
writeFileSync(
  join(folder, "farm.yaml"),
  `pools:\n  - { name: a, ${pool}, policy: most-headroom }\n  - { name: b, ${pool} }\n`,
);
writeFileSync(
  join(folder, "tight.yaml"),
  "pools: [{ name: a, machines: [1x8c32g] }, { name: b, machines: [1x8c32g] }]\nrescheduling: { waitThreshold: 1m }\n",
);

const json = (text: string): readonly RunResult[] =>
  (JSON.parse(text) as { runs: readonly RunResult[] }).runs;

describe("simulate --plugin", () => {
  it("runs a heuristic of one's own beside the others, alone and under a policy, in threads too", async () => {
    const { status, stdout } = await croft(
      ["simulate", "busy.csv", "--machines", "4x8c32g", "--plugin", "plugin.ts", "--json", "--out", "report"],
      ["--policy", "worse-fit-cores,most-headroom,easy/most-headroom", "--load", "0.9", "--threads", "2"],
    );
    expect(status).toBe(0);
    const runs = json(stdout);
    expect(runs.map(({ policy }) => policy)).toEqual([
      "worse-fit-cores",
      "most-headroom",
      "easy/most-headroom",
    ]);
    expect(runs[1].waitMeanSeconds).not.toBe(runs[0].waitMeanSeconds);
    expect(runs[2].waitMeanSeconds).not.toBe(runs[1].waitMeanSeconds);
    const html = readFileSync(join(folder, "report", "report.html"), "utf8");
    expect(html).toMatch(/load, .*most-headroom/);
  });

  it("takes its names in a farm file, and for routings and strategies", async () => {
    const { status, stdout } = await croft(
      ["simulate", "busy.csv", "--farm", "farm.yaml", "--plugin", "plugin.ts", "--json"],
      ["--routing", "first-eligible", "--strategy", "next-pool"],
    );
    expect(status).toBe(0);
    const [run] = json(stdout);
    expect(run).toMatchObject({
      policy: "most-headroom, first-fit",
      routing: "first-eligible",
      strategy: "next-pool",
    });
    expect(run.byPool!.map(({ jobs }) => jobs)).toEqual([300, 0]);
  });

  it.each([
    ["export default 3;", /plugin's default export is an object with lists: .*; this is a number/],
    ["export const a = 1;", /this is missing/],
    ["export default {};", /exports nothing/],
    ["export default { heuristic: [] };", /"heuristic" is nothing that a plugin exports/],
    ["export default { heuristics: {} };", /heuristics is an object, and must be a list/],
    [
      "export default { heuristics: [{ name: 'a' }] };",
      /heuristics\[0\]\.summary is missing: it must be a string/,
    ],
    [
      "export default { routings: [{ name: 'a b', summary: '', choose() {} }] };",
      /routings\[0\]\.name is "a b": a name begins with a letter/,
    ],
    [
      "export default { routings: [{ name: 'utilization', summary: '', choose() {} }] };",
      /the name "utilization" is taken already/,
    ],
    [
      "export default { heuristics: [{ name: 'easy', summary: '', needsMemory: false, keepsChoice: false, score() {} }] };",
      /the name "easy" is taken already/,
    ],
    [
      "export default { strategies: [{ name: 'a', summary: '', onSuspension: null }] };",
      /strategies\[0\]\.onLongWait is missing: give null if no job is moved then/,
    ],
    ["export default {", /cannot be loaded: /],
    ["\nundefined.a;", /croft: wrong-\w+\.mjs:2:\d+: cannot be loaded: Cannot read properties of undefined/],
  ])("refuses %s", async (source, message) => {
    const file = `wrong-${createHash("sha256").update(source).digest("hex").slice(0, 8)}.mjs`;
    writeFileSync(join(folder, file), source);
    const { status, stdout, stderr } = await croft(
      "simulate",
      "busy.csv",
      "--machines",
      "1x1c",
      "--plugin",
      file,
    );
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`croft: ${file}:`);
    expect(stderr).toMatch(message);
  });

  it.each([
    ["NaN", 1, /the run of policy mine crashed: heuristic mine gives machine 0 the score NaN/],
    ["\nmachines.none.at(0)", 2, /croft: mine-\d\.mjs:2:\d+: the plugin fails: Cannot read properties/],
  ])("tells what is wrong with a heuristic that returns %s", async (score, expected, message) => {
    const file = `mine-${expected}.mjs`;
    const mine = `name: "mine", summary: "", needsMemory: false, keepsChoice: false`;
    writeFileSync(
      join(folder, file),
      `export default { heuristics: [{ ${mine}, score: (machines) => ${score} }] };`,
    );
    const run = await croft(
      "simulate",
      "busy.csv",
      "--machines",
      "1x1c",
      "--plugin",
      file,
      "--policy",
      "mine",
    );
    expect([run.status, run.stdout]).toEqual([expected, ""]);
    expect(run.stderr).toMatch(message);
  });

  it.each([
    ["99", "-1", "routing far chooses pool 99: it must be one of view.pools that view.isEligible, or -1 if"],
    ["-1", "-1", "routing far chooses pool -1: "],
    ["undefined", "-1", "routing far chooses pool undefined: "],
    [
      "view.pools[0]",
      "0.5",
      "strategy away chooses pool 0.5: it must be the present pool, or one of view.pools",
    ],
  ])("refuses a routing that chooses %s, and a strategy that chooses %s", async (first, next, message) => {
    const file = `far-${first.length}-${next}.mjs`;
    const move = `{ how: "restart", startsTimerAnew: false, isCommon: false, choose: () => ${next} }`;
    writeFileSync(
      join(folder, file),
      `export default { routings: [{ name: "far", summary: "", choose: (view) => ${first} }],
        strategies: [{ name: "away", summary: "", onSuspension: ${move}, onLongWait: ${move} }] };`,
    );
    const run = await croft(
      ["simulate", "busy.csv", "--farm", "tight.yaml", "--plugin", file],
      ["--routing", "far", "--strategy", "away"],
    );
    expect([run.status, run.stdout]).toEqual([2, ""]);
    expect(run.stderr).toContain(`croft: ${file}: ${message}`);
  });

  it("refuses a second plugin", async () => {
    const { status, stderr } = await croft(
      ["simulate", "busy.csv", "--machines", "1x8c32g"],
      ["--plugin", "plugin.ts", "--plugin", "plugin.ts"],
    );
    expect(status).toBe(2);
    expect(stderr).toContain("Give one plugin: it may have several of each kind, and import other modules.");
  });

  it("refuses a file that there is not", async () => {
    const run = await croft("simulate", "busy.csv", "--machines", "1x1c", "--plugin", "none.mjs");
    expect([run.status, run.stderr]).toEqual([2, "croft: none.mjs: there is no such file\n"]);
  });
});
