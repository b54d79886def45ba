/**
 * Jobs of many processes are suspended in each way that there is, moved and cancelled, while the service is killed or
 * stopped at any moment. Then it is looked at the processes themselves.
 */
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { FarmError } from "../../src/live/client/farm-error.ts";
import { Draws } from "../../src/live/service/draws.ts";
import type { SubmittedJob } from "../../src/live/service/submitting.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { KillFarm, type Sent } from "./kill-farm.ts";
import { until } from "./patience.ts";
import { counting, COUNTING_SECONDS, FARM } from "./process-jobs.ts";
import { inRounds, type Sums } from "./rounds.ts";
import type { Trial } from "./trial.ts";
import {
  endLeft,
  Lateness,
  processesOfAttempts,
  standUntold,
  stoodAs,
  unlike,
  type Seen,
} from "./witness.ts";

const JOBS = 5;
const ACTS = 4;
/** What is wrong for so long stays so: books and engines are compared every minute, which would hide it. */
const PATIENCE_SECONDS = 25;
/** What was asked for has begun by then. */
const LOOK_MILLISECONDS = 400;

const plants = ["a-woken-process", "a-process-left-standing", "a-process-left-over", "an-untold-pause"];

export const processKills: Trial = {
  name: "process-kills",
  summary:
    "jobs of many processes are suspended for others, by hand and with pools, start again elsewhere, are cancelled; the service is killed or stopped; each process is looked at",
  unit: "trials",
  usual: 20,
  plants: { names: plants, count: 4 },
  run,
};

const HEAD = ["trials", "deaths", "stops", "jobs", "suspended", "moved", "lost", "twice", "wedged", "wrong"];

async function run(count: number, seed: number, plant: string | null): Promise<boolean> {
  const { isGood, sums } = await inRounds<KillFarm>({
    count,
    seed,
    plant,
    head: HEAD,
    make: () => KillFarm.started(FARM, plant),
    remove: async (farm) => {
      await farm.abandon();
      endLeft(farm.folder);
      await farm.remove();
    },
    one: (farm, at, all) => new Round(farm, new Draws(at), all, plant).run(),
  });
  // Where none was ever suspended the trial has looked at nothing. In few trials it may be so.
  return isGood && (count < 4 || sums["suspended"] > 0);
}

class Round {
  private readonly farm: KillFarm;
  private readonly draws: Draws;
  private readonly sums: Sums;
  private readonly plant: string | null;
  private readonly tag: string;
  private readonly ticks: string;
  private readonly jobs: Sent[] = [];
  private readonly cancelled = new Set<number>();
  private readonly paused = new Set<string>();
  /** By job: whether it was seen to be suspended. */
  private readonly suspended = new Set<number>();
  private readonly lateness = new Lateness();
  private isPlanted = false;

  constructor(farm: KillFarm, draws: Draws, sums: Sums, plant: string | null) {
    this.farm = farm;
    this.draws = draws;
    this.sums = sums;
    this.plant = plant;
    this.tag = farm.newKey();
    this.ticks = join(farm.folder, "ticks");
    writeFileSync(this.ticks, "");
  }

  async run(): Promise<void> {
    await this.tried().finally(() => this.lateness.end());
  }

  private async tried(): Promise<void> {
    for (let at = 0; at < JOBS; at++) await this.submit();
    await until("some run", async () =>
      (await this.views()).filter(({ state }) => state === "running").length >= 2 ? true : null,
    );
    if (this.plant === "an-untold-pause")
      await standUntold(new Set((await this.views()).map(({ id }) => id)));
    for (let at = 0; at < ACTS; at++) {
      await this.act();
      await this.look();
    }
    for (const path of this.paused) await this.farm.act(`${path}/unpause`, {});
    // By number: one that is only about to stand is no suspended job yet, and would not be chosen.
    await this.farm.act("/v1/job-lists/resume", { jobs: this.jobs.map(({ number }) => String(number)) });
    await this.judge();
  }

  private async submit(more: object = {}, seconds: number | null = null): Promise<Sent> {
    const { farm, draws, ticks } = this;
    const key = farm.newKey();
    const line = (what: string): string => `echo "${what} ${key} $CROFT_ATTEMPT" >>${farm.lines}`;
    const does = seconds === null ? counting(draws, ticks) : `sleep ${seconds}`;
    const command = ["/bin/sh", "-c", `${line("begins")}; ${does}; ${line("ends")}`];
    const where = draws.below(5) < 2 ? { pool: "north" } : {};
    const body = { command, cores: 1 + draws.below(2), tags: { trial: this.tag }, ...where, ...more };
    const { number } = await farm.ask<SubmittedJob>("/v1/jobs", body, key);
    const sent = { seconds: seconds ?? COUNTING_SECONDS, retries: 0, failures: 0, key, number };
    this.jobs.push(sent);
    this.sums["jobs"]++;
    return sent;
  }

  /** Something that suspends jobs or lets them go on, while the service dies. */
  private async act(): Promise<void> {
    const { draws, jobs, tag } = this;
    const chosen = { tags: { trial: tag } };
    const number = String(jobs[draws.below(JOBS)].number);
    const path = ["/v1/farm", "/v1/pools/north", "/v1/pools/south"][draws.below(3)];
    switch (draws.below(8)) {
      case 0:
      case 1:
      case 2: {
        // Those of it that are suspended for it go on when it is over, or elsewhere.
        const seconds = [0.3, 1, 2.5][draws.below(3)];
        const more = { group: "urgent", pool: "north", cores: 2 + draws.below(4) };
        const dying = this.die(draws.below(1 + 1000 * seconds * [0, 1, 1.3][draws.below(3)]));
        await Promise.all([this.submit(more, seconds), dying]);
        return;
      }
      case 3:
        return this.killedWhile("/v1/job-selections/suspend", chosen);
      case 4:
        return this.killedWhile("/v1/job-selections/resume", chosen);
      case 5:
        return this.killedWhile(`/v1/jobs/${number}/suspend`, {});
      case 6:
        if (this.paused.delete(path)) return this.killedWhile(`${path}/unpause`, {});
        this.paused.add(path);
        return this.killedWhile(`${path}/pause`, { reason: "a trial", suspend: true });
      default:
        this.cancelled.add(Number(number));
        return this.killedWhile(`/v1/jobs/${number}/cancel`, {});
    }
  }

  /** After some milliseconds. */
  private async die(after: number): Promise<void> {
    const { farm, draws, sums } = this;
    await pause(after);
    const isStopped = draws.below(4) === 0;
    await farm.service.end(isStopped ? "SIGTERM" : "SIGKILL");
    sums[isStopped ? "stops" : "deaths"]++;
    await pause([0, 0, 1500][draws.below(3)]);
    await farm.start();
  }

  /** Asks for something, ends the service meanwhile or at its answer, and asks again where there was none. */
  private async killedWhile(path: string, body: object): Promise<void> {
    const { farm, draws } = this;
    const asking = farm.service.client.send("POST", path, body).then(
      () => true,
      (error: unknown) => error instanceof FarmError && error.status === 409,
    );
    const after = [0, 5, 20, 60, 150, null, null][draws.below(7)]!;
    if (after === null) await asking;
    await this.die(after ?? draws.below(2) * draws.below(100));
    if (!(await asking)) await farm.act(path, body).catch(refused);
  }

  /** Until nothing changes and all processes are as their jobs are told, or are not and stay so. */
  private async look(): Promise<void> {
    let since = performance.now();
    let before = "";
    for (;;) {
      const [views, all] = [await this.views(), processesOfAttempts()];
      for (const { number, state } of views)
        if (state === "suspended" && !this.suspended.has(number)) {
          this.suspended.add(number);
          this.sums["suspended"]++;
        }
      if (this.plantIn(views, all)) continue;
      const wrong = views.map((view) => unlike(view, all)).filter((each) => each !== null);
      const now = JSON.stringify(statesOf(views));
      // What is on its way to another state may be anything meanwhile.
      if (now !== before) since = performance.now();
      else if (wrong.length === 0) return;
      else if (performance.now() - since > PATIENCE_SECONDS * 1000) return this.wrong(wrong);
      before = now;
      await pause(LOOK_MILLISECONDS);
    }
  }

  private async judge(): Promise<void> {
    const { farm, sums } = this;
    const offset = Date.now() / 1000 - Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]);
    const kept = this.jobs.filter(({ number }) => !this.cancelled.has(number));
    const counts = await farm.judge(kept);
    for (const kind of ["lost", "twice", "wedged"] as const) sums[kind] += counts[kind];
    for (const number of this.cancelled) await farm.over(number);
    await this.look();
    const lines = readFileSync(this.ticks, "utf8").split("\n");
    for (const { number } of this.jobs.slice(0, JOBS)) {
      const view = await farm.over(number);
      if (view === null) continue;
      if (this.cancelled.has(number) && !["cancelled", "ended"].includes(view.state))
        this.wrong([`job ${number} was cancelled, and is told as ${view.state} (${view.reason})`]);
      if (view.attempts.length > 1) sums["moved"]++;
      for (const attempt of view.attempts) {
        const key = `${view.id}.${attempt.attempt} `;
        const own = lines.filter((line) => line.startsWith(key));
        const text = stoodAs(
          attempt,
          own.map((line) => offset + Number(line.slice(key.length))),
          this.lateness.seconds,
        );
        if (text !== null) this.wrong([`attempt ${attempt.attempt} of job ${number} ${text}`]);
      }
    }
  }

  private views(): Promise<JobView[]> {
    const path = `/v1/jobs?tag=trial%3D${this.tag}`;
    return this.farm.insist(`GET ${path}`, () => this.farm.service.client.get<JobView[]>(path));
  }

  private wrong(texts: readonly string[]): void {
    this.sums["wrong"] += texts.length;
    for (const text of texts) console.log(`wrong: ${text}`);
  }

  /** Plants a fault, once. Returns whether it has. */
  private plantIn(views: readonly JobView[], all: ReadonlyMap<string, readonly Seen[]>): boolean {
    if (this.isPlanted || this.plant === null) return false;
    const wanted = { "a-woken-process": "suspended", "a-process-left-standing": "running" }[this.plant];
    const isOver = this.plant === "a-process-left-over";
    const view = views.find(({ state }) => (isOver ? state === "ended" : state === wanted));
    if (view === undefined) return false;
    const key = `${view.id}.${view.attempt}`;
    const first = all.get(key)?.[0];
    if (isOver)
      spawn("sleep", ["60"], { env: { ...process.env, CROFT_ATTEMPT: key }, stdio: "ignore" }).unref();
    else if (first === undefined) return false;
    else process.kill(first.pid, wanted === "suspended" ? "SIGCONT" : "SIGSTOP");
    return (this.isPlanted = true);
  }
}

function statesOf(views: readonly JobView[]): string[] {
  return views.map(
    ({ number, state, attempt, suspendedAt }) => `${number} ${state} ${attempt} ${suspendedAt}`,
  );
}

/** It was done, and the answer was lost; or it cannot be done to what there is now. */
function refused(error: unknown): void {
  if (!(error instanceof FarmError && error.status === 409)) throw error;
}
