import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { InputError } from "../../workload/index.ts";
import { simulate } from "../simulate.ts";
import { aFarm, aWorkload, type JobSpec } from "../workload.fixture.ts";
import { CapacityLadder } from "./capacity.ts";
import { familyOfRows, parseFamily, type PackingChoice } from "../settings/families.ts";
import { decodeStates, encodeStates } from "./frames.ts";
import { StepMeans } from "./step-means.ts";

const ams = [parseFamily("queue=ams")];
const two = aFarm([{ cores: 2000 }, { cores: 2000 }]);

function run(
  jobs: readonly JobSpec[],
  packing: Partial<PackingChoice>,
  more = {},
): ReturnType<typeof simulate> {
  return simulate(aWorkload(jobs), two, {
    policy: "worse-fit-cores",
    intervalSeconds: 0,
    packing: { policy: "exclusive", ttlSeconds: Infinity, families: ams, ...packing },
    ...more,
  });
}

describe("the indicators of a run", () => {
  // From 0 to 10: one packed job. To 20: it and a second beside it. To 30: the second alone. At 40 the last starts.
  const jobs = [
    { submit: 0, run: 20, queue: "ams" },
    { submit: 10, run: 20, queue: "ams" },
    { submit: 40, run: 5, queue: "other" },
  ];

  it("are means over time, until the last job has started", () => {
    const { packingIndexMean, fillFactorMean, idleNodesMean, packing } = run(jobs, {}).result;
    expect(packingIndexMean).toBe(1);
    expect(fillFactorMean).toBeCloseTo((10 * 1 + 10 * 2 + 10 * 1) / (4 * 40), 12);
    expect(idleNodesMean).toBeCloseTo((30 * 1 + 10 * 2) / 40, 12);
    expect(packing).toEqual({
      policy: "exclusive",
      families: [{ family: "queue=ams", jobs: 2, waitMeanSeconds: 0, packingIndexMean: 1 }],
      ordinary: { jobs: 1, waitMeanSeconds: 0 },
    });
    // Spread over both nodes for ten of the thirty seconds in which packed jobs run.
    const spread = run(jobs, { policy: "none" }).result;
    expect(spread.packingIndexMean).toBeCloseTo((10 * 1 + 10 * 0.5 + 10 * 1) / 30, 12);
  });

  it("call a node packed on which jobs are suspended beside those that run in their place", () => {
    const suspended = [
      { submit: 0, run: 100, tasks: 2, priority: 0, queue: "ams" },
      { submit: 0, run: 100, tasks: 2, priority: 0, queue: "ams" },
      { submit: 10, run: 50, tasks: 2, priority: 1, queue: "ams" },
      { submit: 20, run: 5, queue: "other" },
    ];
    const { result } = run(suspended, { policy: "relaxed" });
    expect(result.suspendRate).toBe(0.25);
    expect(result.packingIndexMean).toBe(1);
  });

  it("count jobs and waits as the run does, without warm-up and cool-down", () => {
    const waiting = [
      { submit: 0, run: 30, tasks: 4, queue: "other" },
      { submit: 1, run: 5, queue: "ams" },
      { submit: 20, run: 5, queue: "ams" },
      { submit: 21, run: 5, queue: "other" },
      { submit: 40, run: 5, queue: "ams" },
    ];
    const { packing, jobs: count } = run(waiting, {}, { warmupSeconds: 10, cooldownSeconds: 10 }).result;
    expect(count).toBe(2);
    expect(packing!.families).toMatchObject([{ jobs: 1, waitMeanSeconds: 10 }]);
    expect(packing!.ordinary).toEqual({ jobs: 1, waitMeanSeconds: 9 });
  });

  it("see a job end when it does, not at the next cycle", () => {
    // 25 s and 10 s of one core of four, begun at a cycle, in no order; the last starts at 60 s.
    const ends = [
      { submit: 0, run: 10, queue: "ams" },
      { submit: 0, run: 25, queue: "other" },
      { submit: 0, run: 0, queue: "other" },
      { submit: 45, run: 10, queue: "ams" },
    ];
    const { packingIndexMean, fillFactorMean, idleNodesMean } = run(ends, {}, { intervalSeconds: 30 }).result;
    expect(packingIndexMean).toBe(1);
    expect(fillFactorMean).toBeCloseTo((10 + 25) / (4 * 60), 12);
    // One node of the packed job, one of the other.
    expect(idleNodesMean).toBeCloseTo((2 * 60 - 10 - 25) / 60, 12);
  });

  it.each([0, 30])(
    "last until the end where all jobs start at once (a cycle every %i s)",
    (intervalSeconds) => {
      const atOnce = [
        { submit: 0, run: 10, queue: "ams" },
        { submit: 0, run: 20, queue: "ams" },
        { submit: 0, run: 20, queue: "other" },
      ];
      const { packingIndexMean, fillFactorMean, idleNodesMean } = run(atOnce, {}, { intervalSeconds }).result;
      expect(packingIndexMean).toBe(1);
      expect(fillFactorMean).toBeCloseTo((10 * 3 + 10 * 2) / (4 * 20), 12);
      expect(idleNodesMean).toBe(0);
      const spread = run(atOnce.slice(0, 2), { policy: "none" }, { intervalSeconds }).result;
      expect(spread.packingIndexMean).toBeCloseTo((10 * 0.5 + 10 * 1) / 20, 12);
      expect(spread.idleNodesMean).toBeCloseTo(0.5, 12);
    },
  );

  it("leave out the warm-up, and tell the energy where a node's watts are given", () => {
    const power = { idleWatts: 100, busyWatts: 300 };
    const { fillFactorMean, energy } = run(jobs, {}, { power, warmupSeconds: 20 }).result;
    expect(fillFactorMean).toBeCloseTo((10 * 1) / (4 * 20), 12);
    // Two nodes for 20 s at 100 W, and 200 W more for half a node's cores for 10 s.
    const joules = 2 * 20 * 100 + 200 * 0.5 * 10;
    expect(energy!.allOnKilowattHours).toBeCloseTo(joules / 3.6e6, 15);
    expect(energy!.savedKilowattHours).toBeCloseTo((100 * (10 + 20)) / 3.6e6, 15);
    expect(energy!.savedShare).toBeCloseTo(3000 / joules, 12);
  });

  it("count what packed jobs need by the scarcest resource, on the largest nodes", () => {
    const ladder = new CapacityLadder(Int32Array.of(2, 8, 4));
    expect([0, 1, 8, 9, 12, 13, 14].map((amount) => ladder.machinesFor(amount))).toEqual([
      0, 1, 1, 2, 2, 3, 3,
    ]);
    const farm = aFarm([
      { cores: 4000, memory: 1024 },
      { cores: 4000, memory: 1024 },
      { cores: 4000, memory: 1024 },
    ]);
    // Two jobs of one core, each with a whole node's memory: they need two nodes, and use two.
    const jobs = [0, 0].map((submit) => ({ submit, run: 10, queue: "ams", memory: 1024 }));
    const workload = aWorkload([...jobs, { submit: 10, memory: 0, queue: "other" }]);
    const packing = { policy: "relaxed" as const, ttlSeconds: 0, families: ams };
    const { result } = simulate(workload, farm, { policy: "first-fit", intervalSeconds: 0, packing });
    expect(result.packingIndexMean).toBe(1);
  });
});

describe("a time to live that ends while somebody waits", () => {
  // The packed job runs for a week on the only node; an ordinary one comes at 100 s.
  const jobs = [
    { submit: 0, run: 600_000, queue: "ams" },
    { submit: 100, run: 10, queue: "other" },
    { submit: 500_000, run: 10, queue: "ams" },
  ];
  const start = (settings: object): number =>
    simulate(aWorkload(jobs), aFarm([{ cores: 2000 }]), {
      policy: "first-fit",
      packing: { policy: "exclusive", ttlSeconds: 3610, families: ams },
      ...settings,
    }).schedule.startSeconds[1];

  it("is an event: the cycle is there and then, or the next", () => {
    expect(start({ intervalSeconds: 0 })).toBe(3610);
    expect(start({ intervalSeconds: 30 })).toBe(3630);
    expect(start({ policy: "easy", estimates: "exact" })).toBe(3610);
    expect(start({ policy: "fcfs", eventOrder: "single", intervalSeconds: 0 })).toBe(3610);
    expect(start({ clock: "order" })).toBe(3610);
  });
});

describe("families", () => {
  const workload = aWorkload([
    { queue: "ams", project: "/a/x", cores: 8000 },
    { queue: "cms", project: "/a" },
    { queue: "other", project: "/ab" },
  ]);

  it("are told by queue, project and what is below it, or cores; the first that has a job takes it", () => {
    const rows = (...texts: string[]): number[] => Array.from(familyOfRows(workload, texts.map(parseFamily)));
    expect(rows("queue=ams")).toEqual([1, 0, 0]);
    expect(rows("queue=cms,ams")).toEqual([1, 1, 0]);
    expect(rows("project=/a/")).toEqual([1, 1, 0]);
    expect(rows("cores=8")).toEqual([1, 0, 0]);
    expect(rows("queue=cms", "project=a")).toEqual([2, 1, 0]);
  });

  it("are refused where they are none, or no job is of them", () => {
    for (const text of ["ams", "queue=", "queue", "host=a", "queue=a,,b"])
      expect(() => parseFamily(text)).toThrow(InputError);
    expect(() => familyOfRows(workload, [parseFamily("queue=asm")])).toThrow(/queues are ams, cms, other/);
    expect(() => familyOfRows(workload, [parseFamily("user=ann")])).toThrow(/names no users/);
    expect(() => familyOfRows(workload, [])).toThrow(InputError);
  });
});

describe("means over equal steps", () => {
  it("are exact, and steps join where there are too many", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ value: fc.nat(10), seconds: fc.integer({ min: 1, max: 9000 }) }), {
          minLength: 1,
        }),
        fc.constantFrom(1, 50_000),
        (pieces, factor) => {
          const steps = new StepMeans(100);
          let now = 100;
          const held: { value: number; until: number }[] = [];
          for (const { value, seconds } of pieces) {
            now += seconds * factor;
            steps.add(value, seconds * factor, now);
            held.push({ value, until: now });
          }
          const { stepSeconds, means } = steps.means();
          expect(means.length).toBe(Math.floor((now - 100) / stepSeconds));
          expect(means.length).toBeLessThanOrEqual(4096);
          means.forEach((mean, i) => {
            const [from, to] = [100 + i * stepSeconds, 100 + (i + 1) * stepSeconds];
            let sum = 0;
            let since = 100;
            for (const { value, until } of held) {
              sum += value * Math.max(0, Math.min(until, to) - Math.max(since, from));
              since = until;
            }
            expect(mean).toBeCloseTo(sum / stepSeconds, 6);
          });
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("pictures of the farm", () => {
  it("are packed into text and out of it again", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(18)), (states) => {
        expect(decodeStates(encodeStates(Uint8Array.from(states)))).toEqual(states);
      }),
    );
    expect(encodeStates(Uint8Array.of(0, 0, 0, 2, 3))).toBe("3acd");
  });

  it("show every slot of each node, those of several cores as well", () => {
    const jobs = [
      { submit: 0, run: 1000, queue: "ams", cores: 2000 },
      { submit: 0, run: 1000, queue: "other", cores: 1000 },
      { submit: 900, run: 1, queue: "other" },
    ];
    const farm = aFarm([{ cores: 2000 }, { cores: 3000 }]);
    const packing = { policy: "exclusive" as const, ttlSeconds: Infinity, families: ams };
    const { result } = simulate(aWorkload(jobs), farm, {
      policy: "first-fit",
      intervalSeconds: 0,
      packing,
      pictures: true,
    });
    const { nodes, slots, frames } = result.farmFrames!;
    expect([nodes, slots]).toEqual([2, 3]);
    expect(frames.length).toBeGreaterThan(10);
    // Free 0, no slot 1, ordinary 2, ams 3.
    for (const { states } of frames) expect(decodeStates(states)).toEqual([3, 3, 1, 2, 0, 0]);
  });
});

describe("packing where a node is down", () => {
  it("counts its cores as cores that nothing uses, and neither as idle nor as drawing power; pictures show it", () => {
    // Node 2 is down all the time; jobs use half of node 1, and all of it from 990 s on.
    const jobs = [
      { submit: 0, run: 1000, queue: "ams", cores: 1000 },
      { submit: 990, run: 20, queue: "other", cores: 1000 },
      { submit: 1000, run: 10, queue: "other", cores: 1000 },
    ];
    const outages = [{ machine: 1, downSeconds: -5, upSeconds: Infinity }];
    const { result } = simulate(aWorkload(jobs), aFarm([{ cores: 2000 }, { cores: 2000 }]), {
      policy: "first-fit",
      intervalSeconds: 0,
      packing: { policy: "relaxed", ttlSeconds: Infinity, families: ams },
      power: { idleWatts: 100, busyWatts: 200 },
      pictures: true,
      failures: { kind: "listed", outages },
    });
    // A run with failures is measured to its end, at 1,010 s: one of four cores is in use, and two for the last 20 s.
    expect(result.fillFactorMean).toBeCloseTo((0.25 * 990 + 0.5 * 20) / 1010, 12);
    expect(result.idleNodesMean).toBe(0);
    expect(result.energy).toMatchObject({ savedKilowattHours: 0, savedShare: 0 });
    expect(result.energy!.allOnKilowattHours).toBeCloseTo((100 * 1010 + 100 * (495 + 20)) / 3.6e6, 12);
    const { frames } = result.farmFrames!;
    // Free 0, ordinary 2, ams 3, down 4.
    expect(decodeStates(frames[0].states)).toEqual([3, 0, 4, 4]);
  });
});

describe("a limit of jobs that reserve", () => {
  it("counts those of families with which a pass is done", () => {
    const job = (submit: number, runtime: number, cores: number, queue: string): JobSpec => ({
      submit,
      run: runtime,
      cores: 1000 * cores,
      queue,
    });
    const jobs = [
      job(0, 20, 1, "a"),
      job(0, 60, 2, "o"),
      job(0, 40, 1, "o"),
      job(10, 60, 1, "a"),
      job(10, 80, 2, "o"),
      job(10, 40, 1, "o"),
      job(10, 100, 2, "b"),
      job(10, 10, 2, "a"),
      job(10, 60, 1, "a"),
    ];
    const starts = (more: object): number[] => [
      ...run(
        jobs,
        { families: [parseFamily("queue=a"), parseFamily("queue=b")] },
        {
          policy: "first-fit",
          ...more,
        },
      ).schedule.startSeconds,
    ];
    const fourReserve = starts({ reserving: 4 });
    expect(fourReserve).toEqual([0, 0, 60, 10, 80, 80, 120, 160, 20]);
    // As where no more can be left out.
    expect(fourReserve).toEqual(starts({ reserving: 4, examined: 1_000_000 }));
  });
});
