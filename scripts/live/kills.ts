/** Kills `croft serve` at every named step, starts it again, and counts: each job appends one line to a file. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

import { Client } from "../../src/live/client/client.ts";
import { FarmError } from "../../src/live/client/failures.ts";
import { crashPoints, type CrashPoint } from "../../src/live/service/crash-points.ts";
import type { SubmittedJob } from "../../src/live/service/submitting.ts";
import type { JobView } from "../../src/live/store/job-views.ts";
import { printTable } from "./table.ts";
import { croft, type Trial } from "./trial.ts";

const JOBS_IN_A_TRIAL = 6;
/** The service passes most steps several times in a trial. It dies at the first, second, third or fourth time. */
const PASSES = 4;
/** Steps of a start or a stop, which the service passes once in a trial. */
const ONCE: readonly CrashPoint[] = [
  "before-reconcile",
  "after-reconcile",
  "before-snapshot",
  "after-snapshot",
];

export const kills: Trial = {
  name: "kills",
  summary: "kill -9 of the service at every named step, and a restart",
  unit: "trials at each step",
  usual: 3,
  run,
};

async function run(rounds: number): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
  const trials = new Trials(folder);
  const head = ["step", "tried", "died there", "jobs", "lost", "ran twice"];
  const counts = new Map(crashPoints.map((point) => [point, [0, 0, 0, 0, 0]]));
  try {
    // Round by round, so that one that is stopped early has tried all steps.
    for (let round = 0; round < rounds; round++) {
      for (const [point, sums] of counts)
        (await trials.run(`${point}:${ONCE.includes(point) ? 0 : round % PASSES}`)).forEach(
          (count, at) => (sums[at] += count),
        );
      process.stderr.write(`round ${round + 1}: ${totals(counts).join(" ")}\n`);
    }
  } finally {
    await trials.end();
    rmSync(folder, { recursive: true, force: true });
  }
  const rows = Array.from(counts, ([point, sums]) => [point, ...sums.map(String)]);
  const sums = totals(counts);
  rows.push(["in all", ...sums.map(String)]);
  printTable(head, rows);
  return sums[3] + sums[4] === 0;
}

/** Of all steps: tried, died there, jobs, lost, ran twice. */
function totals(counts: ReadonlyMap<CrashPoint, readonly number[]>): number[] {
  return [0, 1, 2, 3, 4].map((at) => [...counts.values()].reduce((sum, each) => sum + each[at], 0));
}

class Trials {
  private readonly folder: string;
  private readonly lines: string;
  private readonly client: Client;
  /** None, or one. */
  private services: ChildProcess[] = [];
  private keys = 0;

  constructor(folder: string) {
    this.folder = folder;
    this.lines = join(folder, "lines");
    this.client = new Client({ socket: join(folder, "s") });
  }

  /** One trial: tried, died there, jobs, lost, ran twice. */
  async run(crashAt: string): Promise<number[]> {
    // Steps of the start are passed when it starts, the others when jobs come.
    await this.end("SIGTERM");
    await this.serve(crashAt);
    const keys = Array.from({ length: JOBS_IN_A_TRIAL }, () => `k${++this.keys}`);
    const numbers = await Promise.all(keys.map((key) => this.submit(key)));
    // If no job has passed the step by then, none will: the service is killed wherever it is.
    const hasDied = await Promise.race([this.died(), pause(300, false)]);
    // The snapshot is taken when the service stops.
    const diedAtStop = crashAt.includes("snapshot") && (await this.end("SIGTERM")) === "SIGKILL";
    await this.end("SIGKILL");
    await this.serve(null);
    const jobs = await Promise.all(numbers.map((number) => this.over(number)));
    const lines = readFileSync(this.lines, "utf8").split("\n");
    const counts = keys.map((key) => lines.filter((line) => line === key).length);
    const lost = jobs.filter(({ state }, at) => state !== "ended" || counts[at] === 0).length;
    return [
      1,
      hasDied || diedAtStop || this.deaths > 0 ? 1 : 0,
      jobs.length,
      lost,
      counts.filter((count) => count > 1).length,
    ];
  }

  private deaths = 0;

  /** Returns the signal that ended the service; null if it ended by itself, or there was none. */
  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<NodeJS.Signals | null> {
    const [service] = this.services;
    this.services = [];
    if (service === undefined || service.exitCode !== null || service.signalCode !== null) return null;
    const closed = once(service, "exit");
    service.kill(signal);
    await closed;
    return service.signalCode;
  }

  /** Until it is ready; a service that dies while it starts is started again, without the step. */
  private async serve(crashAt: string | null): Promise<void> {
    this.deaths = crashAt === null ? this.deaths : 0;
    const env = {
      ...process.env,
      ...(crashAt === null ? {} : { CROFT_CRASH_TRIALS: "1", CROFT_CRASH_AT: crashAt }),
    };
    const args = ["serve", "--data", join(this.folder, "data"), "--socket", join(this.folder, "s")];
    const service = spawn(process.execPath, [croft, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
    this.services = [service];
    const ready = once(createInterface({ input: service.stdout }), "line");
    const isUp = await Promise.race([ready.then(() => true), once(service, "exit").then(() => false)]);
    if (isUp) return;
    if (crashAt === null || service.signalCode !== "SIGKILL") throw new Error("croft serve does not start");
    this.deaths++;
    await this.serve(null);
  }

  private async died(): Promise<boolean> {
    const [service] = this.services;
    if (service === undefined) return false;
    if (service.exitCode === null && service.signalCode === null) await once(service, "exit");
    return true;
  }

  /** Sends it until it is acknowledged, with the same key. */
  private async submit(key: string): Promise<number> {
    const command = ["/bin/sh", "-c", `echo ${key} >>${this.lines}`];
    for (;;) {
      try {
        const headers = { "idempotency-key": key };
        const { number } = await this.client.send<SubmittedJob>("POST", "/v1/jobs", { command }, headers);
        return number;
      } catch (error) {
        if (!isGone(error)) throw error;
        await this.restart();
      }
    }
  }

  private async over(number: number): Promise<JobView> {
    for (;;) {
      const job = await this.client.get<JobView>(`/v1/jobs/${number}?wait=30`);
      if (["ended", "failed", "cancelled", "lost", "rejected"].includes(job.state)) return job;
    }
  }

  private restarting: Promise<void> | null = null;

  /** Once for all who ask at the time. */
  private restart(): Promise<void> {
    this.restarting ??= this.died()
      .then(() => {
        this.deaths++;
        return this.serve(null);
      })
      .finally(() => (this.restarting = null));
    return this.restarting;
  }
}

/** The service has died: nobody answers, or has stopped in the middle of it. */
function isGone(error: unknown): boolean {
  return (
    (error instanceof FarmError && error.status === 0) ||
    (error as NodeJS.ErrnoException).code === "ECONNRESET"
  );
}
