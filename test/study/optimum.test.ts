import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";

import { loadSolver, type LpSolver } from "../../src/research/lp/index.ts";
import { resolvePolicy, simulate } from "../../src/simulation/index.ts";
import { aFarm, aWorkload, type JobSpec } from "../../src/simulation/workload.fixture.ts";
import { mostJobs } from "../../src/research/study/optimum/most-jobs.ts";
import { offeringCycles } from "../../src/research/study/optimum/offer-cycles.ts";
import { studyOptimum } from "../../src/research/study/optimum/optimum.ts";
import type { FreeState, Snapshot, WaitingKind } from "../../src/research/study/optimum/snapshot.ts";
import { standingOf } from "../../src/research/study/optimum/standing.ts";

let solver: LpSolver;
beforeAll(async () => {
  solver = await loadSolver();
});

const anyKind = fc.record({
  cores: fc.integer({ min: 1, max: 8 }).map((halves) => halves * 500),
  memory: fc.nat(8).map((gib) => gib * 1024),
  gpu: fc.oneof(fc.constant(0), fc.constantFrom(500, 1000)),
  tasks: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 3 })),
  groups: fc.constantFrom(null, null, Uint8Array.of(1, 0)),
  jobs: fc.integer({ min: 1, max: 3 }),
}) satisfies fc.Arbitrary<WaitingKind>;

const anyState = fc.record({
  cores: fc.nat(8).map((halves) => halves * 500),
  memory: fc.nat(12).map((gib) => gib * 1024),
  gpu: fc.constantFrom(0, 1000),
  group: fc.nat(1),
  machines: fc.integer({ min: 1, max: 2 }),
}) satisfies fc.Arbitrary<FreeState>;

const anySnapshot: fc.Arbitrary<Snapshot> = fc.record({
  kinds: fc.array(anyKind, { minLength: 1, maxLength: 3 }),
  states: fc.array(anyState, { minLength: 1, maxLength: 2 }),
});

/** The definition, tried in full: each job starts or does not, each of its tasks on any machine. */
function mostByTrial({ kinds, states }: Snapshot): number {
  const machines = states.flatMap((state) => Array.from({ length: state.machines }, () => ({ ...state })));
  const jobs = kinds.flatMap((kind) => Array.from({ length: kind.jobs }, () => kind));
  const from = (job: number): number => {
    if (job === jobs.length) return 0;
    const kind = jobs[job];
    const place = (task: number, first: number): number => {
      if (task === kind.tasks) return 1 + from(job + 1);
      let best = 0;
      // The tasks of a job are alike: they need not be tried in any other order.
      for (let i = first; i < machines.length; i++) {
        const machine = machines[i];
        if (machine.cores < kind.cores || machine.memory < kind.memory || machine.gpu < kind.gpu) continue;
        if (kind.groups !== null && kind.groups[machine.group] === 0) continue;
        const before = { ...machine };
        machine.cores -= kind.cores;
        machine.memory -= kind.memory;
        machine.gpu -= kind.gpu;
        best = Math.max(best, place(task + 1, i));
        Object.assign(machine, before);
      }
      return best;
    };
    return Math.max(from(job + 1), place(0, 0));
  };
  return from(0);
}

describe("the most jobs that could start", () => {
  test("is what trying everything finds", () => {
    fc.assert(
      fc.property(anySnapshot, fc.nat(9), (snapshot, percent) => {
        const most = mostByTrial(snapshot);
        const found = Math.floor((most * percent) / 9);
        const limits = { pairs: 1000, seconds: 20 };
        expect(mostJobs(solver, snapshot, found, limits)).toEqual({ low: most, high: most });
      }),
      { numRuns: 60 },
    );
  });

  test("is never above its bound, nor is what was found", () => {
    fc.assert(
      fc.property(anySnapshot, (snapshot) => {
        const most = mostByTrial(snapshot);
        const { low, high } = mostJobs(solver, snapshot, most, { pairs: 0, seconds: 20 });
        expect(low).toBe(most);
        expect(high).toBeGreaterThanOrEqual(most);
        expect(high).toBeLessThanOrEqual(snapshot.kinds.reduce((sum, { jobs }) => sum + jobs, 0));
      }),
      { numRuns: 60 },
    );
  });

  test("is larger where machines are taken together: two halves make no machine", () => {
    const half = { cores: 500, memory: 0, gpu: 0, group: 0, machines: 2 };
    const job = { cores: 1000, memory: 0, gpu: 0, tasks: 1, groups: null, jobs: 1 };
    const small = { ...job, cores: 300, jobs: 9 };
    const snapshot = { kinds: [job, small], states: [half] };
    // Three of 0.3 cores fit into one core, and one into each half.
    expect(mostJobs(solver, snapshot, 0, { pairs: 0, seconds: 20 })).toEqual({ low: 0, high: 2 });
    expect(mostJobs(solver, snapshot, 0, { pairs: 9, seconds: 20 })).toEqual({ low: 2, high: 2 });
  });
});

const machines = aFarm([
  { cores: 4000, memory: 32 },
  { cores: 4000, memory: 32 },
]);
const jobs = (count: number, spec: JobSpec): JobSpec[] =>
  Array.from({ length: count }, () => ({ run: 20, ...spec }));
/** Shai 2014, Figure 3.1, of which Best-Fit starts six of eight, and Figure 3.2, of which Worse-Fit starts three of four. */
const figure31 = aWorkload([...jobs(2, { memory: 16 }), ...jobs(6, { memory: 4 })]);
const figure32 = aWorkload([...jobs(3, { memory: 8 }), ...jobs(1, { memory: 32 })]);

describe("the study", () => {
  test.each([
    [figure31, "best-fit-memory", 8, { "best-fit-memory": 6, "worse-fit-memory": 8, "mix-fit": 8 }],
    [figure32, "worse-fit-memory", 4, { "best-fit-memory": 4, "worse-fit-memory": 3, "mix-fit": 4 }],
  ])("finds what the thesis's figures show", async (workload, runs, most, started) => {
    const policies = Object.keys(started);
    const result = await studyOptimum(workload, machines, { policies, runs });
    expect(result).toMatchObject({ contestedCycles: 1, fullCycles: 0, provenCycles: 1 });
    expect(result.compared[0]).toMatchObject({
      nowSeconds: 0,
      waitingJobs: most,
      low: most,
      high: most,
      unreserved: Object.values(started),
    });
    const perfect = result.standings.find(({ policy }) => policy === "mix-fit")!;
    expect(perfect.unreserved).toMatchObject({ share: 1, shareMean: 1, shareWorst: 1, cyclesReached: 1 });
  });

  const anyJobs = fc.array(
    fc.record({
      submit: fc.nat(300),
      run: fc.integer({ min: 1, max: 400 }),
      cores: fc.integer({ min: 1, max: 4 }).map((cores) => cores * 1000),
      memory: fc.nat(32),
      tasks: fc.integer({ min: 1, max: 2 }),
      project: fc.constantFrom("a", "b"),
    }),
    { minLength: 1, maxLength: 30 },
  );

  test("leaves the run as it is, offers all the same, and no policy starts more than could", () => {
    const fairShare = fc.constantFrom(null, [{ path: "a", share: 2 }]);
    fc.assert(
      fc.property(anyJobs, fairShare, fc.integer({ min: 1, max: 5 }), (specs, shares, wanted) => {
        const workload = aWorkload(specs.toSorted((a, b) => a.submit - b.submit));
        const names = ["max-jobs", "mix-fit", "either-order/mix-fit"];
        const policies = names.map((name) => resolvePolicy(name));
        const { kind, offered } = offeringCycles(policies[0], policies, wanted);
        const settings = { fairShare: shares };
        const run = simulate(workload, machines, { ...settings, policy: kind });
        const alone = simulate(workload, machines, { ...settings, policy: "max-jobs" });
        expect(run.schedule.startSeconds).toEqual(alone.schedule.startSeconds);
        expect(offered.kept.length).toBeLessThan(2 * wanted);
        expect(offered.kept.length).toBe(Math.ceil(offered.contested / offered.stride));
        for (const { nowSeconds, snapshot, waitingJobs, reserved, unreserved } of offered.kept) {
          const waiting = snapshot.kinds.reduce((sum, kind) => sum + kind.jobs, 0);
          expect(waiting).toBe(waitingJobs);
          const started = alone.schedule.startSeconds.filter((start) => start === nowSeconds).length;
          expect(reserved[0].jobs).toBe(started);
          const most = mostJobs(solver, snapshot, 0, { pairs: 0, seconds: 20 }).high;
          for (const { jobs: tried } of [...reserved, ...unreserved]) expect(tried).toBeLessThanOrEqual(most);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("refuses a policy that keeps records of the run, and what is no number of cycles", async () => {
    await expect(studyOptimum(figure31, machines, { policies: ["easy"] })).rejects.toThrow(
      /"easy" keeps records of jobs/,
    );
    await expect(studyOptimum(figure31, machines, { cycles: 0.5 })).rejects.toThrow(/not 0\.5/);
    await expect(studyOptimum(figure31, machines, { policies: [] })).rejects.toThrow(/at least one policy/);
  });
});

test("a standing adds up jobs, and averages cycles", () => {
  const cycle = (jobs: number, high: number, seconds: number) => ({
    most: { low: 0, high },
    tried: { jobs, seconds },
  });
  expect(standingOf([cycle(5, 10, 1), cycle(30, 30, 3)])).toEqual({
    share: 35 / 40,
    shareMean: 0.75,
    shareWorst: 0.5,
    cyclesReached: 1,
    secondsMedian: 1,
  });
  expect(standingOf([])).toMatchObject({ share: 0, shareWorst: 0, cyclesReached: 0 });
});
