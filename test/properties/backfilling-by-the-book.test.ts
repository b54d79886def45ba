import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { simulate, type Estimates } from "../../src/simulation/index.ts";
import { aFarm, aWorkload, type JobSpec } from "../../src/simulation/workload.fixture.ts";
import { startsOnProcessors, type Backfilling } from "./backfilling-by-the-book.fixture.ts";

type KnownEstimates = Exclude<Estimates, "predicted">;
const anyEstimates: fc.Arbitrary<KnownEstimates> = fc.constantFrom<KnownEstimates>(
  "log",
  "exact",
  2,
  10,
  0.5,
);

/** Jobs that ask for up to 10 processors, as tasks or on one machine; some outlive their estimates. */
const processorJobs: fc.Arbitrary<JobSpec[]> = fc
  .array(
    fc.record({
      submit: fc.nat(200),
      run: fc.oneof(fc.nat(60), fc.constantFrom(0, 10, 20)).map((half) => half * 2),
      estimate: fc.oneof(fc.integer({ min: 1, max: 150 }), fc.constantFrom(10, 20)),
      processors: fc.integer({ min: 1, max: 10 }),
      isParallel: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((jobs) =>
    jobs
      .sort((a, b) => a.submit - b.submit)
      .map(({ processors, isParallel, ...job }) =>
        isParallel ? { ...job, tasks: processors } : { ...job, cores: processors * 1000, tasks: 1 },
      ),
  );

/** What the scheduler is told of the run times. */
function estimatesOf(jobs: readonly JobSpec[], estimates: KnownEstimates): number[] {
  return jobs.map(({ run = 0, estimate = 0 }) =>
    estimates === "log" ? estimate : estimates === "exact" ? run : run * estimates,
  );
}

describe("on one machine of processors, by the textbook", () => {
  it.each<Backfilling>(["fcfs", "easy", "easy-sjbf"])("%s starts every job at its time", (policy) => {
    fc.assert(
      fc.property(
        processorJobs,
        fc.integer({ min: 1, max: 16 }),
        anyEstimates,
        (jobs, processors, estimates) => {
          fc.pre(jobs.length > 0);
          const workload = aWorkload(jobs);
          const expected = startsOnProcessors(workload, processors, estimatesOf(jobs, estimates), policy);
          const { schedule } = simulate(workload, aFarm([{ cores: processors * 1000 }]), {
            policy,
            estimates,
          });
          expect(Array.from(schedule.startSeconds)).toEqual(expected);
        },
      ),
      { numRuns: 80 },
    );
  });

  it.each<Backfilling>(["fcfs"])("%s, with times that are not whole seconds", (policy) => {
    const inQuarters = (jobs: readonly JobSpec[]): JobSpec[] =>
      jobs.map(({ submit = 0, run = 0, estimate = 0, ...job }) => ({
        ...job,
        submit: submit / 4,
        run: run / 4,
        estimate: estimate / 4,
      }));
    fc.assert(
      fc.property(processorJobs.map(inQuarters), fc.integer({ min: 1, max: 16 }), (jobs, processors) => {
        fc.pre(jobs.length > 0);
        const workload = aWorkload(jobs);
        const expected = startsOnProcessors(workload, processors, estimatesOf(jobs, "log"), policy);
        const { schedule } = simulate(workload, aFarm([{ cores: processors * 1000 }]), { policy });
        expect(Array.from(schedule.startSeconds)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it.each<Backfilling>(["easy", "easy-sjbf"])("%s with hundreds of jobs at once", (policy) => {
    // 280 run, each expected to end at a time of its own; 10 wait.
    const running = Array.from({ length: 280 }, (_, i) => ({
      submit: 0,
      run: 1 + ((i * 7919) % 2003),
      estimate: 2 + ((i * 7919) % 2003) * (1 + (i % 3)),
      tasks: 1,
    }));
    const waiting = Array.from({ length: 10 }, (_, i) => ({
      submit: 100 + i,
      run: 50 + ((i * 37) % 500),
      estimate: 60 + ((i * 37) % 700),
      tasks: 1 + ((i * 131) % 200),
    }));
    const jobs = [...running, ...waiting];
    const workload = aWorkload(jobs);
    const expected = startsOnProcessors(workload, 280, estimatesOf(jobs, "log"), policy);
    const { schedule } = simulate(workload, aFarm([{ cores: 280_000 }]), { policy });
    expect(Array.from(schedule.startSeconds)).toEqual(expected);
  });
});
