import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { SHARES } from "../../forecast/index.ts";
import { Farm } from "../service/farm.fixture.ts";
import { simulatedJob } from "../service/farm-world.fixture.ts";
import { jobRequest, type Condition, type JobRequest } from "../store/job-request.ts";
import type { Instant } from "../replica/replica.ts";
import { afterOthers } from "./earliest.ts";
import { Forecaster } from "./forecaster.ts";
import { ForecastsRead, KeptForecasts } from "./kept-forecasts.ts";
import type { StartForecast } from "./start-forecast.ts";

/** No budget ends it: the clock stands still. */
const clock = { spent: () => () => 0 };
const whole = { cores: 4, timeSeconds: 400 };

/** A farm of one machine on which jobs of all cores run for 100 s, and have done so thirty times. */
async function aFarm(rules: Parameters<typeof Farm.of>[1] = {}): Promise<Farm> {
  const farm = await Farm.of([{ name: "one", machines: 1, cores: 4 }], rules);
  for (let job = 0; job < 30; job++) {
    await farm.submit(100, whole);
    await farm.pass(101);
  }
  return farm;
}

function after(...jobs: (readonly [job: number, condition: Condition])[]): Pick<JobRequest, "after"> {
  return { after: jobs.map(([job, condition]) => ({ job, condition })) };
}

/** Forecasts that were kept of jobs that all started much earlier than was forecast. */
function tellEarlier(kept: KeptForecasts): void {
  const raw = SHARES.map((share) => 3000 + 1000 * share);
  const told = Array.from({ length: 200 }, (_, at) => ({ job: at + 1, at: at * 7200, raw, told: raw }));
  const over = told.map(({ job }) => ({ job, waitedSeconds: 20 }));
  kept.write(new Map(), { told, over, withdrawn: [] });
}

function forecasterOf(
  farm: Farm,
  prepare: (kept: KeptForecasts) => void = () => undefined,
): {
  readonly instant: Instant;
  readonly kept: KeptForecasts;
  readonly renew: () => void;
  /** Of all jobs anew, and then of one. */
  readonly of: (job: number) => StartForecast | null;
  readonly ofRequest: (more: Partial<JobRequest>) => StartForecast;
  readonly secondsTo: (time: string | null) => number;
} {
  const folder = mkdtempSync(join(tmpdir(), "croft-forecasts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { service, database } = farm.world;
  const now = (): Instant => ({ farmSeconds: service.farmTime(), unixSeconds: service.unixSeconds() });
  const instant = now();
  const kept = new KeptForecasts(folder);
  prepare(kept);
  const forecaster = new Forecaster(database, kept, clock, instant);
  forecaster.renew(instant, 1000);
  const read = new ForecastsRead(folder);
  return {
    instant,
    kept,
    renew: () => forecaster.renew(now(), 1000),
    of: (job) => read.of(job, instant.unixSeconds),
    ofRequest: (more) =>
      forecaster.wouldStart(jobRequest(["job"], { ...whole, ...more }), "ann", instant, 1000),
    secondsTo: (time) => (time === null ? Infinity : Date.parse(time) / 1000 - instant.unixSeconds),
  };
}

it("a job that waits for others starts once they have run, in each future, submitted or not", async () => {
  const farm = await aFarm();
  await farm.submit(100, whole);
  await farm.submit(100, { ...whole, ...after([31, "ok"]) });
  await farm.submit(100, { ...whole, ...after([31, "any"]) });
  await farm.submit(100, { ...whole, ...after([32, "failed"], [33, "ok"]) });
  await farm.pass(1);
  const { of, ofRequest, secondsTo } = forecasterOf(farm);
  expect([32, 33, 34].map((job) => Math.round(secondsTo(of(job)!.startsAt) / 10))).toEqual([10, 20, 30]);
  expect([32, 33, 34].map((job) => of(job)!.assumed)).toEqual([
    "job 31 ends with status 0",
    "",
    "job 33 ends with status 0, and job 32 does not end with status 0",
  ]);
  // It is in no queue yet, and what is free now does not matter to it.
  expect(of(34)).toMatchObject({ jobsAhead: 0, isNow: false, never: null, futures: 40 });
  const asked = ofRequest(after([34, "ok"]));
  expect(secondsTo(asked.startsAt)).toBeCloseTo(400, -1.5);
  expect(asked.assumed).toBe("job 34 ends with status 0");
  // One that is over holds nothing up.
  expect(secondsTo(ofRequest(after([1, "ok"])).startsAt)).toBeLessThan(450);
  expect(ofRequest(after([1, "ok"])).assumed).toBe("");
});

it("says of the jobs that a job waits for that they are taken not to be tried again, where they may be", async () => {
  const farm = await aFarm();
  await farm.submit(100, { ...whole, retries: 2 });
  await farm.submit(100, { ...whole, ...after([31, "ok"]) });
  await farm.submit(100, { ...whole, ...after([31, "any"], [32, "any"]) });
  await farm.pass(1);
  const { of, ofRequest } = forecasterOf(farm);
  expect([32, 33].map((job) => of(job)!.assumed)).toEqual([
    "job 31 ends with status 0, and job 31 is not tried again",
    "job 31 is not tried again",
  ]);
  expect(ofRequest(after([31, "failed"])).assumed).toBe(
    "job 31 does not end with status 0, and job 31 is not tried again",
  );
});

it("a job of an array starts once others of it have left it a place, and not before its time", async () => {
  const farm = await aFarm();
  const { service } = farm.world;
  const array = (more: Partial<JobRequest>) =>
    Array.from({ length: 4 }, (_, index) =>
      simulatedJob({ cores: 1, timeSeconds: 400, array: { first: 0, index, most: 2 }, ...more }),
    );
  await farm.submit(100, {}, { jobs: array({}) });
  await farm.submit(100, {}, { jobs: array({ beginAt: service.unixSeconds() + 1000 }) });
  await farm.pass(1);
  const { of, secondsTo } = forecasterOf(farm);
  const starts = [33, 34, 35, 36, 37, 38].map((job) => Math.round(secondsTo(of(job)!.startsAt) / 20) * 20);
  expect(starts).toEqual([100, 100, 1000, 1000, 1100, 1100]);
});

it("a job behind one that somebody holds or has suspended never starts as the farm is, and it says behind which", async () => {
  const farm = await aFarm();
  await farm.submit(1000, { cores: 1, timeSeconds: 4000 });
  await farm.submit(100, whole);
  await farm.act("hold", 32);
  await farm.submit(100, { ...whole, ...after([31, "any"]) });
  await farm.submit(100, { ...whole, ...after([31, "ok"], [32, "any"]) });
  await farm.submit(100, { ...whole, ...after([34, "ok"]) });
  await farm.pass(1);
  const before = forecasterOf(farm);
  expect(before.of(32)).toBeNull();
  expect(before.of(33)).toMatchObject({ never: null });
  const held = "it waits for job 32, which is held by its user (croft release 32)";
  expect(before.of(34)).toMatchObject({ never: held, startsAt: null });
  const behind = "it waits for job 34, and so for job 32, which is held by its user (croft release 32)";
  expect(before.of(35)).toMatchObject({ never: behind });
  expect(before.ofRequest(after([34, "any"])).never).toBe(behind);
  await farm.act("release", 32);
  await farm.act("pause", 31);
  await farm.pass(1);
  const paused = forecasterOf(farm);
  for (const job of [33, 34])
    expect(paused.of(job)!.never).toBe("it waits for job 31, which is suspended by hand (croft resume 31)");
  await farm.act("resume", 31);
  await farm.pass(1);
  expect([33, 34, 35].map((job) => forecasterOf(farm).of(job)!.never)).toEqual([null, null, null]);
});

it("a job behind one that starts nowhere never starts either", async () => {
  const pools = ["one", "two"].map((name) => ({ name, machines: 1, cores: 4 }));
  const farm = await Farm.of(pools);
  const { service } = farm.world;
  await farm.world.act(() =>
    service.loop.act((turn) => service.acts.drain(turn, "two", service.pools[1].machineName(0), "", "p")),
  );
  await farm.submit(100, { ...whole, pool: "two" });
  await farm.submit(100, { ...whole, pool: "one", ...after([1, "any"]) });
  await farm.pass(1);
  const { of, ofRequest } = forecasterOf(farm);
  const closed = "the one machine of two on which it could run is closed: drained by p";
  const never = `it waits for job 1, which never starts as the farm is: ${closed}`;
  expect(of(1)!.never).toBe(closed);
  expect(of(2)!.never).toBe(never);
  expect(ofRequest({ pool: "one", ...after([1, "ok"]) }).never).toBe(never);
});

it("a job behind others does not start before these can, however early others came", async () => {
  const farm = await aFarm();
  const beginAt = farm.world.service.unixSeconds() + 500;
  await farm.submit(100, { ...whole, beginAt });
  await farm.submit(100, { ...whole, ...after([31, "any"]) });
  await farm.pass(1);
  const { of, secondsTo, instant } = forecasterOf(farm, tellEarlier);
  const { within95 } = of(32)!;
  expect(secondsTo(within95.from)).toBeGreaterThanOrEqual(beginAt - instant.unixSeconds - 0.1);
});

it("a job behind others is not told to start before any of them, by its forecast", () => {
  expect(
    afterOthers(
      [1, 5, 9],
      [
        [2, 4, 6],
        [0, 1, 10],
      ],
    ),
  ).toEqual([2, 5, 10]);
  expect(afterOthers([1, 5, 9], [])).toEqual([1, 5, 9]);
});

it("what was told before somebody held what a job waits for does not count as a forecast that failed", async () => {
  const farm = await aFarm();
  await farm.submit(100, whole);
  await farm.submit(100, whole);
  await farm.submit(100, { ...whole, ...after([32, "ok"]) });
  await farm.pass(1);
  const { kept, renew } = forecasterOf(farm);
  expect(kept.open().map(({ job }) => job)).toEqual([32, 33]);
  await farm.act("hold", 32);
  await farm.pass(1);
  renew();
  expect(kept.open()).toEqual([]);
});

it("jobs that run only if others fail take no time from others in the futures", async () => {
  const farm = await aFarm();
  await farm.submit(100, whole);
  await farm.submit(100, { ...whole, ...after([31, "failed"]) });
  await farm.submit(100, { ...whole, ...after([31, "ok"]) });
  await farm.submit(100, { ...whole, ...after([32, "any"], [33, "ok"]) });
  await farm.pass(1);
  const { of, ofRequest, secondsTo } = forecasterOf(farm);
  const starts = [32, 33, 34].map((job) => Math.round(secondsTo(of(job)!.startsAt) / 10));
  expect(starts).toEqual([10, 10, 20]);
  // What is to follow such a job starts after it, of course.
  expect(secondsTo(ofRequest(after([32, "ok"])).startsAt)).toBeGreaterThan(195);
});
