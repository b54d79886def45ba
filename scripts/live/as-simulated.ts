/** The same jobs on a farm that serves, its time running fast, and in a simulation: when does each start? */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Draws } from "../../src/live/service/draws.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { farmChecks, simulate } from "../../src/simulation/index.ts";
import { aWorkload, type JobSpec } from "../../src/simulation/workload.fixture.ts";
import { readFarm, type Farm } from "../../src/workload/index.ts";
import { Service } from "./service.ts";
import { printTable } from "./table.ts";
import type { Trial } from "./trial.ts";

/** Seconds of the farm in a second. What the clock explains is a quarter of the farm's seconds at a quarter of it. */
const SPEEDS = [600, 150];
/** On average a job comes in so many seconds of the farm. */
const EVERY_SECONDS = 35;
/**
 * Simulations in which jobs are late as they were on the farm. On farms that are nearly full a second decides which
 * pool is less used, and from there on the queues differ: one simulation tells little of another's mean wait.
 */
const LATE_SIMULATIONS = 200;
/** A job that a simulation starts at once and that the farm starts within this, in seconds of the clock, was only late. */
const LATE_SECONDS = 0.5;
const FARM = `
pools:
  - { name: one, machines: [10x4c16g], policy: easy, interval: 0, engine: simulated }
  - { name: two, machines: [5x8c32g], policy: mix-fit, interval: 0, engine: simulated }
virtualPools: [{ name: all, pools: [one, two], routing: utilization }]
`;

export const asSimulated: Trial = {
  name: "as-simulated",
  summary: `the same jobs on simulated machines at ${SPEEDS.join(" and ")} times their speed, and in a simulation`,
  unit: "jobs",
  usual: 500,
  plants: { names: [], count: 1 },
  run,
};

async function run(count: number, seed: number): Promise<boolean> {
  const jobs = someJobs(count, seed);
  const folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
  try {
    writeFileSync(join(folder, "farm.yaml"), FARM);
    const farm = await readFarm(join(folder, "farm.yaml"), farmChecks);
    const rows: string[][] = [];
    let isGood = true;
    for (const speed of SPEEDS) {
      const { live, stallMs } = await liveJobs(jobs, speed, join(folder, String(speed)));
      const came = jobs.map((job, at) => ({ ...job, submit: live[at].submitSeconds }));
      const starts = simulatedStarts(came, farm);
      const apart = live.map(({ startSeconds }, at) => Math.abs(startSeconds - starts[at])).sort(byValue);
      const waits = live.map(({ startSeconds, submitSeconds }) => startSeconds - submitSeconds);
      const delays = waits.filter(
        (wait, at) => starts[at] === live[at].submitSeconds && wait < LATE_SECONDS * speed,
      );
      const late = lateWaits(came, delays, farm, new Draws(seed));
      const waited = mean(waits);
      if (waited < late[0] || waited > late.at(-1)!) isGood = false;
      const [half, most] = [apart[count >> 1], apart[Math.floor(count * 0.99)]];
      rows.push([
        String(speed),
        ...[half, most, (half / speed) * 1000, (most / speed) * 1000].map(whole),
        whole(mean(starts.map((start, at) => start - came[at].submit))),
        [0, 0.5, 1].map((part) => whole(late[Math.floor(part * (late.length - 1))])).join(", "),
        whole(waited),
        whole(stallMs),
      ]);
    }
    console.log(
      "Starts apart from those of a simulation of the jobs as they came: half of them by less than, all but 1 % by " +
        `less than.\nMean waits: of that simulation; of ${LATE_SIMULATIONS} in which each job comes late and runs ` +
        "longer by delays of the farm (least, median, most); of the farm.",
    );
    printTable(
      [
        "speed",
        "half, s",
        "99 %, s",
        "half, clock ms",
        "99 %, clock ms",
        "simulated wait, s",
        "with delays, s",
        "live wait, s",
        "stall, ms",
      ],
      rows,
    );
    return isGood;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Jobs that ask for nearly all that the two pools have. */
function someJobs(count: number, seed: number): JobSpec[] {
  const draws = new Draws(seed);
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  let submit = 0;
  return Array.from({ length: count }, () => {
    submit += 1 + draws.below(2 * EVERY_SECONDS);
    const run = of([60, 300, 600, 1800, 3600]);
    return { submit, run, cores: of([1000, 1000, 2000, 4000]), memory: 1000, estimate: run * of([1, 2]) };
  });
}

function simulatedStarts(jobs: readonly JobSpec[], farm: Farm): number[] {
  return [...simulate(aWorkload([...jobs]), farm).schedule.startSeconds];
}

/** The mean waits, in order, of simulations in which each job comes late and runs longer by one of these delays. */
function lateWaits(
  jobs: readonly JobSpec[],
  delaysSeconds: readonly number[],
  farm: Farm,
  draws: Draws,
): number[] {
  const delay = (): number => delaysSeconds[draws.below(delaysSeconds.length)];
  return Array.from({ length: LATE_SIMULATIONS }, () => {
    const late = jobs
      .map((job) => ({ ...job, submit: job.submit! + delay(), run: job.run! + delay() }))
      .sort((a, b) => a.submit - b.submit);
    return mean(simulatedStarts(late, farm).map((start, at) => start - late[at].submit));
  }).sort(byValue);
}

interface LiveJob {
  readonly submitSeconds: number;
  readonly startSeconds: number;
}

interface LiveRun {
  /** Each job as the farm recorded it, in its own seconds since the first submission. */
  readonly live: readonly LiveJob[];
  /** How long the machine has kept this process from its work at the worst. */
  readonly stallMs: number;
}

async function liveJobs(jobs: readonly JobSpec[], speed: number, folder: string): Promise<LiveRun> {
  mkdirSync(folder);
  const service = Service.fast(folder, FARM, speed);
  try {
    await service.start();
    const { client } = service;
    const begun = performance.now();
    let stallMs = 0;
    const sent: Promise<unknown>[] = [];
    for (const [at, { submit, run, cores, memory, estimate }] of jobs.entries()) {
      const due = (submit! / speed) * 1000;
      await pause(Math.max(0, due - (performance.now() - begun)));
      stallMs = Math.max(stallMs, performance.now() - begun - due);
      // It is not waited for: the next one comes when it comes.
      sent.push(
        client.send("POST", "/v1/jobs", {
          command: ["pretend"],
          name: String(at),
          cores: cores! / 1000,
          memoryMiB: memory,
          timeSeconds: estimate,
          environment: { CROFT_SIMULATED_SECONDS: String(run) },
        }),
      );
    }
    await Promise.all(sent);
    for (;;) {
      const { jobs: left } = await client.get<{ jobs: number }>("/v1/farm");
      if (left === 0) break;
      await pause(100);
    }
    const views: JobView[] = [];
    for (let above = 0; views.length < jobs.length; above = views.at(-1)!.number)
      views.push(...(await client.get<JobView[]>(`/v1/jobs?above=${above}&limit=1000`)));
    views.sort((a, b) => Number(a.name) - Number(b.name));
    const seconds = (time: string | null): number => Date.parse(time!) / 1000;
    const first = seconds(views[0].submittedAt) - jobs[0].submit!;
    const live = views.map(({ submittedAt, startedAt }) => ({
      submitSeconds: seconds(submittedAt) - first,
      startSeconds: seconds(startedAt) - first,
    }));
    return { live, stallMs };
  } finally {
    await service.end("SIGTERM");
  }
}

function whole(value: number): string {
  return value.toFixed(0);
}

function byValue(a: number, b: number): number {
  return a - b;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}
