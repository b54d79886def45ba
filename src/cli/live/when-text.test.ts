import { expect, it } from "vitest";

import { local } from "./local-time.ts";
import { startsShortly, whenText } from "./when-text.ts";

it("tells when a job has started, and not when it is asked", () => {
  const startedAt = "2026-03-02T09:12:34.000Z";
  const job = { job: 4, state: "running", reason: "", startedAt, lastStartAt: null, forecast: null } as const;
  const [, time] = local(startedAt).split(" ");
  for (const [later, shown] of [
    [60_000, time],
    [3_600_000, time.slice(0, 5)],
  ] as const)
    expect(whenText(job, Date.parse(startedAt) + later)).toBe(`Job 4 has started: ${shown}.`);
});

it("says that a forecast is rough, and why, in a list too", () => {
  const now = Date.parse("2026-03-02T09:00:00.000Z");
  const at = (minutes: number): string => new Date(now + minutes * 60_000).toISOString();
  const within = { from: at(20), to: at(90) };
  const forecast = {
    madeAt: at(0),
    pool: "north",
    futures: 40,
    isRough: true,
    isCutShort: false,
    pastJobs: 3,
    never: null,
    startsAt: at(30),
    isNow: false,
    within50: within,
    within80: within,
    within95: within,
    jobsAhead: 0,
    coreHoursAhead: 0,
    cores: 1,
    memoryMiB: 0,
    gpus: 0,
    licences: "matlab=2,vcs",
    limits: [] as string[],
    assumed: "",
  };
  const told = (more: Partial<typeof forecast>): string =>
    whenText(
      {
        job: 4,
        state: "waiting",
        reason: "",
        startedAt: null,
        lastStartAt: null,
        forecast: { ...forecast, ...more },
      },
      now,
    );
  expect(told({})).toMatch(/This is rough: how long jobs run .* only 3 have \(30 are enough\)/);
  expect(told({})).toContain("1 free core, and for 2 of the licence matlab and 1 of the licence vcs;");
  expect(told({ limits: ["above ann's limit of 2 jobs: 2 run"] })).toContain(
    "It would be above ann's limit of 2 jobs: 2 run.\nOnce it would not be, it needs a machine with 1 free core, and for",
  );
  // An interval within the minute that is shown is none.
  const narrow = { from: at(30), to: at(30.2) };
  const start = new RegExp(`^Job 4 starts at about ${local(at(30)).slice(11, 16)}\\.`);
  expect(told({ within80: narrow })).toMatch(start);
  expect(startsShortly({ ...forecast, within80: narrow }, now)).toBe(`~${local(at(30)).slice(11, 16)}`);
  const asked = {
    job: null,
    state: null,
    reason: `until ${at(120)}`,
    startedAt: null,
    lastStartAt: null,
    forecast,
  };
  expect(whenText(asked, now)).toMatch(
    /^Such a job would be held until \d\d:00\.\nSuch a job starts in pool north between /,
  );
  // What a job waits for that is held, and what is taken for granted of it.
  const behind = {
    ...asked,
    reason: "waits for job 2, 3",
    forecast: { ...forecast, assumed: "job 2 ends with status 0" },
  };
  const needs =
    "Then it needs a machine with 1 free core, and for 2 of the licence matlab and 1 of the licence vcs.";
  expect(whenText(behind, now)).toMatch(
    /^Such a job would wait for job 2, 3\.\nSuch a job starts in pool north between /,
  );
  const held = whenText({ ...behind, job: 4, state: "held", reason: "waits for job 1, 2, …" }, now);
  expect(held).toMatch(/^Job 4 waits for job 1, 2, …\nJob 4 starts between /);
  expect(held).toContain(`\n${needs}\n`);
  expect(held).toMatch(
    /\nThis takes for granted that job 2 ends with status 0; otherwise it starts later or is cancelled\.$/m,
  );
  const never = { ...behind.forecast, never: "it waits for job 2, which is held by its user" };
  expect(whenText({ ...behind, job: 4, state: "held", forecast: never }, now)).toBe(
    "Job 4 waits for job 2, 3.\nJob 4 never starts as the farm is at present: it waits for job 2, which is held by its user.",
  );
  expect(told({ isCutShort: true })).toMatch(/This is rough: most of the futures .* ended before it starts/);
  expect(told({ isRough: false, pastJobs: 30 })).not.toMatch(/rough/);
  expect(startsShortly(forecast, now)).toMatch(/^~\d/);
  expect(startsShortly({ ...forecast, isRough: false }, now)).toMatch(/^\d/);
  // What a deadline makes of it.
  const deadline = (minutes: number): string =>
    whenText({ ...asked, reason: "", lastStartAt: at(minutes) }, now)
      .split("\n")
      .at(-1)!;
  expect(deadline(10)).toMatch(/^Its deadline leaves it until \d\d:10 .* is cancelled: most likely that is/);
  expect(deadline(60)).toMatch(/: it may come to that\.$/);
  expect(deadline(100)).toMatch(/and then it is cancelled\.$/);
});

it("has seconds in all times of a sentence, or in none", () => {
  const now = Date.parse("2026-03-02T09:00:00.000Z");
  const at = (minutes: number): string => new Date(now + minutes * 60_000).toISOString();
  const told = (from: number, to: number): string => {
    const within = { from: at(from), to: at(to) };
    const facts = {
      madeAt: at(0),
      pool: "north",
      futures: 40,
      isRough: false,
      isCutShort: false,
      pastJobs: 90,
    };
    const asks = { cores: 1, memoryMiB: 0, gpus: 0, licences: "", limits: [], assumed: "" };
    const times = {
      startsAt: at((from + to) / 2),
      isNow: false,
      within50: within,
      within80: within,
      within95: within,
    };
    const forecast = { ...facts, ...asks, ...times, never: null, jobsAhead: 0, coreHoursAhead: 0 };
    const job = { job: 4, state: "waiting", reason: "", startedAt: null, lastStartAt: null } as const;
    return `${whenText({ ...job, forecast }, now, "times")} ${startsShortly(forecast, now)}`;
  };
  const seconds = /\d\d:\d\d:\d\d/g;
  expect(told(2, 8).match(seconds)).toHaveLength(5);
  expect(told(8, 16).match(seconds)).toBeNull();
  expect(told(8, 16)).not.toContain("in pool");
});

it.each([
  ["failed", "has failed"],
  ["ended", "has ended"],
  ["cancelled", "was cancelled"],
] as const)("says of a job that %s what it did", (state, words) => {
  const job = { job: 4, state, reason: "", startedAt: null, lastStartAt: null, forecast: null };
  expect(whenText(job, 0)).toBe(`Job 4 ${words}.`);
});
