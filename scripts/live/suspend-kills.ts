/** Suspends jobs by hand, in each way that there is, kills the service at once, and lets them go on likewise. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { FarmError } from "../../src/live/client/farm-error.ts";
import { Draws } from "../../src/live/service/draws.ts";
import type { SubmittedJob } from "../../src/live/service/submitting.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { KillFarm, OWN_FARM, type Sent } from "./kill-farm.ts";
import { until } from "./patience.ts";
import { inRounds, type Sums } from "./rounds.ts";
import type { Trial } from "./trial.ts";

const JOBS = 4;
/** A job counts up to this, ten times a second. */
const TICKS = 100;
/** One that has so many before it when it is to be suspended is stopped before it ends. */
const FAR = 70;
const STILL_MILLISECONDS = 1000;

export const suspendKills: Trial = {
  name: "suspend-kills",
  summary: "jobs are suspended by hand, or with their pool, and go on, and the service is killed at once",
  unit: "trials",
  usual: 40,
  short: 4,
  plants: { names: ["a-second-start", "a-woken-job"], count: 4 },
  run,
};

const HEAD = ["trials", "deaths", "jobs", "suspended", "lost", "twice", "wedged", "wrong"];

async function run(count: number, seed: number, plant: string | null): Promise<boolean> {
  const { isGood, sums } = await inRounds<KillFarm>({
    count,
    seed,
    plant,
    head: HEAD,
    make: () => KillFarm.started(OWN_FARM, plant),
    remove: (farm) => farm.remove(),
    one: (farm, at, all) => one(farm, new Draws(at), all, plant),
  });
  // Where none was ever suspended the trial has looked at nothing.
  return isGood && sums["suspended"] > 0;
}

/** A way to suspend the jobs of a trial, and to let them go on. */
interface Way {
  readonly suspend: readonly [path: string, body: object];
  readonly goOn: readonly [path: string, body: object];
}

function wayOf(tag: string, jobs: readonly Sent[], draws: Draws): Way {
  const numbers = { jobs: jobs.map(({ number }) => String(number)) };
  const chosen = { tags: { trial: tag } };
  const paused = { reason: "a trial", suspend: true };
  const ways: readonly Way[] = [
    { suspend: ["/v1/job-selections/suspend", chosen], goOn: ["/v1/job-selections/resume", chosen] },
    { suspend: ["/v1/job-lists/suspend", numbers], goOn: ["/v1/job-lists/resume", numbers] },
    { suspend: ["/v1/pools/own/pause", paused], goOn: ["/v1/pools/own/unpause", {}] },
    { suspend: ["/v1/farm/pause", paused], goOn: ["/v1/farm/unpause", {}] },
  ];
  return ways[draws.below(ways.length)];
}

async function one(farm: KillFarm, draws: Draws, sums: Sums, plant: string | null): Promise<void> {
  const ticks = join(farm.folder, "ticks");
  writeFileSync(ticks, "");
  const { tag, jobs } = await submit(farm, ticks);
  sums["jobs"] += jobs.length;
  await until(
    "all run",
    async () => (await viewsOf(farm, tag)).every(({ state }) => state === "running") || null,
  );
  await pause(draws.below(500));
  const { suspend, goOn } = wayOf(tag, jobs, draws);
  await killedWhile(farm, suspend, draws, sums);
  const doneBy = (key: string): number =>
    readFileSync(ticks, "utf8")
      .split("\n")
      .filter((line) => line === key).length;
  const wrong = (text: string): void => {
    sums["wrong"]++;
    console.log(`wrong: ${text}, by ${suspend[0]}`);
  };
  const standing = jobs.filter(({ key }) => doneBy(key) < TICKS - FAR);
  // They are shown as running until their engine has stopped them.
  const stopped = await until("none is shown as running", async () => {
    const views = await viewsOf(farm, tag);
    return views.some(({ state }) => state === "running") ? null : views;
  });
  for (const { number } of standing) {
    const state = stopped.find((view) => view.number === number)?.state;
    if (state !== "suspended") wrong(`job ${number} was to be suspended, and is shown as ${state}`);
  }
  sums["suspended"] += standing.length;
  // A planted fault: they go on, and nobody has said so.
  if (plant === "a-woken-job") await farm.act(...goOn);
  await stillOrOver(standing, doneBy);
  for (const { key, number } of standing)
    if (doneBy(key) >= TICKS) wrong(`job ${number} was to be suspended and ran on`);
  if (plant !== "a-woken-job") await killedWhile(farm, goOn, draws, sums);
  const { lost, twice, wedged } = await farm.judge(jobs);
  for (const [kind, count] of Object.entries({ lost, twice, wedged })) sums[kind] += count;
}

async function submit(
  farm: KillFarm,
  ticks: string,
): Promise<{ readonly tag: string; readonly jobs: Sent[] }> {
  const tag = farm.newKey();
  const sending = Array.from({ length: JOBS }, async (): Promise<Sent> => {
    const key = farm.newKey();
    const line = (what: string): string => `echo "${what} ${key} $CROFT_ATTEMPT" >>${farm.lines}`;
    const counts = `i=0; while [ $i -lt ${TICKS} ]; do sleep 0.1; i=$((i + 1)); echo ${key} >>${ticks}; done`;
    const command = ["/bin/sh", "-c", `${line("begins")}; ${counts}; ${line("ends")}`];
    const { number } = await farm.ask<SubmittedJob>("/v1/jobs", { command, tags: { trial: tag } }, key);
    return { seconds: TICKS / 10, retries: 0, failures: 0, key, number };
  });
  return { tag, jobs: await Promise.all(sending) };
}

/** Asks for something, kills the service meanwhile or at its answer, and asks again where there was none. */
async function killedWhile(
  farm: KillFarm,
  [path, body]: readonly [string, object],
  draws: Draws,
  sums: Sums,
): Promise<void> {
  const asking = farm.service.client.send("POST", path, body).then(
    () => true,
    () => false,
  );
  const after = [0, 2, 10, null, null][draws.below(5)];
  let isAnswered = after === null && (await asking);
  if (after !== null) await pause(after);
  const ending = farm.service.end("SIGKILL");
  isAnswered = (await asking) || isAnswered;
  await ending;
  sums["deaths"]++;
  await pause([0, 0, 300][draws.below(3)]);
  await farm.start();
  if (isAnswered) return;
  await farm.insist(`POST ${path}`, async () => {
    try {
      await farm.service.client.send("POST", path, body);
    } catch (error) {
      // It was done, and the answer was lost.
      if (!(error instanceof FarmError && error.status === 409)) throw error;
    }
  });
}

function viewsOf(farm: KillFarm, tag: string): Promise<JobView[]> {
  const path = `/v1/jobs?tag=trial%3D${tag}`;
  return farm.insist(`GET ${path}`, () => farm.service.client.get<JobView[]>(path));
}

/** Until none of the jobs has counted on for a while, or all that do are over. */
async function stillOrOver(jobs: readonly Sent[], doneBy: (key: string) => number): Promise<void> {
  const counts = (): string => jobs.map(({ key }) => doneBy(key)).join(" ");
  await until("suspended jobs stand still, or are over", async () => {
    const before = counts();
    await pause(STILL_MILLISECONDS);
    return counts() === before || null;
  });
}
