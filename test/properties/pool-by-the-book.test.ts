import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { useMeasures } from "../../src/core/index.ts";
import type { MachineSpec } from "../../src/core/pool/pool.fixture.ts";
import { simulate } from "../../src/simulation/index.ts";
import { farmOfMachines, type Farm } from "../../src/workload/index.ts";
import { aFarm, aWorkload, type JobSpec } from "../../src/simulation/workload.fixture.ts";
import {
  bookHeuristics,
  CloseCall,
  simulateByTheBook,
  type BookSettings,
} from "./pool-by-the-book.fixture.ts";
import { anyCase, anyProject, anyShares, kinds } from "./workloads.fixture.ts";

const plain: BookSettings = {
  policy: "first-fit",
  maxJobsList: [],
  intervalSeconds: 30,
  fairShare: null,
  examined: Infinity,
  reserving: Infinity,
  leastFree: { cores: 0, memory: 0 },
};

/** Fails where the simulator's start times or machines are not the book's. */
function expectByTheBook(
  { machines, jobs }: { machines: readonly MachineSpec[]; jobs: readonly JobSpec[] },
  settings: BookSettings,
): void {
  if (jobs.length === 0) return;
  const workload = aWorkload(jobs);
  const farm = aFarm(machines);
  const expected = byTheBook(workload, farm, settings);
  const { isEitherOrder, licences, ...others } = settings;
  const on = licences === undefined ? farm : withLicences(farmOfMachines(farm), licences);
  const policy = isEitherOrder === true ? `either-order/${settings.policy}` : settings.policy;
  const { schedule } = simulate(workload, on, { ...others, policy }, { keepMachines: true });
  expect(Array.from(schedule.startSeconds)).toEqual(expected.startSeconds);
  expect(expected.machines.map((_, row) => schedule.machines!.of(row))).toEqual(expected.machines);
}

/** Leaves out what the book cannot tell. */
function byTheBook(...args: Parameters<typeof simulateByTheBook>): ReturnType<typeof simulateByTheBook> {
  try {
    return simulateByTheBook(...args);
  } catch (error) {
    fc.pre(!(error instanceof CloseCall));
    throw error;
  }
}

function withLicences(farm: Farm, licences: Readonly<Record<string, number>>): Farm {
  const list = Object.entries(licences).map(([name, count]) => ({ name, count }));
  return { ...farm, pools: farm.pools.map((pool) => ({ ...pool, licences: list })) };
}

const withoutMemory = ["first-fit", "best-fit-cores", "worse-fit-cores", "dot-product"];
// Mix-Fit over three resources is rounded; the tests beside the heuristics hold it to its angle.
const exactWithGpus = bookHeuristics.filter((name) => !name.startsWith("mix-fit"));
const suits = (kind: keyof typeof kinds): readonly string[] =>
  kind === "coresOnly" ? withoutMemory : kind === "withGpus" ? exactWithGpus : bookHeuristics;

const anyInterval = fc.constantFrom(0, 1, 7, 10, 30, 100);
const anyLimits = fc.record({
  examined: fc.constantFrom(Infinity, 1, 2, 5, 20),
  reserving: fc.constantFrom(Infinity, 0, 1, 2, 5),
  leastFree: fc.constantFrom(
    { cores: 0, memory: 0 },
    { cores: 1000, memory: 1024 },
    { cores: 500, memory: 0 },
    { cores: 0, memory: 2048 },
  ),
});

describe.each(Object.keys(kinds) as (keyof typeof kinds)[])("a pool, as the text has it: %s", (kind) => {
  const anyHeuristic = fc.constantFrom(...suits(kind));

  it.each(suits(kind))("%s starts the same jobs at the same times on the same machines", (policy) => {
    fc.assert(
      fc.property(anyCase(kinds[kind]), anyInterval, (each, intervalSeconds) => {
        expectByTheBook(each, { ...plain, policy, intervalSeconds });
      }),
      { numRuns: 8 },
    );
  });

  it("Max-Jobs over any list", () => {
    const lists = fc.array(anyHeuristic, { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(anyCase(kinds[kind]), anyInterval, lists, (each, intervalSeconds, maxJobsList) => {
        expectByTheBook(each, { ...plain, policy: "max-jobs", maxJobsList, intervalSeconds });
      }),
      { numRuns: 30 },
    );
  });

  it("the queue's order or the smallest first", () => {
    const limited = fc.tuple(anyInterval, anyLimits, anyHeuristic);
    fc.assert(
      fc.property(anyCase(kinds[kind]), limited, (each, [intervalSeconds, limits, policy]) => {
        expectByTheBook(each, { ...plain, ...limits, policy, intervalSeconds, isEitherOrder: true });
      }),
      { numRuns: 40 },
    );
  });

  it("licences: fair share, Max-Jobs, either order, jobs that name heuristics, limits: all together", () => {
    const { machine, job } = kinds[kind];
    const own = fc.record({
      project: anyProject,
      policy: fc.oneof(fc.constant(""), anyHeuristic),
      licences: fc.constantFrom("", "", "x", "x=2", "y", "x; y=2", "z"),
    });
    const jobs = fc.tuple(job, own).map(([job, names]) => ({ ...job, ...names }));
    const settings = fc.record({
      policy: fc.oneof(anyHeuristic, fc.constant("max-jobs")),
      maxJobsList: fc.array(anyHeuristic, { minLength: 1, maxLength: 4 }),
      isEitherOrder: fc.boolean(),
      intervalSeconds: anyInterval,
      fairShare: fc.option(anyShares),
      limits: anyLimits,
      licences: fc.record({ x: fc.integer({ min: 1, max: 4 }), y: fc.integer({ min: 0, max: 3 }) }),
    });
    fc.assert(
      fc.property(anyCase({ machine, job: jobs }), settings, (each, { limits, isEitherOrder, ...rest }) => {
        const isEither = isEitherOrder && rest.policy !== "max-jobs";
        // The smallest-first order is by the book without fair share.
        const fairShare = isEither ? null : rest.fairShare;
        expectByTheBook(each, { ...rest, ...limits, fairShare, isEitherOrder: isEither });
      }),
      { numRuns: 80 },
    );
  });

  it("fair share down the tree, jobs that name heuristics, limits: all together", () => {
    const { machine, job } = kinds[kind];
    const named = fc.record({ project: anyProject, policy: fc.oneof(fc.constant(""), anyHeuristic) });
    const jobs = fc.tuple(job, named).map(([job, names]) => ({ ...job, ...names }));
    const settings = fc.record({
      policy: fc.oneof(anyHeuristic, fc.constant("max-jobs")),
      maxJobsList: fc.array(anyHeuristic, { minLength: 1, maxLength: 4 }),
      intervalSeconds: anyInterval,
      fairShare: fc.option(anyShares),
      limits: anyLimits,
    });
    fc.assert(
      fc.property(anyCase({ machine, job: jobs }), settings, (each, { limits, ...rest }) => {
        expectByTheBook(each, { ...rest, ...limits });
      }),
      { numRuns: 80 },
    );
  });

  it("fair share by what was used: each job that starts is the first by the integral over all that ran", () => {
    const { machine, job } = kinds[kind];
    const jobs = fc.tuple(job, fc.record({ project: anyProject })).map(([job, own]) => ({ ...job, ...own }));
    const settings = fc.record({
      policy: fc.oneof(anyHeuristic, fc.constant("max-jobs")),
      maxJobsList: fc.array(anyHeuristic, { minLength: 1, maxLength: 4 }),
      intervalSeconds: anyInterval,
      fairShare: anyShares,
      limits: anyLimits,
      usage: fc.record({
        halfLifeSeconds: fc.constantFrom(1, 10, 60, 1000, 1e6),
        of: fc.constantFrom(...(kind === "coresOnly" ? (["cores"] as const) : useMeasures)),
      }),
    });
    fc.assert(
      fc.property(anyCase({ machine, job: jobs }), settings, (each, { limits, ...rest }) => {
        expectByTheBook(each, { ...rest, ...limits });
        if (each.jobs.length === 0) return;
        // A run that somebody observes goes from instant to instant.
        const run = [aWorkload(each.jobs), aFarm(each.machines), { ...rest, ...limits }] as const;
        const { schedule } = simulate(...run, { observe: () => ({}) });
        expect(schedule.startSeconds).toEqual(simulate(...run).schedule.startSeconds);
      }),
      { numRuns: 150 },
    );
  });
});
