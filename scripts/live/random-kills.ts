/** Kills the service, the wrappers of its jobs, or both together, at any moment, and lets jobs end while it is away. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Draws } from "../../src/live/service/draws.ts";
import { isBlind, KillFarm, OWN_FARM, type KillJob } from "./kill-farm.ts";
import { Wedged } from "./patience.ts";
import { printTable } from "./table.ts";
import type { Trial } from "./trial.ts";

const JOBS_IN_A_TRIAL = 8;

export const randomKills: Trial = {
  name: "random-kills",
  summary:
    "kill -9 of the service, of wrappers, or of both together, at any moment; jobs end while it is away",
  unit: "trials",
  usual: 20,
  plants: {
    names: ["a-dropped-end-record", "a-second-start"],
    count: 10,
  },
  run: (count, seed, plant) => killAtRandom(count, seed, plant, { farm: OWN_FARM, pool: null }),
};

/** Where the jobs run, and what else is done there when the service is killed. */
export interface Ground {
  readonly farm: string;
  readonly pool: string | null;
  /** Harms the engine's side, and mends it. */
  readonly harm?: (draws: Draws) => Promise<void>;
  /** What its administrator does between trials. */
  readonly tidy?: () => Promise<void>;
}

const HEAD = ["trials", "deaths", "wrappers", "jobs", "attempts", "lost", "twice", "wedged"];

export async function killAtRandom(
  count: number,
  seed: number,
  plant: string | null,
  { farm: text, pool, harm, tidy }: Ground,
): Promise<boolean> {
  const sums = HEAD.map(() => 0);
  const isWrong = (): boolean => sums.slice(HEAD.indexOf("lost")).some((each) => each > 0);
  const folders: string[] = [];
  const fresh = (): KillFarm => {
    folders.push(mkdtempSync(join(tmpdir(), "croft-trial-")));
    return new KillFarm(folders.at(-1)!, text, plant);
  };
  let farm = fresh();
  let isUp = false;
  try {
    for (let at = seed; at < seed + count; at++) {
      let found: readonly number[];
      try {
        if (!isUp) await farm.start();
        isUp = true;
        found = await one(farm, new Draws(at), pool, harm ?? (async () => undefined));
        await tidy?.();
      } catch (error) {
        if (!(error instanceof Wedged)) throw error;
        console.log(`wedged with seed ${at}: ${error.message}`);
        found = [1, 0, 0, 0, 0, 0, 0, 1];
        await farm.abandon();
        farm = fresh();
        isUp = false;
      }
      if (found.slice(HEAD.indexOf("lost")).some((each) => each > 0)) console.log(`with seed ${at}`);
      for (const [column, value] of found.entries()) sums[column] += value;
      if (plant !== null && isWrong()) break;
      if ((at - seed) % 10 === 9) process.stderr.write(`${sums.join(" ")}\n`);
    }
  } finally {
    await farm.abandon();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  if (plant === null) printTable(HEAD, [sums.map(String)]);
  return !isWrong() && !(plant === null && isBlind(count, sums[HEAD.indexOf("wrappers")]));
}

async function one(
  farm: KillFarm,
  draws: Draws,
  pool: string | null,
  harm: NonNullable<Ground["harm"]>,
): Promise<readonly number[]> {
  const of = <T>(list: readonly T[]): T => list[draws.below(list.length)];
  const jobs = Array.from({ length: JOBS_IN_A_TRIAL }, (): KillJob => {
    const [retries, failures] = of([
      [0, 0],
      [0, 0],
      [1, 0],
      [3, 1],
      [5, 2],
    ]);
    return { seconds: of([0, 0, 0.1, 0.3, 1]), retries: retries, failures: failures };
  });
  const sending = farm.submit(jobs, pool);
  sending.catch(() => undefined);
  let [deaths, wrappers] = [0, 0];
  for (let left = of([1, 1, 2, 3]); left > 0; left--) {
    await pause(draws.below(of([50, 300, 800])));
    const what = of(["service", "service", "both", "both", "wrappers"] as const);
    const part = of([1, 1, 2]);
    // Which is killed first is a matter of less than a millisecond.
    const isFirst = draws.below(2) === 0;
    const harmWrappers = async (): Promise<number> =>
      what === "service" ? 0 : farm.killWrappers(() => draws.below(part) === 0);
    if (isFirst) wrappers += await harmWrappers();
    const ending =
      what === "wrappers" ? null : farm.service.end(of(["SIGKILL", "SIGKILL", "SIGTERM"] as const));
    if (!isFirst) wrappers += await harmWrappers();
    await harm(draws);
    if (ending === null) continue;
    await ending;
    deaths++;
    await pause(of([0, 0, 50, 300, 1500]));
    await farm.start();
  }
  const { jobs: judged, attempts, lost, twice, wedged } = await farm.judge(await sending);
  return [1, deaths, wrappers, judged, attempts, lost, twice, wedged];
}
