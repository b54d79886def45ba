import { describe, expect, it } from "vitest";

import { InputError, readMachines } from "../../workload/index.ts";
import { workloadOf } from "../../workload/workload-of.ts";
import { simulateAll } from "../../simulation/parallel/simulate-all.ts";
import { simulate } from "../../simulation/simulate.ts";
import { run, type Job } from "./fractional.fixture.ts";

/** Worked by hand, to the second. */
describe("yields and virtual time", () => {
  it("two jobs that could each use the node have half of it", async () => {
    const { ends, result } = await run(1, "Greedy *", [
      [0, 1, 1, 0.1, 100],
      [0, 1, 1, 0.1, 100],
    ]);
    expect(ends).toEqual([200, 200]);
    expect(result.stretchMax).toBe(2);
    expect(result.stretchBound).toBeCloseTo(2, 3);
  });

  it("figures of stretch are of all jobs, whatever else is left out", async () => {
    const jobs: Job[] = [
      [0, 1, 1, 0.1, 100],
      [0, 1, 1, 0.1, 100],
      [500, 1, 1, 0.1, 100],
    ];
    const { result } = await run(1, "Greedy *", jobs, { warmupSeconds: 400 });
    expect(result).toMatchObject({ stretchMax: 2, stretchMean: 5 / 3, boundedSlowdownMean: 1 });
  });

  it("three have 33 % each, and end at the first full second", async () => {
    const job: Job = [0, 1, 1, 0.1, 100];
    // 100 s ÷ 0.33 = 303.03 s.
    expect((await run(1, "Greedy *", [job, job, job])).ends).toEqual([304, 304, 304]);
  });

  it("virtual time is the integral of the yield", async () => {
    const jobs: Job[] = [
      [0, 1, 1, 0.1, 100],
      [50, 1, 1, 0.1, 100],
    ];
    // The first has run 50 s alone, and needs 100 s for the other 50 s; the second is alone from then on.
    expect((await run(1, "Greedy *", jobs)).ends).toEqual([150, 200]);
  });

  it("a job runs at the yield of its worst node, and CPU beyond that is for the others there", async () => {
    const jobs: Job[] = [
      [0, 2, 1, 0.1, 100],
      [0, 1, 1, 0.1, 100],
      [0, 1, 0.25, 0.1, 100],
    ];
    // Node 1: jobs 1 and 2, half each. Node 2: job 1 has its half, job 3 the quarter that it needs.
    expect((await run(2, "Greedy *", jobs)).ends).toEqual([200, 200, 100]);
  });

  it("the highest average yield favours the cheap ones", async () => {
    const jobs: Job[] = [
      [0, 1, 1, 0.1, 150],
      [0, 1, 0.25, 0.1, 100],
    ];
    // A need of 125 %: 80 % of it for each, and nothing left. At 125 s the first has run 100 s, and is alone.
    expect((await run(1, "Greedy *", jobs)).ends).toEqual([175, 125]);
    expect((await run(1, "Greedy */OPT=AVG", jobs)).ends).toEqual([175, 125]);
    const three: Job[] = [
      [0, 2, 1, 0.1, 100],
      [0, 1, 1, 0.1, 100],
      [0, 1, 0.25, 0.1, 100],
    ];
    // All have at least half. Of what is left on node 2, job 3 takes what it can use.
    expect((await run(2, "Greedy */OPT=AVG", three)).ends).toEqual([200, 200, 100]);
  });
});

describe("greedy algorithms", () => {
  it("Greedy waits for memory", async () => {
    const { starts, ends } = await run(1, "Greedy *", [
      [0, 1, 1, 0.6, 100],
      [10, 1, 1, 0.6, 100],
    ]);
    expect(starts).toEqual([0, 100]);
    expect(ends).toEqual([100, 200]);
  });

  it("counts who waits at a decision, and the decisions that start somebody", async () => {
    const job: Job = [0, 1, 1, 0.6, 100];
    const { result } = await run(1, "Greedy *", [job, job, [50, 1, 1, 0.6, 100], [450, 1, 1, 0.6, 100]]);
    // At 0 two have come; at 50 the second and the third wait. They start at 100 and 200; at 300 and 550 nobody is left.
    expect(result).toMatchObject({ queueLengthMax: 2, cycles: 7, matchingCycles: 4 });
    // A pause is not a wait: see the queue over time.
    const paused = await run(1, "GreedyP *", [
      [0, 1, 1, 0.6, 100],
      [50, 1, 1, 0.6, 20],
    ]);
    expect(paused.result).toMatchObject({ pauses: 1, queueLengthMax: 1, cycles: 4, matchingCycles: 2 });
  });

  it("counts a percent for a job that needs no memory", async () => {
    // The third is beside the first, which leaves a percent, but not beside both.
    const { starts } = await run(1, "Greedy *", [
      [0, 1, 0.5, 0.99, 100],
      [10, 1, 0.5, 0, 50],
      [20, 1, 0.5, 0, 10],
    ]);
    expect(starts).toEqual([0, 10, 60]);
  });

  it("GreedyP pauses the job in the way, and resumes it", async () => {
    const jobs: Job[] = [
      [0, 1, 1, 0.6, 100],
      [50, 1, 1, 0.6, 20],
    ];
    const { ends, result } = await run(1, "GreedyP *", jobs);
    expect(ends).toEqual([120, 70]);
    expect(result.pauses).toBe(1);
    expect(result.migrations).toBe(0);
    // 60 % of 8 GB there and back, in 120 s.
    expect(result.pauseGBPerSecondMean).toBeCloseTo((2 * 0.6 * 8) / 120, 12);
    // The penalty begins with the resume.
    expect((await run(1, "GreedyP *", jobs, { penaltySeconds: 30 })).ends).toEqual([150, 70]);
  });

  it("GreedyP lets a job that fits after all keep running", async () => {
    const jobs: Job[] = [
      [0, 1, 0.5, 0.5, 100],
      [0, 1, 0.5, 0.1, 90],
      [10, 1, 0.5, 0.8, 20],
    ];
    // The later of two equals goes first; as that is not enough the other goes too, and then it need not.
    const { ends, result } = await run(1, "GreedyP *", jobs);
    expect(result.pauses).toBe(1);
    expect(ends[1]).toBe(90);
    expect(ends[0]).toBe(120);
  });

  it("GreedyPM moves instead, where there is room elsewhere", async () => {
    const jobs: Job[] = [
      [0, 1, 1, 0.5, 100],
      [0, 1, 1, 0.5, 100],
      [10, 1, 1, 1, 10],
    ];
    // Of equals the later is moved: both then share node 1, and nobody moves back.
    const moved = await run(2, "GreedyPM *", jobs);
    expect(moved.ends).toEqual([190, 190, 20]);
    expect([moved.result.pauses, moved.result.migrations]).toEqual([0, 1]);
    expect(moved.result.migrationGBPerSecondMean).toBeCloseTo((0.5 * 8) / 190, 12);
    // 5 s without progress: at 190 it has 97.5 s of its 100 s, and is alone.
    expect((await run(2, "GreedyPM *", jobs, { penaltySeconds: 5 })).ends).toEqual([190, 193, 20]);
    // GreedyP pauses it until the node is free again.
    expect((await run(2, "GreedyP *", jobs)).ends).toEqual([100, 110, 20]);
  });
});

describe("periods and packing", () => {
  it("with nothing before the slash, jobs start at the next multiple of the period", async () => {
    const { starts, ends, result } = await run(1, "/per", [[100, 1, 1, 0.1, 50]]);
    expect(starts).toEqual([600]);
    expect(ends).toEqual([650]);
    expect(result.stretchMax).toBe(11);
    expect((await run(1, "/per", [[100, 1, 1, 0.1, 50]], { periodSeconds: 40 })).starts).toEqual([120]);
  });

  it("MCB moves what it packs elsewhere, unless it is too young", async () => {
    const jobs: Job[] = [
      [0, 1, 1, 0.1, 100],
      [10, 1, 1, 0.1, 100],
    ];
    // Of equal tasks the later job's comes first, and takes the first node.
    const free = await run(2, "MCB *", jobs, { penaltySeconds: 300 });
    // The older one is moved at 10 s, and back when that node is empty at 110 s: from 410 s on it has 90 s to go.
    expect(free.ends).toEqual([500, 110]);
    expect(free.result.migrations).toBe(2);
    const kept = await run(2, "MCB */per/MVT", jobs, { penaltySeconds: 300 });
    expect(kept.ends).toEqual([100, 110]);
    expect(kept.result.migrations).toBe(0);
    const short = await run(2, "MCB */per/MVT", jobs, { penaltySeconds: 300, minimumVirtualSeconds: 10 });
    expect(short.ends).toEqual([500, 110]);
  });

  it("/MFT counts the time since submission, also while a job waits or is paused", async () => {
    const jobs: Job[] = [
      [0, 1, 1, 0.1, 100],
      [10, 1, 1, 0.1, 100],
    ];
    // Packed anew at 10 s and at 110 s.
    const settings = { penaltySeconds: 300, minimumVirtualSeconds: 600, minimumFlowSeconds: 111 };
    const young = await run(2, "MCB */per/MFT", jobs, settings);
    expect(young.result.migrations).toBe(0);
    const old = await run(2, "MCB */per/MFT", jobs, { ...settings, minimumFlowSeconds: 10 });
    expect(old.ends).toEqual([500, 110]);
    // With both limits a job has to be past both.
    const both = await run(2, "MCB */per/MVT/MFT", jobs, { ...settings, minimumFlowSeconds: 10 });
    expect(both.result.migrations).toBe(0);
    await expect(run(2, "/per/MFT", jobs, { minimumFlowSeconds: -1 })).rejects.toThrow(/flow time is -1/);
  });

  it("pauses by the priority named", async () => {
    /** Whether the first job or the last but one gives way when the last comes. */
    const victim = async (priority: string, jobs: readonly Job[]): Promise<string> => {
      const before = await run(1, `GreedyP *${priority}`, jobs.slice(0, -1));
      const { ends, result } = await run(1, `GreedyP *${priority}`, jobs);
      expect(result.pauses).toBe(1);
      const at = before.ends.length - 1;
      return ends[0] > before.ends[0] ? "first" : ends[at] > before.ends[at] ? "second" : "neither";
    };
    const second = (submit: number): Job => [submit, 1, 0.1, 0.5, 500];
    const last = (submit: number): Job => [submit, 1, 0.1, 0.5, 10];
    // Beside one other until 1,000 s or so: the first has had some 740 s in 1,200, the second 100 s in 100.
    const hampered: Job[] = [[0, 1, 0.9, 0.5, 5000], [0, 1, 0.9, 0.5, 555], second(1100), last(1200)];
    expect(await victim("/PRIO=VT", hampered)).toBe("first");
    expect(await victim("/PRIO=FT-VT", hampered)).toBe("second");
    expect(await victim("", hampered)).toBe("first");
    // Beside five until 600 s or so: the first has had some 240 s in 700, the second again all of its 100.
    const starved: Job[] = [
      [0, 1, 0.9, 0.5, 5000],
      ...Array.from({ length: 5 }, (): Job => [0, 1, 0.9, 0.1, 100]),
      second(600),
      last(700),
    ];
    expect(await victim("/PRIO=VT", starved)).toBe("first");
    expect(await victim("/PRIO=FT-VT", starved)).toBe("second");
    expect(await victim("", starved)).toBe("second");
  });

  it("MCB leaves out the least urgent where memory is short", async () => {
    const { starts, ends } = await run(1, "MCB *", [
      [0, 1, 1, 0.6, 100],
      [50, 1, 1, 0.6, 100],
    ]);
    expect(starts).toEqual([0, 50]);
    // At 150 the second is done; the first has its 50 s left.
    expect(ends).toEqual([200, 150]);
  });

  it("MCB-stretch gives the worse off more until the next period", async () => {
    const { ends } = await run(1, "/stretch-per", [
      [0, 1, 1, 0.1, 1000],
      [600, 1, 1, 0.1, 100],
    ]);
    // At 600: (600 + 600 a) ÷ 1200 = 600 b ÷ 600 with a + b = 1: 33 % and 67 %. 100 s ÷ 0.67 = 149.3 s.
    expect(ends[1]).toBe(750);
    // 600 s + 150 s × 0.33, and alone from then on: 350.5 s more.
    expect(ends[0]).toBe(1101);
  });
});

describe("nodes of unequal speed", () => {
  const speeds = (...nodeSpeeds: number[]) => ({ nodeSpeeds });

  it("take as much longer as they are slower, also for a job alone on one", async () => {
    // A quarter of the node, but its cores are half as fast.
    const job: Job = [0, 1, 0.25, 0.1, 100];
    expect((await run(1, "Greedy *", [job], speeds(0.5))).ends).toEqual([200 + 9]);
    expect((await run(1, "Greedy *", [job], speeds(1))).ends).toEqual([100]);
    // 25 % of a node at half speed is 12 whole percents: 100 s × 25 ÷ 12.
    expect((await run(1, "MCB *", [job], speeds(0.5))).ends).toEqual([209]);
  });

  it("get the tasks by load for their capacity, and a parallel job runs as fast as its slowest task", async () => {
    // Empty, both are as good: the first; then the other.
    const two = await run(2, "Greedy *", [[0, 2, 1, 0.4, 100]], speeds(1, 0.5));
    expect(two.ends).toEqual([200]);
    // Loads of 1 and 0, then 1 and 2, 2 and 2: the third goes to the fast one.
    const jobs = Array.from({ length: 3 }, (): Job => [0, 1, 1, 0.2, 100]);
    const { ends } = await run(2, "Greedy *", jobs, speeds(1, 0.5));
    expect(ends).toEqual([200, 200, 200]);
  });

  it("share out no more than they have, and take no more than they can give", async () => {
    const jobs = Array.from({ length: 30 }, (_, i): Job => [
      10 * i,
      1 + (i % 3),
      0.25 * (1 + (i % 4)),
      0.1 * (1 + (i % 3)),
      100 + 10 * i,
    ]);
    for (const policy of [
      "Greedy *",
      "GreedyP *",
      "GreedyPM *",
      "MCB *",
      "GreedyPM */per/MVT",
      "/per/OPT=AVG",
    ]) {
      const slow = await run(4, policy, jobs, speeds(1, 1, 0.5, 0.3));
      const alike = await run(4, policy, jobs, speeds(1, 1, 1, 1));
      expect(alike.ends).toEqual((await run(4, policy, jobs)).ends);
      expect(slow.ends.every((end, i) => end >= jobs[i][0] + jobs[i][4])).toBe(true);
      expect(Math.max(...slow.ends)).toBeGreaterThan(Math.max(...alike.ends));
      expect(slow.result.stretchMax!).toBeGreaterThanOrEqual(slow.result.stretchBound! * 0.999);
      // The load counts what the nodes can do: 2.8 of 4.
      expect(slow.result.offeredLoad / alike.result.offeredLoad).toBeCloseTo(4 / 2.8, 9);
      expect(Math.max(...slow.result.series.coreUtilization)).toBeLessThanOrEqual(1 + 1e-9);
    }
  });

  it("are not packed above their speed", async () => {
    // Two jobs that need all of a node: both at full yield on the fast ones, the slow one stays empty.
    const jobs = Array.from({ length: 2 }, (): Job => [0, 1, 1, 0.1, 100]);
    expect((await run(3, "MCB *", jobs, speeds(0.5, 1, 1))).ends).toEqual([100, 100]);
    // A third leaves no better than half of each.
    const third = await run(3, "MCB *", [...jobs, [0, 1, 1, 0.1, 100]], speeds(0.5, 1, 1));
    expect(Math.max(...third.ends)).toBeGreaterThanOrEqual(150);
  });

  it("are refused where they cannot be used", async () => {
    const job: Job = [0, 1, 1, 0.1, 100];
    for (const [policy, nodeSpeeds, message, memory] of [
      ["Greedy *", [1], /speeds for 1 nodes, and 2 nodes/, 0.1],
      ["Greedy *", [1, 1.5], /speed is 1.5: it must be from 0.01 to 1/, 0.1],
      ["Greedy *", [1, 0.001], /speed is 0.001/, 0.1],
      ["/stretch-per", [1, 0.5], /is for nodes of one speed/, 0.1],
      ["/per/OPT=MAX", [1, 0.5], /is for nodes of one speed/, 0.1],
      ["Greedy *", [1, 0.5], /100 tasks of 1 % of the memory fit on a node/, 0.01],
      ["whole-node/easy", [1, 0.5], /it is for policies that share nodes in parts/, 0.1],
    ] as const)
      await expect(
        run(2, policy, [[job[0], job[1], job[2], memory, job[4]]], { nodeSpeeds }),
      ).rejects.toThrow(message);
  });
});

describe("baselines", () => {
  const jobs: Job[] = [
    [0, 2, 0.25, 0.1, 100],
    [1, 3, 0.25, 0.1, 10],
    [2, 1, 0.25, 0.1, 50],
  ];

  it("take a whole node a task", async () => {
    expect((await run(3, "whole-node/fcfs", jobs)).starts).toEqual([0, 100, 110]);
    expect((await run(3, "whole-node/easy", jobs)).starts).toEqual([0, 100, 2]);
    // On needs as parts of a node, so do the pool's own, and the published names can mean nothing else.
    expect((await run(3, "fcfs", jobs)).starts).toEqual([0, 100, 110]);
    expect((await run(3, "FCFS", jobs)).starts).toEqual([0, 100, 110]);
    expect((await run(3, "EASY", jobs)).starts).toEqual([0, 100, 2]);
  });

  it("take a whole node a task of a log that counts cores, and are not taken for a pool's", async () => {
    const log = workloadOf({
      submitSeconds: Float64Array.of(0, 1),
      runtimeSeconds: Float64Array.of(100, 10),
      coresMilli: Int32Array.of(1000, 1000),
    });
    const node = await readMachines("1x4c");
    const startsUnder = (policy: string): number[] => [
      ...simulate(log, node, { policy, intervalSeconds: 0 }).schedule.startSeconds,
    ];
    expect(startsUnder("whole-node/easy")).toEqual([0, 100]);
    expect(startsUnder("easy")).toEqual([0, 1]);
    const refusal = /^policy "EASY" is ambiguous: write easy for .*, or whole-node\/easy for /;
    expect(() => startsUnder("EASY")).toThrow(refusal);
    await expect(simulateAll(log, node, [{ policy: "EASY" }])).rejects.toThrow(refusal);
  });

  it("get the same arrivals at a load as policies that share nodes", async () => {
    const policies = ["GreedyPM *", "whole-node/fcfs", "easy"];
    const results = await Promise.all(
      policies.map(async (name) => (await run(3, name, jobs, { load: 5 })).result),
    );
    // (2 · 100 + 3 · 10 + 50) · 0.25 node seconds over 3 nodes and 2 s: a load of 11.67, arrivals 2.33 times as long.
    for (const { beta, offeredLoad } of results) {
      expect(beta).toBeCloseTo(70 / 6 / 5, 12);
      expect(offeredLoad).toBeCloseTo(5, 12);
    }
    expect(new Set(results.map(({ beta }) => beta)).size).toBe(1);
  });

  it("have the same figures of stretch", async () => {
    const { result } = await run(3, "FCFS", jobs);
    expect(result.stretchMax).toBe((110 - 1) / 10);
    expect(result.stretchMean).toBeCloseTo((1 + 10.9 + 158 / 50) / 3, 12);
    expect([result.pauses, result.migrations, result.stretchBound]).toEqual([0, 0, 1]);
  });
});

describe("what cannot be run", () => {
  it("jobs that the empty nodes cannot hold are rejected", async () => {
    const { ends, result } = await run(2, "GreedyPM */per", [
      [0, 5, 1, 0.4, 10],
      [0, 4, 1, 0.4, 10],
    ]);
    expect(ends).toEqual([NaN, 20]);
    expect(result.rejections).toEqual([
      { reason: "its tasks need more memory than all nodes have together", jobs: 1 },
    ]);
  });

  it.each([
    ["/MVT", /without a name or \/per nothing would ever start/],
    ["GreedyX *", /before the first slash there can be nothing, Greedy, GreedyP, GreedyPM or MCB/],
    ["MCB */foo", /"\/foo" is none of/],
    ["MCB */pr/MVT", /; did you mean MCB \*\/per\/MVT, /],
    ["constructor", /unknown policy "constructor"; did you mean /],
    ["gredypm *", /; did you mean GreedyPM \*, /],
    ["stretch-per/MVT", /write it as in GreedyPM \*\/per\/MVT; did you mean \/stretch-per\/MVT, /],
    ["Greedy */MVT", /\/MVT limits what MCB or \/per moves/],
    ["Greedy */OPT=MAX", /looks ahead/],
  ])("%s", async (policy, why) => {
    const runs = run(1, policy, [[0, 1, 1, 1, 1]]);
    await expect(runs).rejects.toThrow(InputError);
    await expect(runs).rejects.toThrow(why);
  });

  it.each([
    [{ penaltySeconds: -1 }, /the penalty is -1/],
    [{ periodSeconds: 0 }, /the period is 0/],
    [{ periodSeconds: 1.5 }, /the period is 1.5/],
    [{ nodeMemoryGiB: 0 }, /a node's memory is 0/],
  ])("%o", async (settings, why) => {
    await expect(run(1, "MCB */per", [[0, 1, 1, 1, 1]], settings)).rejects.toThrow(why);
  });
});
