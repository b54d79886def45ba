import * as fc from "fast-check";
import { expect, it } from "vitest";

import { HELD, NONE, UNASSIGNED, WAITING } from "../../core/index.ts";
import { runAhead, type HeldJob } from "../../forecast/index.ts";
import { Draws } from "../service/draws.ts";
import { Farm } from "../service/farm.fixture.ts";
import { simulatedJob } from "../service/farm-world.fixture.ts";
import { findJob } from "../store/job-views.ts";
import { heldJobs, limitedArrays } from "../replica/held-jobs.ts";
import { Shadow } from "./shadow.ts";

const traits = { user: 1, name: 1, requestedSeconds: Infinity };
const JOBS = 60;

/** A job that starts at another time than was forecast. */
interface Missed {
  readonly job: number;
  readonly wait: number;
  readonly started: number;
}

/**
 * Forecasts all jobs that wait now, with their true run times and no arrivals, and lets the farm go on.
 *
 * @param seconds how long each job runs
 */
async function forecastsOf(
  farm: Farm,
  seconds: ReadonlyMap<number, number>,
): Promise<{
  readonly waiting: readonly number[];
  /** Those of them that are held. */
  readonly held: readonly HeldJob[];
  readonly missed: readonly Missed[];
}> {
  const { database, service } = farm.world;
  const offset = service.unixSeconds() - service.farmTime();
  const shadow = new Shadow(database);
  shadow.follow();
  shadow.findRuns(offset);
  const { port, runs, arrivals, twins } = shadow;
  const { jobs } = port.view;
  const held = heldJobs(database, port, offset);
  const waiting = Array.from(seconds.keys()).filter((job) => {
    const handle = port.handleOf(job);
    return handle !== NONE && [WAITING, HELD, UNASSIGNED].includes(jobs.stateOf(handle));
  });
  const now = Math.max(service.farmTime(), shadow.now);
  const moment = {
    port,
    runs,
    arrivals,
    twins,
    now,
    held,
    arrays: limitedArrays(database, held),
    traitsOf: () => traits,
    nextNumber: port.highest + 1,
  };
  const truth = { runSeconds: (job: number) => seconds.get(job)!, coming: () => [].values() };
  const waits = runAhead(moment, waiting, truth, { members: 1, horizonSeconds: 1e6, steps: 1e5 });
  await farm.pass(20_000);
  const missed = waiting.flatMap((job) => {
    const started = Date.parse(findJob(database, job)!.startedAt!) / 1000 - offset - now;
    const [wait] = waits.get(job)!;
    return Math.abs(started - wait) < 0.01 ? [] : [{ job, wait, started }];
  });
  return { waiting, held, missed };
}

it.each(["first-fit", "easy", "conservative", "backfill:2"])(
  "with true run times and no arrivals a live farm does as forecast: limits, begin times, arrays, suspensions under %s",
  async (policy) => {
    const draws = new Draws(5);
    const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
    const limit = { runningJobs: null, runningCores: 6, waitingJobs: null, jobsAtOnce: null };
    const sizes = ["one", "two"].map((name) => ({ name, machines: 2, cores: 4 }));
    const farm = await Farm.of(sizes, {
      policy,
      victim: "lowest-priority",
      routing: "utilization",
      limits: [{ of: "user", name: null, ...limit }],
      engine: { suspend: "full" },
    });
    const { service } = farm.world;
    const seconds = new Map<number, number>();
    for (let job = 1; job <= JOBS; job++) {
      // No two at the same instant: which is first then is the clock's matter.
      seconds.set(job, 8 * (1 + draws.below(40)) + job / 16);
      const beginAt = draws.below(4) === 0 ? service.unixSeconds() + 100 + 8 * draws.below(100) : null;
      const more = { cores: of([1, 2, 4]), priority: of([10, 50, 90]), timeSeconds: 400, beginAt };
      await farm.submit(seconds.get(job)!, more, { user: of(["ann", "bob", "eve"]) });
    }
    const place = { cores: 2, priority: 50, timeSeconds: 400 };
    const array = Array.from({ length: 9 }, (_, index) =>
      simulatedJob({ ...place, array: { first: 0, index, most: 2 } }),
    );
    await farm.submit(200, {}, { user: "arr", jobs: array });
    for (let job = JOBS + 1; job <= JOBS + array.length; job++) seconds.set(job, 200);
    await farm.pass(60);
    const { waiting, missed } = await forecastsOf(farm, seconds);
    expect(waiting.length).toBeGreaterThan(JOBS / 3);
    expect(missed).toEqual([]);
  },
);

/** What is submitted at once: a job, or an array. */
const submission = fc.record({
  elements: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 6 })),
  most: fc.integer({ min: 1, max: 3 }),
  seconds: fc.integer({ min: 1, max: 40 }),
  fails: fc.boolean(),
  cores: fc.constantFrom(1, 2, 4, 6),
  priority: fc.constantFrom(10, 50, 90),
  /** Any of the jobs before it. */
  after: fc.oneof(fc.constant<number[]>([]), fc.array(fc.nat(999), { minLength: 1, maxLength: 3 })),
  isAny: fc.boolean(),
  beginsIn: fc.oneof(
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 60 }) },
  ),
});

const pools = [
  { name: "small", machines: 2, cores: 4 },
  { name: "large", machines: 1, cores: 7 },
];

it("with true run times and no arrivals pipelines start as forecast: chains, diamonds, arrays of limited size", async () => {
  let [afterOthers, inQueue] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("first-fit", "easy", "conservative"),
      fc.constantFrom("utilization", "round-robin"),
      fc.boolean(),
      fc.array(submission, { minLength: 8, maxLength: 20 }),
      async (policy, routing, hasQueue, submissions) => {
        const farm = await Farm.of(pools, { policy, routing, hasQueue });
        const { service } = farm.world;
        const seconds = new Map<number, number>();
        const failing = new Set<number>();
        for (const each of submissions) {
          const first = seconds.size + 1;
          // No two end at the same instant: which is first then is the clock's matter.
          const runs = 8 * each.seconds + first / 64;
          const waitsFor = new Set(
            each.after.flatMap((other) => (first === 1 ? [] : [1 + (other % (first - 1))])),
          );
          const own = {
            cores: each.cores,
            priority: each.priority,
            timeSeconds: 400,
            beginAt: each.beginsIn === null ? null : service.unixSeconds() + 8 * each.beginsIn,
            after: Array.from(waitsFor, (job) => ({
              job,
              condition: each.isAny
                ? ("any" as const)
                : failing.has(job)
                  ? ("failed" as const)
                  : ("ok" as const),
            })),
          };
          const jobs = Array.from({ length: each.elements }, (_, index) =>
            simulatedJob(each.elements === 1 ? own : { ...own, array: { first: 0, index, most: each.most } }),
          );
          await farm.submit(runs, {}, { jobs, status: each.fails ? 1 : 0 });
          for (let job = first; job < first + each.elements; job++) {
            seconds.set(job, runs);
            if (each.fails) failing.add(job);
          }
        }
        await farm.pass(20);
        const { held, waiting, missed } = await forecastsOf(farm, seconds);
        expect(missed).toEqual([]);
        afterOthers += held.filter(({ after }) => after.length > 0).length;
        inQueue += waiting.length - held.length;
      },
    ),
    { numRuns: 40 },
  );
  expect(afterOthers).toBeGreaterThan(100);
  expect(inQueue).toBeGreaterThan(30);
});
