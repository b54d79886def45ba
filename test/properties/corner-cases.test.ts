import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { policies, shareTree, type Pool } from "../../src/core/index.ts";
import { DRAINED } from "../../src/core/machines/machine-state.ts";
import { aJob, aPool, placementOf, someMachines, startedOf } from "../../src/core/pool/pool.fixture.ts";
import { typicalTask } from "../../src/simulation/figures/offered-load.ts";
import { offeredLoad, simulate } from "../../src/simulation/index.ts";
import { aFarm, aWorkload } from "../../src/simulation/workload.fixture.ts";
import { startsOnProcessors, type Backfilling } from "./backfilling-by-the-book.fixture.ts";

describe("backfilling where times are not whole seconds, and a job outlives its estimate", () => {
  // At 9.5 the first job, expected to end at 1, is expected to end at 10.5: after the second, at 9.75.
  const jobs = [
    { submit: 0, run: 20, estimate: 1 },
    { submit: 0, run: 9.75, estimate: 9.75 },
    { submit: 9, run: 10, estimate: 10, cores: 2000 },
    { submit: 9.5, run: 1.5, estimate: 1.5 },
  ];

  it("EASY keeps the promise to the first waiting job: it starts at 9.75", () => {
    const { schedule } = simulate(aWorkload(jobs), aFarm([{ cores: 3000 }]), { policy: "easy" });
    expect(Array.from(schedule.startSeconds)).toEqual([0, 0, 9.75, 19.75]);
  });

  it.each<Backfilling>(["easy", "easy-sjbf"])("%s, by the textbook", (policy) => {
    const quarters = fc.nat(40).map((quarters) => quarters / 4);
    const anyJobs = fc
      .array(
        fc.record({
          submit: quarters,
          run: quarters,
          estimate: quarters,
          cores: fc.integer({ min: 1, max: 6 }).map((cores) => cores * 1000),
        }),
        { minLength: 1, maxLength: 25 },
      )
      .map((jobs) => jobs.sort((a, b) => a.submit - b.submit));
    fc.assert(
      fc.property(anyJobs, fc.integer({ min: 2, max: 8 }), (jobs, processors) => {
        const workload = aWorkload(jobs);
        const estimates = jobs.map(({ estimate }) => estimate);
        const { schedule } = simulate(workload, aFarm([{ cores: processors * 1000 }]), { policy });
        expect(Array.from(schedule.startSeconds)).toEqual(
          startsOnProcessors(workload, processors, estimates, policy),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe("Mix-Fit with three resources", () => {
  it("equal angles are a tie, which the first machine in pool order wins", () => {
    // Left: 3/5 of each resource on the first machine, 1/2 of each on the second: both on the diagonal.
    const machines = someMachines(
      { cores: 5000, memory: 5000, gpu: 5000 },
      { cores: 2000, memory: 2000, gpu: 2000 },
    );
    const pool = aPool("mix-fit", machines);
    pool.machines.take(0, 1000, 1000, 1000, 1);
    const job = pool.submit(aJob({ cores: 1000, memory: 1000, gpu: 1000 }));
    pool.cycle(0);
    expect(placementOf(pool, job)).toEqual([{ machine: 0, tasks: 1 }]);
  });
});

describe("a path spelled in two ways", () => {
  it("is one project of the share tree, also where others are below it", () => {
    const tree = shareTree(["/a", "a", "/a/b"], []);
    expect(tree.leafOf[1]).toBe(tree.leafOf[0]);
  });

  it("has its share in the figures of fairness", () => {
    const workload = aWorkload([{ project: "a" }, { project: "/b" }]);
    const { result } = simulate(workload, aFarm([{ cores: 8000 }]), {
      policy: "first-fit",
      fairShare: [{ path: "/a", share: 3 }],
    });
    expect(result.fairness!.projects.find(({ project }) => project === "a")!.share).toBe(0.75);
  });
});

describe("jobs that are rejected long after all others", () => {
  const jobs = [
    { run: 100, memory: 1 },
    { run: 100, memory: 1 },
    { submit: 10_000, run: 100, cores: 8000 },
  ];

  it.each(["instant", "single"] as const)("are in no figure over time, by %s events", (eventOrder) => {
    const farm = aFarm([{ cores: 1000, memory: 4 }]);
    const settings = { policy: "first-fit", eventOrder, intervalSeconds: 0 };
    const { result } = simulate(aWorkload(jobs), farm, settings);
    expect(result).toMatchObject({
      rejected: 1,
      makespanSeconds: 200,
      queueLengthMean: 0.5,
      coreUtilizationMean: 1,
    });
    // Until the second job starts; the cores are busy all that time.
    expect(result.series.timeSeconds.at(-1)).toBeLessThanOrEqual(100);
    expect(result.series.coreUtilization.slice(1).every((use) => use === 1)).toBe(true);
    const without = simulate(aWorkload(jobs.slice(0, 2)), farm, settings).result;
    expect(without).toMatchObject({ makespanSeconds: 200, queueLengthMean: 0.5, coreUtilizationMean: 1 });
  });

  it.each(["instant", "single"] as const)(
    "are in none before all others either, by %s events",
    (eventOrder) => {
      const farm = aFarm([{ cores: 1000, memory: 4 }]);
      const large = { run: 100, cores: 8000 };
      const around = [
        { ...large, submit: 0 },
        ...jobs.map((job) => ({ ...job, submit: 5000 + (job.submit ?? 0) })),
      ];
      const { result } = simulate(aWorkload(around), farm, {
        policy: "first-fit",
        eventOrder,
        intervalSeconds: 0,
      });
      expect(result).toMatchObject({
        rejected: 2,
        makespanSeconds: 200,
        queueLengthMean: 0.5,
        coreUtilizationMean: 1,
      });
      // Times are those since the log's first submission.
      const { timeSeconds, coreUtilization } = result.series;
      expect(timeSeconds[0]).toBeGreaterThanOrEqual(5000);
      expect(timeSeconds.at(-1)).toBeLessThanOrEqual(5100);
      expect(coreUtilization.slice(1).every((use) => use === 1)).toBe(true);
    },
  );

  it("are in none of packing and of failures either", () => {
    const farm = aFarm([
      { cores: 1000, memory: 4 },
      { cores: 1000, memory: 4 },
    ]);
    const one = { submit: 5000, run: 100, memory: 1, queue: "a" };
    const figuresOf = (jobs: Parameters<typeof aWorkload>[0]) => {
      const { result } = simulate(aWorkload(jobs), farm, {
        policy: "first-fit",
        packing: { policy: "relaxed", ttlSeconds: Infinity, families: [{ field: "queue", values: ["a"] }] },
      });
      return [result.idleNodesMean, result.fillFactorMean, result.packingIndexMean];
    };
    expect(figuresOf([{ run: 1, cores: 8000, queue: "a" }, one])).toEqual(figuresOf([one]));
    const failures = {
      kind: "listed",
      outages: [
        { machine: 1, downSeconds: 100, upSeconds: 300 },
        { machine: 1, downSeconds: 4000, upSeconds: 5050 },
      ],
    } as const;
    const { result } = simulate(aWorkload([{ run: 1, cores: 8000 }, one]), farm, {
      policy: "first-fit",
      intervalSeconds: 0,
      failures,
    });
    // A core for 50 s, beside the one job.
    expect(result.unavailableCoreHours).toBeCloseTo(50 / 3600, 12);
  });

  it("are no run where there are no others", () => {
    const { result } = simulate(aWorkload([jobs[2], jobs[2]]), aFarm([{ cores: 1000, memory: 4 }]), {
      policy: "first-fit",
    });
    expect(result).toMatchObject({
      rejected: 2,
      makespanSeconds: 0,
      queueLengthMean: 0,
      coreUtilizationMean: 0,
    });
    expect(result.strandedCoresMean).toBe(0);
  });
});

describe("the task by which cores are stranded", () => {
  it("is the median task, of which a job may have many", () => {
    // The median of 9 + 2 tasks is the small one, which fits wherever a core is free; of 3 jobs it would be the large one.
    const workload = aWorkload([
      { run: 10, cores: 1000, memory: 1, tasks: 9 },
      { run: 10, cores: 4000, memory: 16 },
      { run: 10, cores: 4000, memory: 16 },
    ]);
    const { result } = simulate(
      workload,
      aFarm([...Array.from({ length: 5 }, () => ({ cores: 4000, memory: 4 })), { cores: 4000, memory: 64 }]),
      {
        policy: "first-fit",
      },
    );
    expect(result.strandedCoresMean).toBe(0);
  });

  it("is what the same tasks as jobs of their own have as their median", () => {
    const anyJobs = fc.array(
      fc.record({
        cores: fc.integer({ min: 1, max: 9 }),
        memory: fc.nat(9),
        tasks: fc.integer({ min: 1, max: 6 }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(anyJobs, (jobs) => {
        const apart = jobs.flatMap(({ tasks, ...task }) => Array.from({ length: tasks }, () => task));
        expect(typicalTask(aWorkload(jobs))).toEqual(typicalTask(aWorkload(apart)));
      }),
    );
  });
});

describe("projects of which no job starts", () => {
  const farm = aFarm([{ cores: 4000 }]);
  const own = [{ project: "a" }, { project: "b" }];

  it("are left out of the figures of fairness, and counted", () => {
    const never = { project: "c", cores: 8000 };
    const { fairness } = simulate(aWorkload([...own, never, never]), farm, { policy: "first-fit" }).result;
    const without = simulate(aWorkload(own), farm, { policy: "first-fit" }).result.fairness!;
    expect(without.projectsWithoutStart).toBe(0);
    expect(fairness).toMatchObject({ projectsWithoutStart: 1, jainIndex: 1, shareErrorMean: 0 });
    expect(fairness!.projects.map(({ project }) => project)).toEqual(["a", "b"]);
  });

  it("leave no figures of fairness where there are no others", () => {
    const { result } = simulate(aWorkload([{ project: "c", cores: 8000 }]), farm, { policy: "first-fit" });
    expect(result.fairness).toBeUndefined();
  });
});

describe("cycles at an interval that is no binary fraction", () => {
  it("see what is submitted at the very time of a cycle", () => {
    // 10.5 ÷ 0.7 is a little more than 15 in doubles, though 15 × 0.7 is 10.5.
    const workload = aWorkload([{ submit: 10.5 }]);
    const { schedule } = simulate(workload, aFarm([{ cores: 1000 }]), {
      policy: "first-fit",
      intervalSeconds: 0.7,
    });
    expect(schedule.startSeconds[0]).toBe(10.5);
  });

  it("end no job before its time", () => {
    const workload = aWorkload([
      { submit: 162, run: 35 },
      { submit: 172, run: 80 },
    ]);
    const { schedule } = simulate(workload, aFarm([{ cores: 1000 }]), {
      policy: "first-fit",
      beta: 0.492_592_592_592_592_64,
      intervalSeconds: 0.7,
    });
    const [first, second] = schedule.startSeconds;
    expect(second).toBeGreaterThanOrEqual(first + 35);
  });
});

describe("drained machines", () => {
  const anyRequest = fc
    .record({
      cores: fc.integer({ min: 1, max: 4 }).map((cores) => cores * 500),
      memory: fc.nat(3).map((gib) => gib * 1024),
      tasks: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5 })),
      estimateSeconds: fc.nat(6),
    })
    .map(aJob);

  it("are not reserved: the machine that is open is, for the second job", () => {
    const pool = aPool(
      "first-fit",
      someMachines({ cores: 1000, memory: 3072 }, { cores: 1500, memory: 3072 }),
    );
    pool.machines.close(0, DRAINED);
    const [first] = [1000, 1000, 500].map((cores) => pool.submit(aJob({ cores })));
    pool.cycle(0);
    expect(startedOf(pool)).toEqual([first]);
  });

  it.each([...policies.map(({ name }) => name), "easy/mix-fit"])(
    "%s: with machines drained it decides as a pool without them",
    (policy) => {
      const anySpec = fc.record({
        cores: fc.integer({ min: 2, max: 8 }).map((cores) => cores * 500),
        memory: fc.integer({ min: 3, max: 6 }).map((gib) => gib * 1024),
      });
      const requests = fc.array(anyRequest, { maxLength: 12 });
      fc.assert(
        fc.property(
          fc.array(fc.tuple(anySpec, fc.boolean()), { minLength: 1, maxLength: 10 }),
          fc.array(fc.tuple(requests, fc.nat()), { maxLength: 8 }),
          (specs, rounds) => {
            const open = specs.flatMap(([, isDrained], machine) => (isDrained ? [] : [machine]));
            if (open.length === 0) return;
            const whole = aPool(policy, someMachines(...specs.map(([spec]) => spec)));
            const without = aPool(policy, someMachines(...open.map((machine) => specs[machine][0])));
            specs.forEach(([, isDrained], machine) => isDrained && whole.machines.close(machine, DRAINED));
            const running: (readonly [number, number])[] = [];
            rounds.forEach(([requests, which], now) => {
              for (const request of requests) {
                if (without.ineligible(request) !== null) continue;
                whole.submit(request);
                without.submit(request);
              }
              whole.cycle(now);
              without.cycle(now);
              const placed = (pool: Pool, number: (machine: number) => number): unknown =>
                startedOf(pool).map((job) =>
                  placementOf(pool, job).flatMap(({ machine, tasks }) =>
                    Array.from({ length: tasks }, () => number(machine)),
                  ),
                );
              expect(placed(whole, (machine) => machine)).toEqual(
                placed(without, (machine) => open[machine]),
              );
              startedOf(whole).forEach((job, i) => running.push([job, without.started[i]]));
              for (const [job, twin] of running.splice(which % (running.length + 1), 2)) {
                whole.finish(job);
                without.finish(twin);
              }
            });
          },
        ),
        { numRuns: 40 },
      );
    },
  );
});

describe("the offered load", () => {
  it("is that of the jobs that the farm can hold", () => {
    const farm = aFarm([
      { cores: 8000, memory: 1024 },
      { cores: 1000, memory: 8192 },
    ]);
    const small = { cores: 1000, memory: 1024, run: 90 };
    const load = offeredLoad(aWorkload([small, { ...small, submit: 100 }]), farm);
    // One machine has the cores, the other the memory: the job is rejected.
    const impossible = { cores: 8000, memory: 8192, run: 1000 };
    const { result } = simulate(aWorkload([small, impossible, { ...small, submit: 100 }]), farm, {
      policy: "first-fit",
    });
    expect(result.rejected).toBe(1);
    expect(result.offeredLoad).toBe(load);
  });
});
