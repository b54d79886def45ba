import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { renderStudyPage } from "../../src/research/report/index.ts";
import {
  judgeClaims,
  onlineClaims,
  studyOnline,
  summarise,
  weeksOf,
  type OnlineRow,
  type OnlineSummary,
} from "../../src/research/study/index.ts";
import { InputError, readMachines } from "../../src/workload/index.ts";
import { researchGenerators } from "../../src/research/generators/registry.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "croft-online-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const machines = await readMachines("128x4c");
const small = {
  traces: 2,
  jobs: 40,
  loads: [0.3, 0.7],
  algorithms: ["FCFS", "GreedyPM *", "/per/MVT"],
  periodsSeconds: [2400],
  priorities: ["VT"],
};
/**
 * 2 traces × 2 loads × (3 + 2 with the penalty), and at one load a period for one algorithm and a priority for another,
 * under both penalties.
 */
const RUNS = 2 * (2 * 5 + 1 + 2);

const untimed = (rows: readonly OnlineRow[]): unknown[] =>
  rows.map(({ simulationSeconds: _seconds, ...row }) => row);

describe("the study of online algorithms", () => {
  it("takes up what an earlier run has left, and comes to the same", async () => {
    const file = join(folder, "runs.jsonl");
    const whole = await studyOnline(machines, null, { ...small, resultsFile: file, threads: 2 });
    expect(whole).toHaveLength(RUNS);
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    expect(lines).toHaveLength(1 + RUNS);
    // Broken off in the middle of a line.
    writeFileSync(file, `${lines.slice(0, 9).join("\n")}\n${lines[9].slice(0, 30)}`);
    const kept: number[] = [];
    const again = await studyOnline(machines, null, {
      ...small,
      resultsFile: file,
      threads: 1,
      onProgress: ({ runsKept, runsDone, runs }) => kept.push(runsKept, runsDone, runs),
    });
    expect(kept.slice(0, 3)).toEqual([8, 8, RUNS]);
    expect(kept.slice(-3)).toEqual([8, RUNS, RUNS]);
    // Told, and written, run by run.
    expect(kept).toHaveLength(3 * (RUNS - 8 + 1));
    expect(untimed(again)).toEqual(untimed(whole));
    const after = readFileSync(file, "utf8").trim().split("\n");
    expect(new Set(after.map((line) => line.replace(/"simulationSeconds".*/, ""))).size).toBe(1 + RUNS);
    await expect(studyOnline(machines, null, { ...small, jobs: 41, resultsFile: file })).rejects.toThrow(
      /holds the results of another study/,
    );
  });

  it("says which line of the file is none of its own, and leaves the file as it is", async () => {
    const one = { ...small, traces: 1, loads: [0.3], periodsSeconds: [], priorities: [], threads: 1 };
    const file = join(folder, "broken.jsonl");
    const options = { ...one, resultsFile: file };
    await studyOnline(machines, null, options);
    const [head, first, second, ...more] = readFileSync(file, "utf8").split("\n");
    for (const broken of ["no json", "", "5", "null", "[]", "{}", second.replace('"pauses"', '"paused"')]) {
      const content = [head, first, broken, ...more].join("\n");
      writeFileSync(file, content);
      const attempt = studyOnline(machines, null, options);
      await expect(attempt).rejects.toThrow(InputError);
      await expect(attempt).rejects.toThrow(
        `${file}:3: the line is no run of this study: take it out, and its run is made again`,
      );
      expect(readFileSync(file, "utf8")).toBe(content);
    }
    // What it says to do helps.
    writeFileSync(file, [head, first, ...more].join("\n"));
    const kept: number[] = [];
    await studyOnline(machines, null, { ...options, onProgress: ({ runsKept }) => kept.push(runsKept) });
    expect(kept).toEqual([4, 4]);
  });

  it("leaves a file that is not its own as it is, and takes up one broken off in its first line", async () => {
    const one = { ...small, traces: 1, loads: [0.3], algorithms: ["FCFS"], periodsSeconds: [], threads: 1 };
    const other = join(folder, "other.json");
    for (const content of ['{"a": 1,\n "b": 2}', '{"a": 1}']) {
      writeFileSync(other, content);
      await expect(studyOnline(machines, null, { ...one, resultsFile: other })).rejects.toThrow(
        /holds the results of another study/,
      );
      expect(readFileSync(other, "utf8")).toBe(content);
    }
    await expect(studyOnline(machines, null, { ...one, resultsFile: "/dev/null" })).rejects.toThrow(
      /is no file/,
    );
    const file = join(folder, "begun.jsonl");
    const whole = await studyOnline(machines, null, { ...one, resultsFile: file });
    const lines = readFileSync(file, "utf8").split("\n");
    for (const content of ["", lines[0].slice(0, 20)]) {
      writeFileSync(file, content);
      const again = await studyOnline(machines, null, { ...one, resultsFile: file });
      expect(untimed(again)).toEqual(untimed(whole));
      expect(readFileSync(file, "utf8").split("\n")).toHaveLength(lines.length);
    }
  });

  it("gives means over traces, and a page that shows them", async () => {
    const rows = await studyOnline(machines, null, { ...small, threads: 1 });
    const summary = summarise(rows, false);
    expect(summary.loads).toEqual([0.3, 0.7]);
    const fcfs = rows.filter((row) => row.policy === "FCFS" && row.load === 0.7);
    const mean = fcfs.reduce((sum, row) => sum + row.stretchMax / row.stretchBound, 0) / fcfs.length;
    for (const { lines } of summary.degradation) {
      // A penalty is nothing to a policy that moves nobody: both charts have it.
      expect(lines.find(({ policy }) => policy === "FCFS")!.points[1]).toEqual([0.7, mean]);
    }
    expect(summary.byPeriod!.degradation.map(({ points }) => points.map(([x]) => x))).toEqual([[600, 2400]]);
    // Another priority is no algorithm of its own.
    expect(summary.degradation[0].lines.map(({ policy }) => policy)).toEqual(small.algorithms);
    expect(summary.byPriority!.load).toBe(0.7);
    expect(
      summary.byPriority!.rows.map(({ priority, penaltySeconds }) => [priority, penaltySeconds]),
    ).toEqual([
      ["flow/virtual^2", 0],
      ["flow/virtual^2", 300],
      ["1/virtual", 0],
      ["1/virtual", 300],
    ]);
    const byAge = rows.filter(
      ({ policy, penaltySeconds }) => policy.endsWith("/PRIO=VT") && penaltySeconds === 300,
    );
    expect(byAge).toHaveLength(2);
    expect(summary.byPriority!.rows[3].degradation).toBeCloseTo(
      byAge.reduce((sum, row) => sum + row.stretchMax / row.stretchBound, 0) / 2,
      12,
    );
    expect(rows.every((row) => row.stretchBound <= row.stretchMax)).toBe(true);
    const page = renderStudyPage({
      title: "Online",
      workload: { name: "Lublin's model", synthetic: true, jobs: 40 },
      online: summary,
      claims: judgeClaims(onlineClaims, summary, null),
      command: "croft study online",
      version: "0",
    });
    expect(page).toContain("Synthetic workload, not a real log.");
    expect(page).toContain("GreedyPM *");
    expect(page).toContain("in brackets what was published");
    expect(page).toMatch(/By the priority under which jobs are paused or left out, at 70.% load/);
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });

  it("refuses a policy that is none", async () => {
    await expect(studyOnline(machines, null, { ...small, algorithms: ["/MVT"] })).rejects.toThrow(
      /nothing would ever start/,
    );
    await expect(studyOnline(machines, null, { ...small, loads: [] })).rejects.toThrow(/at least one load/);
  });

  it("cuts a log into weeks", async () => {
    const log = researchGenerators.find(({ name }) => name === "lublin")!.generate({ jobs: 3000, seed: 2 });
    const weeks = weeksOf(log, 50);
    expect(weeks.length).toBeGreaterThan(1);
    for (const week of weeks) {
      expect(week.submitSeconds.at(-1)! - week.submitSeconds[0]).toBeLessThan(7 * 86_400);
      expect([week.nodeCpu!.length, week.tasks!.length, week.queue!.codes.length]).toEqual([
        week.count,
        week.count,
        week.count,
      ]);
    }
    expect(weeks.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(3000);
    const rows = await studyOnline(machines, weeks.slice(0, 1), {
      algorithms: ["FCFS", "MCB *"],
      penaltiesSeconds: [0],
      periodsSeconds: [],
      threads: 1,
    });
    expect(rows.map(({ trace, policy }) => [trace, policy])).toEqual([
      ["week 1", "FCFS"],
      ["week 1", "MCB *"],
    ]);
    // The same week is at the same load under policies that count its needs in whole nodes, and in parts.
    expect(rows[0].load).toBe(rows[1].load);
    expect(summarise(rows, true).loads).toHaveLength(1);
  });

  it("gives whole nodes under the published names, also to a log that counts cores", async () => {
    const {
      nodeCpu: _cpu,
      nodeMemory: _memory,
      ...log
    } = researchGenerators.find(({ name }) => name === "lublin")!.generate({ jobs: 3000, seed: 2 });
    const rows = await studyOnline(machines, weeksOf(log, 50).slice(0, 1), {
      algorithms: ["FCFS", "EASY"],
      penaltiesSeconds: [0],
      periodsSeconds: [],
      threads: 1,
    });
    expect(rows.map(({ policy }) => policy)).toEqual(["FCFS", "EASY"]);
    for (const { stretchMax, stretchBound } of rows) expect(stretchMax).toBeGreaterThanOrEqual(stretchBound);
  });

  it("does not take another log's weeks for its own", async () => {
    const lublin = researchGenerators.find(({ name }) => name === "lublin")!;
    const [one, other] = [2, 3].map((seed) => weeksOf(lublin.generate({ jobs: 3000, seed }), 50).slice(0, 1));
    expect(one[0].name).toBe(other[0].name);
    const resultsFile = join(folder, "weeks.jsonl");
    const options = {
      algorithms: ["FCFS"],
      penaltiesSeconds: [0],
      periodsSeconds: [],
      threads: 1,
      resultsFile,
    };
    const rows = await studyOnline(machines, one, options);
    expect(await studyOnline(machines, one, options)).toEqual(rows);
    await expect(studyOnline(machines, other, options)).rejects.toThrow(/holds the results of another study/);
  });
});

const best = "GreedyPM */per/MVT";
type Ends = Readonly<Record<string, number>>;

/** Figures at two loads, the higher of which decides. */
function figures(
  without: Ends,
  withPenalty: Ends,
  bandwidth: Ends = {},
  period: readonly [number, number, number, number] = [1, 0.5, 5, 9],
  priorities: Ends = {},
): OnlineSummary {
  const lines = (ends: Ends): OnlineSummary["degradation"][number]["lines"] =>
    Object.entries(ends).map(([policy, end]) => ({
      policy,
      points: [
        [0.1, 1],
        [0.9, end],
      ],
    }));
  const [wide, narrow, low, high] = period;
  return {
    traces: 1,
    jobs: 1,
    loads: [0.1, 0.9],
    degradation: [
      { penaltySeconds: 0, lines: lines(without) },
      { penaltySeconds: 300, lines: lines(withPenalty) },
    ],
    bandwidthLoad: 0.7,
    bandwidth: Object.entries(bandwidth).map(([policy, pauseMean]) => ({
      policy,
      pauseMean,
      pauseMax: pauseMean,
      migrationMean: 0,
      migrationMax: 0,
    })),
    byPeriod: {
      load: 0.7,
      penaltySeconds: 300,
      bandwidth: [
        {
          policy: best,
          points: [
            [600, wide],
            [9600, narrow],
          ],
        },
      ],
      degradation: [
        {
          policy: best,
          points: [
            [600, low],
            [9600, high],
          ],
        },
      ],
    },
    byPriority: {
      load: 0.7,
      rows: Object.entries(priorities).map(([priority, degradation]) => ({
        policy: best,
        priority,
        penaltySeconds: 300,
        degradation,
        gigabytesPerSecond: 0,
      })),
    },
  };
}

const batch = { FCFS: 1000, EASY: 500 };
const cases: readonly [claim: RegExp, holding: OnlineSummary, failing: OnlineSummary][] = [
  [
    /^without a penalty, FCFS and EASY/,
    figures({ ...batch, [best]: 5, "MCB */per/MVT": 4 }, {}),
    figures({ ...batch, [best]: 6, "MCB */per/MVT": 4 }, {}),
  ],
  [
    /^with the penalty, fractional scheduling/,
    figures({}, { ...batch, [best]: 5 }),
    figures({}, { ...batch, [best]: 6 }),
  ],
  [
    /is among the best$/,
    figures({}, { [best]: 10, "GreedyP *": 5 }),
    figures({}, { [best]: 10.1, "GreedyP *": 5 }),
  ],
  [
    /^a minimum virtual time/,
    figures({}, { [best]: 5, "GreedyPM */per": 6 }),
    figures({}, { [best]: 7, "GreedyPM */per": 6 }),
  ],
  [
    /^bandwidth costs are reasonable/,
    figures({}, {}, { "GreedyPM *": 0.5, [best]: 1 }),
    figures({}, {}, { "GreedyPM *": 0.6, [best]: 1 }),
  ],
  [
    /^the priority flow ÷ virtual performs poorly/,
    figures({}, {}, {}, undefined, { "1/virtual": 4, "flow/virtual": 5.1 }),
    figures({}, {}, {}, undefined, { "1/virtual": 4, "flow/virtual": 4.9 }),
  ],
  [
    /^the priority flow ÷ virtual² performs about the same/,
    figures({}, {}, {}, undefined, { "1/virtual": 4, "flow/virtual^2": 4.9 }),
    figures({}, {}, {}, undefined, { "1/virtual": 4, "flow/virtual^2": 3.1 }),
  ],
  [/^a longer period cuts/, figures({}, {}, {}, [1, 0.5, 5, 6]), figures({}, {}, {}, [1, 0.6, 5, 5])],
  [/^longer periods trade/, figures({}, {}, {}, [1, 0.5, 5, 9]), figures({}, {}, {}, [0.5, 1, 5, 9])],
];

describe("the slides' claims", () => {
  const judged = (claim: RegExp, summary: OnlineSummary): boolean | null => {
    const found = judgeClaims(onlineClaims, summary, null).filter((each) => claim.test(each.claim));
    expect(found).toHaveLength(1);
    expect(found[0].evidence).not.toBe("");
    return found[0].holds;
  };

  it.each(cases)("%s holds, does not hold, and cannot be judged", (claim, holding, failing) => {
    expect(judged(claim, holding)).toBe(true);
    expect(judged(claim, failing)).toBe(false);
    expect(judged(claim, { ...figures({}, {}), byPeriod: null, byPriority: null })).toBeNull();
  });

  it("are all tested", () => {
    for (const { claim } of onlineClaims) expect(cases.some(([tested]) => tested.test(claim))).toBe(true);
  });
});
