import { expect, it } from "vitest";

import { Farm } from "../service/farm.fixture.ts";
import { simulatedJob } from "../service/farm-world.fixture.ts";
import { anyFarmOf } from "../service/farms.fixture.ts";
import { jobRequest, type JobRequest } from "../store/job-request.ts";
import { fits, fitsNow, type Fits } from "./fits.ts";
import { farmWith, pass, type PastSpec } from "./past.fixture.ts";
import { readPresent, type Present } from "./present.ts";
import { Replica, replicaOf } from "./replica.ts";

const wanted = (asked: Partial<JobRequest> = {}, tasks = 1) => ({
  request: jobRequest(["job"], { cores: 2, memoryMiB: 1000, ...asked }),
  tasks,
  count: 10,
});

const HOURS = [0, 3600, 7200] as const;
const jobsOf = ({ within }: Fits): number[] => within.map(({ jobs }) => jobs);

/** Two machines of 4 cores, one with a job of 3 cores that may run for an hour and half an hour is over. */
async function halfBusy(): Promise<Present> {
  const job: PastSpec = {
    submit: 0,
    run: 1e6,
    request: { cores: 3, memoryMiB: 100, timeSeconds: 3600 },
    user: "u",
  };
  const { service, database, ...world } = await farmOfOne(job);
  const instant = { farmSeconds: service.farmTime(), unixSeconds: world.clock.unixSeconds() };
  return readPresent(database, new Replica(database), instant);
}

async function farmOfOne(job: PastSpec) {
  const world = await farmWith(anyFarmOf([{ name: "one", machines: 2, cores: 4 }]), [job]);
  await pass(world, 1800);
  const { service, database, clock } = world;
  return { service, database, clock };
}

it("counts the jobs that start now, and when those that run have ended", async () => {
  // 2 on the free machine; when the job of 3 cores has ended 2 more; they have no end.
  expect(fits(await halfBusy(), wanted(), HOURS)).toEqual({
    never: null,
    count: 10,
    within: [
      { seconds: 0, jobs: 2 },
      { seconds: 3600, jobs: 4 },
      { seconds: 7200, jobs: 4 },
    ],
    nowByPool: { one: 2 },
    isCutShort: false,
  });
});

it("jobs with an end make room for others", async () => {
  // At 0: 2; at half an hour 4, at an hour 4 more.
  expect(jobsOf(fits(await halfBusy(), wanted({ timeSeconds: 1800 }), HOURS))).toEqual([2, 10, 10]);
});

it("all tasks of a job start together", async () => {
  expect(jobsOf(fits(await halfBusy(), wanted({}, 3), HOURS))).toEqual([0, 1, 1]);
});

it("sees the room of each pool, whatever the routing would do with many at the same moment", async () => {
  const sizes = [8, 3, 8].map((machines, at) => ({ name: `p${at}`, machines, cores: 8 }));
  for (const routing of ["utilization", "round-robin"]) {
    const { service, database, clock } = await farmWith(anyFarmOf(sizes, { routing }), []);
    const instant = { farmSeconds: service.farmTime(), unixSeconds: clock.unixSeconds() };
    const present = readPresent(database, new Replica(database), instant);
    const asked = { ...wanted({ cores: 8 }), count: 30 };
    const found = fits(present, asked, HOURS);
    expect(found.nowByPool).toEqual({ p0: 8, p1: 3, p2: 8 });
    expect(jobsOf(found)).toEqual([19, 19, 19]);
    const few = fits(present, { ...asked, count: 10 }, HOURS);
    expect(jobsOf(few)).toEqual([10, 10, 10]);
    expect(Object.values(few.nowByPool).reduce((sum, jobs) => sum + jobs)).toBe(10);
    // What only one pool could hold is asked of that one.
    expect(jobsOf(fits(present, { ...asked, request: { ...asked.request, pool: "p1" } }, HOURS))).toEqual([
      3, 3, 3,
    ]);
  }
});

it("held jobs take their room once they are released, but not those that run only if others fail", async () => {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }]);
  const { database, service, clock } = farm.world;
  // Where little is known a job is expected to run for about three quarters of its limit.
  const whole = (seconds: number) => ({ cores: 4, timeSeconds: seconds / 0.77 });
  const after = (condition: "ok" | "failed") => ({ after: [{ job: 1, condition }] });
  await farm.submit(1e6, whole(300));
  await farm.submit(1e6, { ...whole(3000), ...after("ok") });
  await farm.submit(1e6, { ...whole(90_000), ...after("failed") });
  await farm.submit(1e6, { ...whole(3000), beginAt: clock.unixSeconds() + 4000 });
  const atOnce = { array: { first: 0, index: 0, most: 1 } };
  const jobs = [simulatedJob({ ...whole(3000), ...atOnce }), simulatedJob({ ...whole(3000), ...atOnce })];
  const instant = { farmSeconds: service.farmTime(), unixSeconds: clock.unixSeconds() };
  const found = (): number[] => {
    const present = readPresent(database, new Replica(database), instant);
    return jobsOf(fits(present, wanted({ cores: 4, timeSeconds: 200 }), [3000, 3900, 4500, 6700, 7500]));
  };
  // From 3300 to 4000, and from 7100 on: the job with a begin time starts when one of these ends.
  const [behindOne, ...later] = found();
  expect(behindOne).toBe(0);
  expect(later[0]).toBeGreaterThan(0);
  expect(later[2]).toBe(later[1]);
  expect(later[3]).toBeGreaterThan(later[2]);
  // Of an array one after the other: in both gaps, and behind all.
  await farm.submit(1e6, {}, { jobs });
  expect(found()).toEqual([0, 0, 0, 0, 0]);
});

it("says why a job could never start", async () => {
  const found = fits(await halfBusy(), wanted({ cores: 5 }), HOURS);
  expect(jobsOf(found)).toEqual([0, 0, 0]);
  expect(found.never).toMatch(/core/);
  expect(fits(await halfBusy(), wanted({ requires: "cores >= 16" }), HOURS).never).toMatch(/cores/);
});

it("says why none starts where all machines that could hold one are closed", async () => {
  const sizes = [8, 4].map((cores, at) => ({ name: `p${at}`, machines: 1, cores }));
  const farm = await Farm.of(sizes, { hasQueue: true });
  const { database, service, clock } = farm.world;
  await farm.world.act(({ loop, pauses }) =>
    loop.act((turn) => pauses.pause(turn, "p0", { actor: "eve", reason: "move", suspends: false })),
  );
  const found = (cores: number): Fits => {
    const instant = { farmSeconds: service.farmTime(), unixSeconds: clock.unixSeconds() };
    return fits(readPresent(database, new Replica(database), instant), wanted({ cores }), HOURS);
  };
  expect(found(8).never).toMatch(
    /^the one machine of p0 on which it could run is closed: eve has paused pool p0/,
  );
  expect(jobsOf(found(8))).toEqual([0, 0, 0]);
  expect(found(2)).toMatchObject({ never: null, nowByPool: { p1: 2 } });
});

it("says when it had to stop before its time", async () => {
  const found = fits(await halfBusy(), wanted({ timeSeconds: 60 }), HOURS, () => false);
  expect(found).toMatchObject({ isCutShort: true, nowByPool: { one: 2 } });
});

it("asks a replica that goes on as the farm does, whatever was asked for", async () => {
  const farm = await Farm.of([{ name: "one", machines: 2, cores: 4 }]);
  const { database, service, clock } = farm.world;
  const ask = (requires: string): Fits | null => {
    const instant = { farmSeconds: service.farmTime(), unixSeconds: clock.unixSeconds() };
    return fitsNow(database, { ...wanted({ requires }), instant });
  };
  for (const cores of [1, 2, 3]) {
    // The farm has no such text yet, and gives the number to another.
    expect(ask(`cores >= ${cores} or cores == 99`)).toMatchObject({ never: null });
    await farm.submit(1000, { requires: `cores > ${cores} and cores != 77` });
    await farm.pass(1);
    expect(replicaOf(database)!.copy().save()).toEqual(service.journal.port.save());
  }
});

it("none starts in a pool that has not been reached yet", async () => {
  const farm = await Farm.of([{ name: "far", machines: 1, cores: 4 }], {}, ["far"]);
  await farm.pass(1);
  const { service, database, clock } = farm.world;
  const instant = { farmSeconds: service.farmTime(), unixSeconds: clock.unixSeconds() };
  const present = readPresent(database, new Replica(database), instant);
  expect(fits(present, wanted(), HOURS)).toMatchObject({
    never: "pool far has not been reached yet, and its machines are not known",
    within: [{ jobs: 0 }, { jobs: 0 }, { jobs: 0 }],
  });
});
