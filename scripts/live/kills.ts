/** Kills `croft serve` at every named step, in half of the trials with the wrappers of its jobs, and starts it again. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { crashPoints, type CrashPoint } from "../../src/live/service/crash-points.ts";
import { isBlind, KillFarm, OWN_FARM } from "./kill-farm.ts";
import { Wedged } from "./patience.ts";
import { printTable } from "./table.ts";
import type { Trial } from "./trial.ts";

/** The service passes most steps several times in a trial. It dies at the first, second, third or fourth time. */
const PASSES = 4;
/** Steps of a start or a stop, which the service passes once in a trial. */
const ONCE: readonly CrashPoint[] = [
  "before-reconcile",
  "after-reconcile",
  "before-snapshot",
  "after-snapshot",
];
const JOBS = [
  { seconds: 0, retries: 0, failures: 0 },
  { seconds: 0, retries: 2, failures: 1 },
  { seconds: 0.2, retries: 0, failures: 0 },
  { seconds: 0.8, retries: 0, failures: 0 },
  { seconds: 0.5, retries: 1, failures: 0 },
  { seconds: 1, retries: 3, failures: 1 },
];
/** A step that none of the jobs has passed by then none will pass: the service is killed wherever it is. */
const PASSING_MILLISECONDS = 700;

export const kills: Trial = {
  name: "kills",
  summary:
    "kill -9 of the service at every named step, alone and with the wrappers of its jobs, and a restart",
  unit: "trials",
  usual: 2 * crashPoints.length,
  short: crashPoints.length,
  plants: {
    names: ["a-dropped-end-record", "a-second-start"],
    count: crashPoints.length,
  },
  run,
};

const HEAD = ["tried", "died there", "wrappers", "jobs", "attempts", "lost", "twice", "wedged"];

async function run(count: number, seed: number, plant: string | null): Promise<boolean> {
  const sums = new Map(crashPoints.map((point) => [point, HEAD.map(() => 0)]));
  const folders: string[] = [];
  const fresh = (): KillFarm => {
    folders.push(mkdtempSync(join(tmpdir(), "croft-trial-")));
    return new KillFarm(folders.at(-1)!, OWN_FARM, plant);
  };
  let farm = fresh();
  try {
    for (let at = seed; at < seed + count; at++) {
      const point = crashPoints[at % crashPoints.length];
      const round = Math.floor(at / crashPoints.length);
      let found: readonly number[];
      try {
        found = await one(farm, point, ONCE.includes(point) ? 0 : round % PASSES, round % 2 === 1);
      } catch (error) {
        if (!(error instanceof Wedged)) throw error;
        console.log(`wedged at ${point}: ${error.message}`);
        found = [1, 0, 0, 0, 0, 0, 0, 1];
        await farm.abandon();
        farm = fresh();
      }
      const of = sums.get(point)!;
      for (const [column, value] of found.entries()) of[column] += value;
      if ((at - seed) % 10 === 9) process.stderr.write(`${totals(sums).join(" ")}\n`);
      if (plant !== null && isWrong(totals(sums))) break;
    }
  } finally {
    await farm.abandon();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const all = totals(sums);
  if (plant === null) {
    const rows = Array.from(sums, ([point, each]) => [point, ...each.map(String)]);
    printTable(["step", ...HEAD], [...rows, ["in all", ...all.map(String)]]);
  }
  return !isWrong(all) && !isBlind(count, all[HEAD.indexOf("wrappers")]);
}

/** Returns what is counted, in the order of `HEAD`. */
async function one(
  farm: KillFarm,
  point: CrashPoint,
  pass: number,
  withWrappers: boolean,
): Promise<readonly number[]> {
  const { service } = farm;
  // Steps of the start are passed when it starts, the others when jobs come.
  await service.end("SIGTERM");
  const diedAtStart = await farm.start(`${point}:${pass}`);
  const sending = farm.submit(JOBS);
  sending.catch(() => undefined);
  const died = await Promise.race([service.died(), pause(PASSING_MILLISECONDS, false)]);
  // The snapshot is taken when the service stops.
  const diedAtStop = point.includes("snapshot") && (await service.end("SIGTERM")) === "SIGKILL";
  const wrappers = withWrappers ? await farm.killWrappers(() => true) : 0;
  await service.end("SIGKILL");
  await farm.start();
  const { jobs, attempts, lost, twice, wedged } = await farm.judge(await sending);
  return [1, diedAtStart || died || diedAtStop ? 1 : 0, wrappers, jobs, attempts, lost, twice, wedged];
}

function totals(sums: ReadonlyMap<CrashPoint, readonly number[]>): number[] {
  return HEAD.map((_, at) => [...sums.values()].reduce((sum, each) => sum + each[at], 0));
}

function isWrong(all: readonly number[]): boolean {
  return all.slice(HEAD.indexOf("lost")).some((count) => count > 0);
}
