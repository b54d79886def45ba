/**
 * Kills `croft serve` at every named step, starts it again, and counts: each job appends one line to a file.
 *
 *     node scripts/try-live.ts --rounds 3        # so many trials at each step, with real processes
 *     node scripts/try-live.ts --histories 1000  # random histories in a simulated world, by seed
 *
 * Prints a table; exits with 1 where a job was lost or ran twice. Needs `npm run build`.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { Client, FarmError } from "../src/live/client/client.ts";
import { crashPoints } from "../src/live/service/crash-points.ts";
import { history } from "../src/live/service/histories.fixture.ts";
import type { SubmittedJob } from "../src/live/service/submitting.ts";
import type { JobView } from "../src/live/store/job-views.ts";

const croft = fileURLToPath(new URL("../bin/croft.js", import.meta.url));
const JOBS_IN_A_TRIAL = 6;

const { values } = parseArgs({
  options: {
    rounds: { type: "string" },
    histories: { type: "string" },
    from: { type: "string", default: "0" },
  },
});

async function tryHistories(from: number, count: number): Promise<void> {
  let crashes = 0;
  let jobs = 0;
  for (let seed = from; seed < from + count; seed++) {
    const found = await history(seed);
    crashes += found.crashes;
    jobs += found.jobs;
    for (const wrong of found.wrong) {
      console.log(`seed ${seed}: ${wrong}`);
      process.exitCode = 1;
    }
  }
  console.log(`${count} histories, ${jobs} jobs, the service died ${crashes} times`);
}

async function tryProcesses(rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "croft-trial-"));
  const trials = new Trials(folder);
  const rows: string[][] = [["step", "tried", "died there", "jobs", "lost", "ran twice"]];
  const sums = [0, 0, 0, 0, 0];
  try {
    for (const point of crashPoints) {
      const counts = [0, 0, 0, 0, 0];
      for (let round = 0; round < rounds; round++)
        (await trials.run(`${point}:${round * 2}`)).forEach((count, at) => (counts[at] += count));
      counts.forEach((count, at) => (sums[at] += count));
      rows.push([point, ...counts.map(String)]);
      process.stderr.write(`${point}: ${counts.join(" ")}\n`);
    }
  } finally {
    await trials.end();
    rmSync(folder, { recursive: true, force: true });
  }
  rows.push(["in all", ...sums.map(String)]);
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)));
  for (const row of rows)
    console.log(
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join("  "),
    );
  if (sums[3] + sums[4] > 0) process.exitCode = 1;
}

class Trials {
  readonly #folder: string;
  readonly #lines: string;
  readonly #client: Client;
  /** None, or one. */
  #services: ChildProcess[] = [];
  #keys = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#lines = join(folder, "lines");
    this.#client = new Client({ socket: join(folder, "s") });
  }

  /** One trial: tried, died there, jobs, lost, ran twice. */
  async run(crashAt: string): Promise<number[]> {
    // Steps of the start are passed when it starts, the others when jobs come.
    await this.end("SIGTERM");
    await this.#serve(crashAt);
    const keys = Array.from({ length: JOBS_IN_A_TRIAL }, () => `k${++this.#keys}`);
    const numbers = await Promise.all(keys.map((key) => this.#submit(key)));
    // Where no job has come by the step yet, none does: this is a death at some step or other.
    const hasDied = await Promise.race([this.#died(), pause(300, false)]);
    await this.end(crashAt.includes("snapshot") ? "SIGTERM" : "SIGKILL");
    await this.#serve(null);
    const jobs = await Promise.all(numbers.map((number) => this.#over(number)));
    const lines = readFileSync(this.#lines, "utf8").split("\n");
    const counts = keys.map((key) => lines.filter((line) => line === key).length);
    const lost = jobs.filter(({ state }, at) => state !== "ended" || counts[at] === 0).length;
    return [
      1,
      hasDied || this.#deaths > 0 ? 1 : 0,
      jobs.length,
      lost,
      counts.filter((count) => count > 1).length,
    ];
  }

  #deaths = 0;

  async end(signal: NodeJS.Signals = "SIGKILL"): Promise<void> {
    const [service] = this.#services;
    this.#services = [];
    if (service === undefined || service.exitCode !== null || service.signalCode !== null) return;
    const closed = once(service, "exit");
    service.kill(signal);
    await closed;
  }

  /** Until it is ready; a service that dies while it starts is started again, without the step. */
  async #serve(crashAt: string | null): Promise<void> {
    this.#deaths = crashAt === null ? this.#deaths : 0;
    const env = {
      ...process.env,
      ...(crashAt === null ? {} : { CROFT_CRASH_TRIALS: "1", CROFT_CRASH_AT: crashAt }),
    };
    const args = ["serve", "--data", join(this.#folder, "data"), "--socket", join(this.#folder, "s")];
    const service = spawn(process.execPath, [croft, ...args], { env, stdio: ["ignore", "pipe", "inherit"] });
    this.#services = [service];
    const ready = once(createInterface({ input: service.stdout }), "line");
    const isUp = await Promise.race([ready.then(() => true), once(service, "exit").then(() => false)]);
    if (isUp) return;
    if (crashAt === null || service.signalCode !== "SIGKILL") throw new Error("croft serve does not start");
    this.#deaths++;
    await this.#serve(null);
  }

  async #died(): Promise<boolean> {
    const [service] = this.#services;
    if (service === undefined) return false;
    if (service.exitCode === null && service.signalCode === null) await once(service, "exit");
    return true;
  }

  /** Sends it until it is acknowledged, with the same key. */
  async #submit(key: string): Promise<number> {
    const command = ["/bin/sh", "-c", `echo ${key} >>${this.#lines}`];
    for (;;) {
      try {
        const headers = { "idempotency-key": key };
        const { number } = await this.#client.send<SubmittedJob>("POST", "/v1/jobs", { command }, headers);
        return number;
      } catch (error) {
        if (!isGone(error)) throw error;
        await this.#restart();
      }
    }
  }

  async #over(number: number): Promise<JobView> {
    for (;;) {
      const job = await this.#client.get<JobView>(`/v1/jobs/${number}?wait=30`);
      if (["ended", "failed", "cancelled", "lost", "rejected"].includes(job.state)) return job;
    }
  }

  #restarting: Promise<void> | null = null;

  /** Once for all who ask at the time. */
  #restart(): Promise<void> {
    this.#restarting ??= this.#died()
      .then(() => {
        this.#deaths++;
        return this.#serve(null);
      })
      .finally(() => (this.#restarting = null));
    return this.#restarting;
  }
}

/** The service has died: nobody answers, or has stopped in the middle of it. */
function isGone(error: unknown): boolean {
  return (
    (error instanceof FarmError && error.status === 0) ||
    (error as NodeJS.ErrnoException).code === "ECONNRESET"
  );
}

if (values.histories !== undefined) await tryHistories(Number(values.from), Number(values.histories));
else if (!existsSync(croft)) throw new Error("run npm run build first");
else await tryProcesses(Number(values.rounds ?? 3));
