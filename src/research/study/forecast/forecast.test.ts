import { describe, expect, test } from "vitest";
import { drawOf, runAhead, type Possible } from "../../../forecast/index.ts";
import { simulate } from "../../../simulation/index.ts";
import { aFarm, aWorkload, type JobSpec } from "../../../simulation/workload.fixture.ts";
import { farmOfMachines, type Workload } from "../../../workload/index.ts";
import { forecastMethods, studyForecast } from "./forecast.ts";
import { forecastWorld } from "./world.ts";

const machines = aFarm(Array.from({ length: 4 }, () => ({ cores: 8000 })));
const farm = farmOfMachines(machines);

/** Jobs of five users at random times; a user's jobs run for much the same part of what they ask for. */
function madeLog(jobs: number, seed: number): Workload {
  let now = 0;
  const rows = Array.from({ length: jobs }, (_, row): JobSpec => {
    const draw = (purpose: number): number => drawOf(seed, 0, row, purpose);
    now += Math.floor(-Math.log(1 - draw(0)) * 560);
    const user = Math.floor(draw(1) * 5);
    const estimate = [1800, 3600, 7200, 14_400][Math.floor(draw(2) * 4)];
    const run = Math.max(1, Math.floor(estimate * Math.min(1, (0.2 + user * 0.15) * (0.7 + 0.6 * draw(3)))));
    return { submit: now, user: `u${user}`, estimate, run, cores: 1000 * (1 + Math.floor(draw(4) * 8)) };
  });
  return aWorkload(rows);
}

describe.each(["easy", "conservative", "first-fit", "backfill:2"])("under %s", (policy) => {
  const log = madeLog(600, 7);
  const given = { policy, intervalSeconds: 0 };

  test("the past of a study is what the simulator makes", () => {
    const { schedule } = simulate(log, machines, given);
    expect([...forecastWorld(log, farm, given).startSeconds()]).toEqual([...schedule.startSeconds]);
  });

  test("with true run times and no arrivals every forecast is what happens", () => {
    const short = madeLog(160, 11);
    // All come in the first hour: nothing arrives later.
    const early: Workload = { ...short, submitSeconds: short.submitSeconds.map((_, row) => 10 * row) };
    const world = forecastWorld(early, farm, given);
    const starts = world.startSeconds();
    const course = world.course();
    const truth: Possible = {
      runSeconds: (job) => world.runSeconds(job - 1),
      *coming() {},
    };
    while (course.nextNumber <= early.count) course.step();
    const waiting = Array.from(starts.keys(), (row) => row + 1).filter((job) => !course.starts.has(job));
    expect(waiting.length).toBeGreaterThan(50);
    const moment = {
      port: course.port,
      now: course.now,
      runs: course.runs,
      traitsOf: (job: number) => world.traits(job - 1),
      nextNumber: course.nextNumber,
    };
    const budget = { members: 2, horizonSeconds: 1e9, steps: 1e6 };
    const waits = runAhead(moment, waiting, truth, budget);
    for (const job of waiting)
      for (const wait of waits.get(job)!) expect(course.now + wait).toBeCloseTo(starts[job - 1], 6);
    // The farm itself goes on as if nobody had asked.
    while (course.nextSeconds < Infinity) course.step();
    for (const job of waiting) expect(course.starts.get(job)).toBe(starts[job - 1]);
  });
});

test("Croft's forecasts lose less than what sites print, and cover what they say", () => {
  const world = forecastWorld(madeLog(5000, 3), farm, { policy: "easy", intervalSeconds: 0 });
  const settings = { moments: 150, members: 20, seed: 1 };
  const { rows, jobs, independentJobs, deciles } = studyForecast(world, settings);
  expect(jobs).toBe(150);
  expect(rows.map(({ method }) => method)).toEqual([...forecastMethods]);
  const [croft, ...others] = rows;
  for (const other of others) {
    expect(croft.pinballLossSeconds, other.method).toBeLessThan(other.pinballLossSeconds);
    expect(croft.crpsSeconds, other.method).toBeLessThan(other.crpsSeconds);
  }
  expect(Math.abs(croft.coverage80 - 0.8)).toBeLessThan(0.1);
  expect(deciles).toHaveLength(10);
  expect(studyForecast(world, settings)).toEqual({ rows, jobs, independentJobs, deciles });
});

test("a log on which nobody waits has nothing to score", () => {
  const world = forecastWorld(aWorkload([{ submit: 0 }, { submit: 100 }]), farm, { policy: "easy" });
  const { jobs, rows } = studyForecast(world, { moments: 10, members: 2, seed: 1 });
  expect(jobs).toBe(0);
  expect(rows).toEqual([]);
});
