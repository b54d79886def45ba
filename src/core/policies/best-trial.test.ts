import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { Jobs } from "../jobs/jobs.ts";
import { findHeuristic, findPolicy, type JobRequest } from "../index.ts";
import { aJob, DrivenPool, placementOf, someMachines, startedOf } from "../pool/pool.fixture.ts";

/** A pool whose jobs are submitted at times of their own. */
class TimedPool extends DrivenPool {
  submitAt(seconds: number, request: JobRequest): number {
    const job = this.jobs.add(request, seconds);
    this.wait(job);
    return job;
  }
}

type Given = readonly { readonly submitted: number; readonly request: JobRequest }[];

function cycle(policy: string, machines: ReturnType<typeof someMachines>, given: Given, now: number) {
  const { kind, heuristic } = findPolicy(policy)!;
  const pool = new TimedPool({ jobs: new Jobs(), capacities: machines, policy: kind, heuristic });
  const jobs = given.map(({ submitted, request }) => pool.submitAt(submitted, request));
  pool.cycle(now);
  const started = startedOf(pool);
  return {
    jobs: started.map((job) => jobs.indexOf(job)),
    places: started.map((job) => placementOf(pool, job)),
    winners: pool.policy.winners,
  };
}

const values: Readonly<Record<string, (given: Given[number], now: number) => number>> = {
  "max-jobs": () => 1,
  "max-cores": ({ request }) => request.cores * request.tasks,
  "max-wait": ({ submitted }, now) => now - submitted,
  "max-starved": ({ submitted }, now) => (now - submitted) ** 2,
};

const anyJob = fc.record({
  submitted: fc.nat(100),
  request: fc
    .record({
      cores: fc.integer({ min: 1, max: 4 }),
      memory: fc.nat(4),
      tasks: fc.integer({ min: 1, max: 3 }),
    })
    .map(({ cores, memory, tasks }) => aJob({ cores: cores * 1000, memory: memory * 1024, tasks })),
});
const anyMachines = fc
  .array(fc.record({ cores: fc.integer({ min: 1, max: 6 }), memory: fc.integer({ min: 1, max: 6 }) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((specs) =>
    someMachines(...specs.map(({ cores, memory }) => ({ cores: cores * 1000, memory: memory * 1024 }))),
  );

describe.each(Object.keys(values))("%s", (policy) => {
  it("does what the heuristic of the highest value does, of those the one of most jobs, then the first", () => {
    fc.assert(
      fc.property(anyMachines, fc.array(anyJob, { maxLength: 12 }), (machines, given) => {
        const now = 100;
        const result = cycle(policy, machines, given, now);
        const tried = result.winners!.names.map((name) => {
          const alone = cycle(name, machines, given, now);
          const value = alone.jobs.reduce((sum, job) => sum + values[policy](given[job], now), 0);
          return { ...alone, value };
        });
        const most = Math.max(...tried.map(({ value }) => value));
        const mostJobs = Math.max(
          ...tried.filter(({ value }) => value === most).map(({ jobs }) => jobs.length),
        );
        const isBest = (each: (typeof tried)[number]): boolean =>
          each.value === most && each.jobs.length === mostJobs;
        expect([...result.winners!.won]).toEqual(tried.map((each) => (isBest(each) ? 1 : 0)));
        const { jobs, places } = tried.find(isBest)!;
        expect({ jobs: result.jobs, places: result.places }).toEqual({ jobs, places });
      }),
    );
  });
});

describe("by hand", () => {
  // Best-fit leaves the large machine to the wide job, and has no room for the two medium ones then. Worse-fit starts
  // the small job there, and both medium ones.
  const machines = someMachines({ cores: 8000 }, { cores: 3000 });
  const given = [
    { submitted: 0, cores: 1000 },
    { submitted: 5, cores: 8000 },
    { submitted: 50, cores: 3000 },
    { submitted: 50, cores: 3000 },
  ];
  const list = ["best-fit-cores", "worse-fit-cores"].map((name) => findHeuristic(name)!);

  it.each([
    ["max-jobs", "worse-fit-cores"], // 3 jobs against 2
    ["max-cores", "best-fit-cores"], // 9 cores against 7
    ["max-wait", "worse-fit-cores"], // 100 + 50 + 50 s against 100 + 95 s
    ["max-starved", "best-fit-cores"], // 100² + 95² against 100² + 50² + 50²
  ])("%s takes %s", (policy, winner) => {
    const pool = new TimedPool({
      jobs: new Jobs(),
      capacities: machines,
      policy: findPolicy(policy)!.kind.withList!(list),
      heuristic: list[0],
      reserving: 0,
    });
    const jobs = given.map(({ submitted, cores }) => pool.submitAt(submitted, aJob({ cores })));
    pool.cycle(100);
    const { names, won } = pool.policy.winners!;
    expect(names.filter((_, i) => won[i] === 1)).toEqual([winner]);
    const started = winner === "best-fit-cores" ? [0, 1] : [0, 2, 3];
    expect(startedOf(pool)).toEqual(started.map((job) => jobs[job]));
  });
});
