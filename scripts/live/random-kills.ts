/** Kills the service, the wrappers of its jobs, or both together, at any moment, and lets jobs end while it is away. */
import { setTimeout as pause } from "node:timers/promises";

import { Draws } from "../../src/live/service/draws.ts";
import { isBlind, KillFarm, OWN_FARM, type KillJob } from "./kill-farm.ts";
import { inRounds, type Sums } from "./rounds.ts";
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
  const { isGood, sums } = await inRounds<KillFarm>({
    count,
    seed,
    plant,
    head: HEAD,
    make: () => KillFarm.started(text, plant),
    remove: (farm) => farm.remove(),
    one: async (farm, at, all) => {
      await one(farm, new Draws(at), pool, harm ?? (async () => undefined), all);
      await tidy?.();
    },
  });
  return isGood && !(plant === null && isBlind(count, sums["wrappers"]));
}

async function one(
  farm: KillFarm,
  draws: Draws,
  pool: string | null,
  harm: NonNullable<Ground["harm"]>,
  sums: Sums,
): Promise<void> {
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
  for (let left = of([1, 1, 2, 3]); left > 0; left--) {
    await pause(draws.below(of([50, 300, 800])));
    const what = of(["service", "service", "both", "both", "wrappers"] as const);
    const part = of([1, 1, 2]);
    // Which is killed first is a matter of less than a millisecond.
    const isFirst = draws.below(2) === 0;
    const harmWrappers = async (): Promise<number> =>
      what === "service" ? 0 : farm.killWrappers(() => draws.below(part) === 0);
    if (isFirst) sums["wrappers"] += await harmWrappers();
    const ending =
      what === "wrappers" ? null : farm.service.end(of(["SIGKILL", "SIGKILL", "SIGTERM"] as const));
    if (!isFirst) sums["wrappers"] += await harmWrappers();
    await harm(draws);
    if (ending === null) continue;
    await ending;
    sums["deaths"]++;
    await pause(of([0, 0, 50, 300, 1500]));
    await farm.start();
  }
  const counts = await farm.judge(await sending);
  for (const [kind, found] of Object.entries(counts)) sums[kind] += found;
}
