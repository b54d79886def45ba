import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { SHARES } from "../../forecast/index.ts";
import { Farm } from "../service/farm.fixture.ts";
import { jobRequest } from "../store/job-request.ts";
import { Extrapolation } from "./extrapolation.ts";
import type { Instant } from "../replica/replica.ts";
import { Forecaster } from "./forecaster.ts";
import { ForecastsRead, KeptForecasts } from "./kept-forecasts.ts";
import { forecastOf, shown, type StartForecast } from "./start-forecast.ts";

function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-forecasts-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const one = [{ name: "one", machines: 1, cores: 4 }];
/** No budget ends it: the clock stands still. */
const clock = { spent: () => () => 0 };

function instantOf(farm: Farm): Instant {
  const { service } = farm.world;
  return { farmSeconds: service.farmTime(), unixSeconds: service.unixSeconds() };
}

function secondsTo(time: string | null, { unixSeconds }: Instant): number {
  return time === null ? Infinity : Date.parse(time) / 1000 - unixSeconds;
}

const aWeek = { halfLifeSeconds: 604_800, of: "cores" as const };

/** A farm of one machine on which jobs of all cores run for 100 s, and have done so thirty times. */
async function aFarm(rules: Parameters<typeof Farm.of>[1] = {}, ended = 30): Promise<Farm> {
  const farm = await Farm.of(one, rules);
  for (let job = 0; job < ended; job++) {
    await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.pass(101);
  }
  return farm;
}

/** Forecasts that were kept of jobs that all started much earlier than was forecast. */
function earlier(folder: string): KeptForecasts {
  const kept = new KeptForecasts(folder);
  const raw = SHARES.map((share) => 3000 + 1000 * share);
  const told = Array.from({ length: 200 }, (_, at) => ({ job: at + 1, at: at * 7200, raw, told: raw }));
  const over = told.map(({ job }) => ({ job, waitedSeconds: 20 }));
  kept.write(new Map(), { told, over, withdrawn: [] });
  return kept;
}

describe("forecasts of a farm's waiting jobs", () => {
  it.each(["first-fit", "easy", "conservative"])(
    "know reservations, whose they are and when, under %s",
    async (policy) => {
      const begin = Math.ceil((await aFarm()).world.clock.unixSeconds());
      const from = begin + 500;
      const reservation = {
        name: "course",
        pool: 0,
        machines: null,
        from: { since: "1970" as const, seconds: from },
        seconds: 3000,
        users: ["eve"],
        groups: [],
        projects: [],
        reason: null,
      };
      const farm = await aFarm({ policy, reservations: [reservation] });
      await farm.submit(100, { cores: 4, timeSeconds: 150 });
      await farm.pass(1);
      await farm.submit(100, { cores: 4, timeSeconds: 600 });
      await farm.submit(100, { cores: 4, timeSeconds: 600 }, { user: "eve" });
      await farm.pass(1);
      const instant = instantOf(farm);
      const folder = aFolder();
      new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instant).renew(instant, 1000);
      const read = new ForecastsRead(folder);
      expect(secondsTo(read.of(33, instant.unixSeconds)!.startsAt, instant)).toBeLessThan(160);
      expect(secondsTo(read.of(32, instant.unixSeconds)!.startsAt, instant)).toBeGreaterThanOrEqual(
        from + 3000 - instant.unixSeconds - 1,
      );
    },
  );

  it("tell of jobs that are suspended by hand, and not when they go on", async () => {
    const farm = await aFarm();
    await farm.submit(300, { cores: 3, timeSeconds: 400 });
    await farm.pass(50);
    await farm.submit(3000, { cores: 1, timeSeconds: 4000 });
    await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.submit(100, { cores: 1, timeSeconds: 400, priority: 60 });
    await farm.pass(10);
    await farm.act("pause", 31);
    await farm.pass(1000);
    const instant = instantOf(farm);
    const folder = aFolder();
    const kept = new KeptForecasts(folder);
    const forecaster = new Forecaster(farm.world.database, kept, clock, instant);
    forecaster.renew(instant, 1000);
    const read = new ForecastsRead(folder);
    const why = "it needs what job 31 has, which is suspended by hand";
    expect(read.of(33, instant.unixSeconds)).toMatchObject({ never: why, startsAt: null });
    expect(read.of(34, instant.unixSeconds)).toMatchObject({ never: null });
    const asked = jobRequest(["job"], { cores: 2, timeSeconds: 400 });
    expect(forecaster.wouldStart(asked, "ann", instant, 1000)).toMatchObject({ never: why });
    await farm.act("resume", 31);
    await farm.pass(1);
    const later = instantOf(farm);
    forecaster.renew(later, 1000);
    expect(read.of(33, later.unixSeconds)).toMatchObject({ never: null });
    // It has run for a minute, of 400 s at most: the time that it stood still does not count.
    const next = jobRequest(["job"], { cores: 3, timeSeconds: 400, priority: 70 });
    expect(secondsTo(forecaster.wouldStart(next, "ann", later, 1000).startsAt, later)).toBeLessThan(345);
  });

  it.each([
    ["conservative", {}, 0],
    ["backfill:2", {}, 0],
    ["easy", {}, 2000],
    ["first-fit", { intervalSeconds: 10, shares: [{ path: "/a", share: 1 }], usage: aWeek }, 2000],
    ["first-fit", { intervalSeconds: 10, strategy: "ResSusWaitUtil" }, 0],
  ])(
    "find what waits for a job that is suspended by hand though the engine looks again and again: %s, %o",
    async (policy, rules, reservedSeconds) => {
      const begin = Math.ceil((await Farm.of(one)).world.clock.unixSeconds());
      const anybodys = { pool: 0, machines: null, users: [], groups: [], projects: [], reason: null };
      const course = { ...anybodys, name: "course", from: { since: "1970" as const, seconds: begin + 500 } };
      const reserved =
        reservedSeconds === 0 ? {} : { reservations: [{ ...course, seconds: reservedSeconds }] };
      const farm = await Farm.of(one, { policy, ...rules, ...reserved });
      await farm.submit(1e6, { cores: 2, timeSeconds: 300 });
      await farm.pass(11);
      await farm.act("pause", 1);
      await farm.submit(1e6, { cores: 3, timeSeconds: 200 });
      // Where the machine is reserved for a time they start after it, unless it is kept free for the one before.
      await farm.submit(100, { cores: 2, timeSeconds: 1000, priority: 40 });
      await farm.submit(100, { cores: 1, timeSeconds: 1000, priority: 40 });
      await farm.pass(11);
      const instant = instantOf(farm);
      const folder = aFolder();
      let asked = 0;
      const running = { spent: () => () => (asked += 0.1) };
      new Forecaster(farm.world.database, new KeptForecasts(folder), running, instant).renew(instant, 1000);
      const read = new ForecastsRead(folder);
      const never = [2, 3, 4].map((job) => read.of(job, instant.unixSeconds)?.never ?? null);
      expect(never[0]).toBe("it needs what job 1 has, which is suspended by hand");
      await farm.pass(6000);
      const waits = [2, 3, 4].map((job) => farm.state(job) === "waiting");
      expect(never.map((why) => why !== null)).toEqual(waits);
    },
  );

  it("do not take what a strategy moves later for one that never starts", async () => {
    const pools = ["one", "two"].map((name) => ({ name, machines: 1, cores: 4 }));
    const shares = { shares: [{ path: "/a", share: 1 }], usage: aWeek };
    const strategy = { strategy: "ResSusWaitUtil", checkSeconds: 60 };
    const farm = await Farm.of(pools, { policy: "first-fit", intervalSeconds: 10, ...shares, ...strategy });
    await farm.submit(1e6, { cores: 2, timeSeconds: 300, pool: "one" });
    await farm.submit(900, { cores: 4, timeSeconds: 3000, pool: "two" });
    await farm.pass(11);
    await farm.act("pause", 1);
    await farm.submit(50, { cores: 3, timeSeconds: 200 });
    await farm.pass(11);
    const instant = instantOf(farm);
    const folder = aFolder();
    let asked = 0;
    const running = { spent: () => () => (asked += 0.1) };
    new Forecaster(farm.world.database, new KeptForecasts(folder), running, instant).renew(instant, 1000);
    expect(new ForecastsRead(folder).of(3, instant.unixSeconds)).toMatchObject({ pool: "one", never: null });
    await farm.pass(2000);
    expect(farm.state(3)).toBe("ended");
  });

  it("learn nothing from jobs that were cancelled, also those before the service began", async () => {
    const farm = await aFarm({}, 0);
    for (let job = 1; job <= 3; job++) {
      await farm.submit(1000, { cores: 4, timeSeconds: 2000 });
      await farm.pass(2);
      await farm.act("cancel", job);
      await farm.pass(2);
    }
    const instant = instantOf(farm);
    const asked = jobRequest(["job"], { cores: 4, timeSeconds: 2000 });
    const forecaster = new Forecaster(farm.world.database, new KeptForecasts(aFolder()), clock, instant);
    expect(forecaster.wouldStart(asked, "ann", instant, 1000)).toMatchObject({ pastJobs: 0 });
  });

  it("of a job that has to wait for a reservation are not before its end, however early others came", async () => {
    const begin = Math.ceil((await aFarm()).world.clock.unixSeconds());
    const reservation = {
      name: "course",
      pool: 0,
      machines: null,
      from: { since: "1970" as const, seconds: begin + 300 },
      seconds: 3000,
      users: ["eve"],
      groups: [],
      projects: [],
      reason: null,
    };
    const farm = await aFarm({ reservations: [reservation] });
    await farm.submit(200, { cores: 4, timeSeconds: 250 });
    await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.pass(1);
    const instant = instantOf(farm);
    const folder = aFolder();
    const forecaster = new Forecaster(farm.world.database, earlier(folder), clock, instant);
    forecaster.renew(instant, 1000);
    const read = new ForecastsRead(folder);
    const opens = begin + 3300 - instant.unixSeconds;
    for (const job of [32, 33]) {
      const { within95, startsAt } = read.of(job, instant.unixSeconds)!;
      expect(secondsTo(within95.from, instant)).toBeGreaterThanOrEqual(opens - 0.1);
      expect(secondsTo(startsAt, instant)).toBeLessThan(opens + 130);
    }
    const asked = jobRequest(["job"], { cores: 4, timeSeconds: 400 });
    const { within95 } = forecaster.wouldStart(asked, "ann", instant, 1000);
    expect(secondsTo(within95.from, instant)).toBeGreaterThanOrEqual(opens - 0.1);
    // Who may use the machines then waits for no reservation.
    expect(secondsTo(forecaster.wouldStart(asked, "eve", instant, 1000).within95.from, instant)).toBeLessThan(
      500,
    );
  });

  it("of a job that its only machine has refused are not before it is tried there again", async () => {
    const farm = await aFarm({ engine: { startsFailing: { machine: 1 } } }, 0);
    await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.pass(2);
    const instant = instantOf(farm);
    const folder = aFolder();
    new Forecaster(farm.world.database, earlier(folder), clock, instant).renew(instant, 1000);
    const { within95 } = new ForecastsRead(folder).of(1, instant.unixSeconds)!;
    expect(secondsTo(within95.from, instant)).toBeGreaterThan(25);
  });

  it("know when held jobs are released: for these, and for those that come after them", async () => {
    const farm = await aFarm();
    const { service } = farm.world;
    const beginAt = service.unixSeconds() + 500;
    await farm.submit(100, { cores: 4, timeSeconds: 400, beginAt, priority: 90 });
    for (let job = 0; job < 7; job++) await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.pass(1);
    const instant = instantOf(farm);
    const folder = aFolder();
    new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instant).renew(instant, 1000);
    const read = new ForecastsRead(folder);
    const { startsAt, within95 } = read.of(31, instant.unixSeconds)!;
    const first = secondsTo(startsAt, instant);
    expect(secondsTo(within95.from, instant)).toBeGreaterThanOrEqual(beginAt - instant.unixSeconds - 0.1);
    expect(first).toBeLessThan(620);
    // The seventh would start after 600 s, and goes behind it.
    expect(secondsTo(read.of(38, instant.unixSeconds)!.startsAt, instant)).toBeCloseTo(700, -1.5);
  });

  it("of a job that its only machine has refused for a while is not that it never starts", async () => {
    const failing = { startsFailing: { machine: 1 } };
    const farm = await Farm.of(one, { engine: failing });
    await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.pass(2);
    expect(farm.state(1)).toBe("waiting");
    const instant = instantOf(farm);
    const folder = aFolder();
    new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instant).renew(instant, 1000);
    expect(new ForecastsRead(folder).of(1, instant.unixSeconds)!.never).toBeNull();
  });

  it("say of a job for a pool that has not been reached yet that it starts nowhere, submitted or not", async () => {
    const farm = await Farm.of(one, {}, ["one"]);
    await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.pass(2);
    const instant = instantOf(farm);
    const folder = aFolder();
    const forecaster = new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instant);
    forecaster.renew(instant, 1000);
    const never = "pool one has not been reached yet, and its machines are not known";
    expect(new ForecastsRead(folder).of(1, instant.unixSeconds)).toMatchObject({ never, pool: null });
    const request = jobRequest(["true"], { cores: 5 });
    expect(forecaster.wouldStart(request, "ann", instant, 1000)).toMatchObject({ never });
  });

  it("tell the limit that a job is above, submitted or not, however free the machines are", async () => {
    const limits = { runningJobs: 1, runningCores: 3, waitingJobs: null, jobsAtOnce: null };
    const farm = await aFarm({ limits: [{ of: "user", name: "ann", ...limits }] });
    for (const user of ["ann", "ann", "bob"])
      await farm.submit(100, { cores: 1, timeSeconds: 400 }, { user });
    await farm.pass(1);
    const instant = instantOf(farm);
    const folder = aFolder();
    const forecaster = new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instant);
    forecaster.renew(instant, 1000);
    expect(new ForecastsRead(folder).of(32, instant.unixSeconds)!.limits).toEqual([
      "above ann's limit of 1 job: 1 runs",
    ]);
    const ask = (cores: number, user: string): StartForecast =>
      forecaster.wouldStart(jobRequest(["job"], { cores }), user, instant, 1000);
    expect(ask(3, "ann").limits).toEqual([
      "above ann's limit of 1 job: 1 runs",
      "above ann's limit of 3 cores: 1 is in use, and it asks for 3",
    ]);
    expect(ask(1, "bob")).toMatchObject({ limits: [], isNow: true });
    const later = jobRequest(["job"], { cores: 1, beginAt: instant.unixSeconds + 500 });
    expect(forecaster.wouldStart(later, "ann", instant, 1000).limits).toEqual([]);
  });

  it("are of a job that is not submitted as of one that is, with a time before which it does not start", async () => {
    const farm = await aFarm();
    const instant = instantOf(farm);
    const forecaster = new Forecaster(farm.world.database, new KeptForecasts(aFolder()), clock, instant);
    const startOf = (seconds: number): number => {
      const request = jobRequest(["job"], {
        cores: 4,
        timeSeconds: 400,
        beginAt: instant.unixSeconds + seconds,
      });
      return secondsTo(forecaster.wouldStart(request, "ann", instant, 1000).startsAt, instant);
    };
    expect(startOf(500)).toBeCloseTo(500, -1);
    expect(startOf(-500)).toBeCloseTo(0, -1);
  });

  it("name the pool that routing would choose for a job that is not submitted", async () => {
    const two = ["one", "two"].map((name) => ({ name, machines: 1, cores: 4 }));
    const farm = await Farm.of(two, { routing: "utilization" });
    await farm.submit(100, { cores: 4, pool: "one" });
    await farm.pass(1);
    const instant = instantOf(farm);
    const forecaster = new Forecaster(farm.world.database, new KeptForecasts(aFolder()), clock, instant);
    const asked = (more: object): StartForecast =>
      forecaster.wouldStart(
        jobRequest(["job"], { cores: 4, timeSeconds: 400, ...more }),
        "ann",
        instant,
        1000,
      );
    expect(asked({})).toMatchObject({ pool: "two", isNow: true });
    expect(asked({ pool: "one" })).toMatchObject({ pool: "one", isNow: false });
    expect(asked({ cores: 5 }).never).not.toBeNull();
  });

  it("are of the run times that jobs had, one after the other", async () => {
    const farm = await aFarm();
    for (let job = 0; job < 4; job++) await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.pass(40);
    const folder = aFolder();
    const instant = instantOf(farm);
    const forecaster = new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instant);
    expect(forecaster.renew(instant, 1000)).toBe(40);
    const read = new ForecastsRead(folder);
    for (const [at, job] of [32, 33, 34].entries()) {
      const { startsAt, within95, never, jobsAhead, coreHoursAhead, cores } = read.of(
        job,
        instant.unixSeconds,
      )!;
      expect(never).toBeNull();
      expect(secondsTo(startsAt, instant)).toBeCloseTo(60 + 100 * at, -1);
      expect(secondsTo(within95.to, instant)).toBeCloseTo(60 + 100 * at, -1);
      expect({ jobsAhead, cores }).toEqual({ jobsAhead: at, cores: 4 });
      expect(coreHoursAhead).toBeCloseTo((at * 4 * 100) / 3600, 1);
    }
    expect(read.of(31, instant.unixSeconds)).toBeNull();
    // The farm itself is as it was, and the same moment has the same forecast.
    const before = read.of(34, instant.unixSeconds);
    forecaster.renew(instant, 1000);
    expect(read.of(34, instant.unixSeconds)).toEqual(before);
  });

  it("are rough and wide on a farm where few jobs have ended, and say that they are", async () => {
    for (const ended of [0, 1, 5, 29, 30]) {
      const farm = await aFarm({}, ended);
      for (let job = 0; job < 2; job++) await farm.submit(100, { cores: 4, timeSeconds: 400 });
      const instant = instantOf(farm);
      const folder = aFolder();
      const forecaster = new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instant);
      forecaster.renew(instant, 1000);
      const forecast = new ForecastsRead(folder).of(ended + 2, instant.unixSeconds)!;
      expect(forecast).toMatchObject({ isRough: ended < 30, isCutShort: false, pastJobs: ended });
      const { from, to } = forecast.within80;
      const width = secondsTo(to, instant) - secondsTo(from, instant);
      if (ended <= 5) expect(width).toBeGreaterThan(100);
      if (ended === 30) expect(width).toBeLessThan(10);
      const asked = jobRequest(["job"], { cores: 4, timeSeconds: 400 });
      expect(forecaster.wouldStart(asked, "ann", instant, 1000).isRough).toBe(ended < 30);
      // What starts now does so whatever jobs run for.
      if (ended === 0) {
        const idle = await Farm.of(one);
        const now = instantOf(idle);
        const other = new Forecaster(idle.world.database, new KeptForecasts(aFolder()), clock, now);
        expect(other.wouldStart(asked, "ann", now, 1000)).toMatchObject({ isNow: true, isRough: false });
      }
    }
  });

  it("tell of a request that is not submitted, and leave no trace of it", async () => {
    const farm = await aFarm();
    await farm.submit(100, { cores: 2, timeSeconds: 400 });
    await farm.pass(1);
    const instant = instantOf(farm);
    const forecaster = new Forecaster(farm.world.database, new KeptForecasts(aFolder()), clock, instant);
    const ask = (more: Parameters<typeof jobRequest>[1]): StartForecast =>
      forecaster.wouldStart(jobRequest(["job"], more), "ann", instant, 1000);
    expect(ask({ cores: 1 })).toMatchObject({ isNow: true, never: null });
    const large = ask({ cores: 4, timeSeconds: 400, requires: "cores >= 4" });
    expect(large.isNow).toBe(false);
    expect(secondsTo(large.startsAt, instant)).toBeCloseTo(100, -1);
    expect(ask({ cores: 5 }).never).toMatch(/cores/);
    expect(ask({ cores: 1, requires: "cores > 9" }).never).toMatch(/cores > 9/);
    // A text that a job really asks for gets the number that the question had.
    await farm.submit(10, { cores: 1, requires: "cores <= 4" });
    expect(ask({ cores: 4, requires: "cores <= 4" }).never).toBeNull();
  });

  it("do not say now where nothing is free, however short jobs were", async () => {
    const farm = await Farm.of(one);
    for (let job = 0; job < 40; job++) {
      await farm.submit(0.2, { cores: 4, timeSeconds: 400 });
      await farm.pass(1);
    }
    const forecasts = async (): Promise<StartForecast[]> => {
      const instant = instantOf(farm);
      const folder = aFolder();
      const forecaster = new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instant);
      const asked = forecaster.wouldStart(
        jobRequest(["job"], { cores: 4, timeSeconds: 400 }),
        "ann",
        instant,
        1000,
      );
      forecaster.renew(instant, 1000);
      const kept = new ForecastsRead(folder).of(42, instant.unixSeconds);
      return kept === null ? [asked] : [asked, kept];
    };
    expect((await forecasts()).map(({ isNow }) => isNow)).toEqual([true]);
    // This one is unlike all before it: it is expected to be over in no time, and is not.
    await farm.submit(5000, { cores: 4, timeSeconds: 400 });
    await farm.submit(0.2, { cores: 4, timeSeconds: 400 });
    const instant = instantOf(farm);
    const full = await forecasts();
    expect(full.map(({ isNow }) => isNow)).toEqual([false, false]);
    // The times are as short as jobs were.
    for (const { startsAt } of full) expect(secondsTo(startsAt, instant)).toBeLessThan(5);
  });

  it("run nothing ahead for jobs that never start as the farm is", async () => {
    const farm = await aFarm();
    for (let job = 0; job < 3; job++) await farm.submit(100, { cores: 4, timeSeconds: 400 });
    await farm.world.act(({ loop, pauses }) =>
      loop.act((turn) => pauses.pause(turn, "one", { actor: "ann", reason: "", suspends: false })),
    );
    // Days later the past repeats itself.
    await farm.pass(3 * 86_400);
    const instant = instantOf(farm);
    const folder = aFolder();
    let asked = 0;
    const counting = { spent: () => () => asked++ };
    const forecaster = new Forecaster(farm.world.database, new KeptForecasts(folder), counting, instant);
    expect(forecaster.renew(instant, Infinity)).toBe(0);
    expect(asked).toBe(0);
    expect(new ForecastsRead(folder).of(33, instant.unixSeconds)!.never).toMatch(/paused/);
  });

  it("say never where all machines are closed, and until when not", async () => {
    const farm = await aFarm();
    await farm.submit(100, { cores: 4 });
    await farm.submit(100, { cores: 4 });
    const { service } = farm.world;
    const machine = service.pools[0].machineName(0);
    const act = async (verb: "drain" | "undrain"): Promise<void> => {
      const outcome = await farm.world.act(() =>
        service.loop.act((turn) =>
          verb === "drain"
            ? service.acts.drain(turn, "one", machine, "to mend it", "p")
            : service.acts.undrain(turn, "one", machine, "p"),
        ),
      );
      expect(outcome).not.toHaveProperty("refusal");
    };
    await act("drain");
    const folder = aFolder();
    const forecaster = new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instantOf(farm));
    forecaster.renew(instantOf(farm), 1000);
    const read = new ForecastsRead(folder);
    expect(read.of(32, instantOf(farm).unixSeconds)!.never).toBe(
      "the one machine of one on which it could run is closed: drained by p (to mend it)",
    );
    await act("undrain");
    forecaster.renew(instantOf(farm), 1000);
    expect(read.of(32, instantOf(farm).unixSeconds)!.never).toBeNull();
  });

  it("learn from what came of them, and the next service goes on with that", async () => {
    const farm = await aFarm({ policy: "easy" });
    const folder = aFolder();
    const make = (): Forecaster =>
      new Forecaster(farm.world.database, new KeptForecasts(folder), clock, instantOf(farm));
    let forecaster = make();
    for (let round = 0; round < 15; round++) {
      for (let job = 0; job < 3; job++) await farm.submit(100, { cores: 4, timeSeconds: 400 });
      await farm.pass(1);
      forecaster.renew(instantOf(farm), 1000);
      // Half of it is learnt from the journal, half from the rows of the jobs.
      if (round % 2 === 0) forecaster = make();
      await farm.pass(400);
    }
    forecaster.renew(instantOf(farm), 1000);
    const kept = new KeptForecasts(folder);
    expect(kept.open()).toEqual([]);
    const over = kept.over();
    expect(over).toHaveLength(30);
    for (const { raw, waitedSeconds } of over) {
      expect(raw).toHaveLength(SHARES.length);
      expect(raw[11]).toBeCloseTo(waitedSeconds, -1);
    }
    kept.close();
  });
});

describe("what is kept", () => {
  const facts = {
    pool: "one",
    futures: 40,
    isCutShort: false,
    pastJobs: 100,
    never: null,
    jobsAhead: 0,
    coreHoursAhead: 0,
    cores: 1,
    memoryMiB: 0,
    gpus: 0,
    licences: "",
    limits: [],
    assumed: "",
  };

  it("says now of what had room, and no longer than what starts at once takes", () => {
    const isNow = (waitSeconds: number, hasRoom: boolean, ageSeconds: number): boolean => {
      const quantiles = SHARES.map(() => waitSeconds);
      return shown(forecastOf(quantiles, 1000, { ...facts, hasRoom }), ageSeconds).isNow;
    };
    expect(isNow(1, true, 4)).toBe(true);
    expect(isNow(1, true, 6)).toBe(false);
    expect(isNow(1, false, 0)).toBe(false);
    expect(isNow(10, true, 0)).toBe(false);
  });

  it("tells no time before the one until which a job is held, however times are rounded", () => {
    for (const madeAt of [1000, 1000.26, 1000.349]) {
      const quantiles = SHARES.map(() => 60_000 - madeAt);
      const { startsAt, within80 } = shown(forecastOf(quantiles, madeAt, { ...facts, hasRoom: false }));
      for (const time of [startsAt, within80.from]) {
        expect(Date.parse(time!)).toBeGreaterThanOrEqual(60_000_000);
        expect(Date.parse(time!)).toBeLessThan(60_000_200);
      }
    }
  });

  it("is put away where it is damaged, and closed to others", () => {
    const folder = aFolder();
    writeFileSync(join(folder, "forecasts.db"), "no database".repeat(100));
    const kept = new KeptForecasts(folder);
    expect(kept.over()).toEqual([]);
    kept.close();
    expect(readFileSync(join(folder, "forecasts.db.damaged"), "utf8")).toContain("no database");
    expect(statSync(join(folder, "forecasts.db")).mode & 0o077).toBe(0);
  });

  it("is bounded: the last forecasts that came true", () => {
    const kept = new KeptForecasts(aFolder());
    const raw = SHARES.map(() => 5);
    for (let from = 0; from < 6000; from += 1000) {
      const jobs = Array.from({ length: 1000 }, (_, at) => from + at + 1);
      const told = jobs.map((job) => ({ job, at: job, raw, told: raw }));
      const over = jobs.map((job) => ({ job, waitedSeconds: 1 }));
      kept.write(new Map(), { told, over, withdrawn: [] });
    }
    const over = kept.over();
    expect(over).toHaveLength(2000);
    expect(over[0].job).toBe(4001);
    kept.close();
  });
});

it("a future that is cut off goes on at its pace", () => {
  const queue = [1, 2, 3, 4].map((job) => ({
    job,
    handle: job,
    coreSeconds: 100,
    jobsAhead: job - 1,
    coreSecondsAhead: 100 * (job - 1),
  }));
  // The first two, of 200 core-seconds, took until 50 s: the others come at 50 and 75.
  const waits = new Map([
    [1, [10, 0]],
    [2, [50, 0]],
    [3, [Infinity, 0]],
    [4, [Infinity, 0]],
  ]);
  const extrapolation = new Extrapolation(queue, waits);
  expect([1, 2, 3, 4].map((job) => extrapolation.of(job))).toEqual([
    [10, 0],
    [50, 0],
    [50, 0],
    [75, 0],
  ]);
});
