import { expect, it } from "vitest";

import { HELD, NONE, WAITING } from "../../core/index.ts";
import { runAhead } from "../../forecast/index.ts";
import { Draws } from "../service/draws.ts";
import { Farm } from "../service/farm.fixture.ts";
import { simulatedJob } from "../service/farm-world.fixture.ts";
import { findJob } from "../store/job-views.ts";
import { Shadow } from "./shadow.ts";

const sizes = ["one", "two"].map((name) => ({ name, machines: 2, cores: 4 }));
const traits = { user: 1, name: 1, requestedSeconds: Infinity };
const JOBS = 60;

it.each(["first-fit", "easy", "conservative", "backfill:2"])(
  "with true run times and no arrivals a live farm does as forecast: limits, begin times, arrays, suspensions under %s",
  async (policy) => {
    const draws = new Draws(5);
    const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
    const limit = { runningJobs: null, runningCores: 6, waitingJobs: null, jobsAtOnce: null };
    const farm = await Farm.of(sizes, {
      policy,
      victim: "lowest-priority",
      routing: "utilization",
      limits: [{ of: "user", name: null, ...limit }],
      engine: { suspend: "full" },
    });
    const { database, service } = farm.world;
    const offset = service.unixSeconds() - service.farmTime();
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
    const shadow = new Shadow(database);
    shadow.follow();
    shadow.findRuns(offset);
    const { port, runs, arrivals, twins } = shadow;
    const { jobs } = port.view;
    const releases = shadow.releases(offset);
    const arrays = shadow.limitedArrays();
    expect(arrays.map(({ placed, held }) => [placed.length, held.length])).toEqual([[2, 7]]);
    const waiting = Array.from(seconds.keys()).filter((job) => {
      const handle = port.handleOf(job);
      return handle !== NONE && [WAITING, HELD].includes(jobs.stateOf(handle));
    });
    expect(waiting.length).toBeGreaterThan(JOBS / 3);
    expect(releases.size).toBeGreaterThan(5);
    const now = Math.max(service.farmTime(), shadow.now);
    const moment = {
      port,
      runs,
      arrivals,
      twins,
      now,
      releases,
      arrays,
      traitsOf: () => traits,
      nextNumber: port.highest + 1,
    };
    const truth = { runSeconds: (job: number) => seconds.get(job)!, coming: () => [].values() };
    const waits = runAhead(moment, waiting, truth, { members: 1, horizonSeconds: 1e6, steps: 1e5 });
    await farm.pass(20_000);
    const late = waiting.flatMap((job) => {
      const started = Date.parse(findJob(database, job)!.startedAt!) / 1000 - offset - now;
      const [wait] = waits.get(job)!;
      return Math.abs(started - wait) < 2 ? [] : [{ job, wait, started }];
    });
    expect(late).toEqual([]);
  },
);
