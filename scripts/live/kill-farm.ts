/** A farm whose service and wrappers are killed, and jobs that write down what they do. */
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { FarmError } from "../../src/live/client/farm-error.ts";
import { FILES, parseExit, parseStart } from "../../src/live/engines/wrapper/records.ts";
import type { SubmittedJob } from "../../src/live/service/submitting.ts";
import type { AttemptView, JobView } from "../../src/live/store/job-views.ts";
import { until, Wedged } from "./patience.ts";
import { Service } from "./service.ts";

/** One farm of this machine. Root's jobs may run there: a trial may be root's. */
export const OWN_FARM =
  "pools: [{ name: own, engine: { kind: local, cores: 16, memoryMiB: 4000, allowRoot: true } }]\n";

/** What is suspended, or waits for a full disk, does not end. */
const ENDING_MILLISECONDS = 3000;

const OVER = ["ended", "failed", "cancelled", "lost", "rejected"];

export interface KillJob {
  /** How long it runs. */
  readonly seconds: number;
  readonly retries: number;
  /** It fails so many times before it succeeds. */
  readonly failures: number;
}

/** What came of a trial. */
export interface Counts {
  readonly jobs: number;
  readonly attempts: number;
  /** Jobs that did not come to the end that they must come to. */
  lost: number;
  /** Attempts that ran twice, or beside another one of their job, or again after they had succeeded. */
  twice: number;
  /** Jobs that come to no end, and services that do not start. */
  wedged: number;
}

export type InFull = JobView & { readonly attempts: readonly AttemptView[] };

export class KillFarm {
  readonly folder: string;
  readonly service: Service;
  /** Where jobs write what they do. */
  readonly lines: string;
  private readonly plant: string | null;
  private readonly engines: string;
  private keys = 0;
  private isAbandoned = false;
  /** Attempts whose wrappers were killed: they may be lost. */
  private readonly harmed = new Set<string>();

  /**
   * In a folder of its own.
   *
   * @throws Wedged where it does not start: then nothing is left of it
   */
  static async started(text: string, plant: string | null): Promise<KillFarm> {
    const farm = new KillFarm(mkdtempSync(join(tmpdir(), "croft-trial-")), text, plant);
    try {
      await farm.start();
    } catch (error) {
      await farm.remove();
      throw error;
    }
    return farm;
  }

  /** @param folder its own, which the caller removes, or `remove` */
  constructor(folder: string, farm: string, plant: string | null) {
    this.folder = folder;
    this.service = Service.of(folder, farm, [], plant);
    this.lines = join(folder, "lines");
    this.plant = plant;
    this.engines = join(folder, "data", "engines");
    writeFileSync(this.lines, "");
  }

  /**
   * @param crashAt the step at which it dies
   * @returns whether it has died there while it started; then it was started again, without the step
   * @throws Wedged where it does not start
   */
  async start(crashAt: string | null = null): Promise<boolean> {
    const environment: NodeJS.ProcessEnv =
      crashAt === null ? {} : { CROFT_CRASH_TRIALS: "1", CROFT_CRASH_AT: crashAt };
    if (this.plant === "a-dropped-end-record") await this.dropEnds();
    try {
      await this.service.start(environment);
      return false;
    } catch (error) {
      // It may have come to the step at which it dies.
      if (crashAt === null) throw new Wedged(error instanceof Error ? error.message : String(error));
      await this.service.end("SIGKILL");
      await this.start();
      return true;
    }
  }

  /** Kills the service for good: whoever asks it for something gives up. */
  async abandon(): Promise<void> {
    this.isAbandoned = true;
    await this.service.end("SIGKILL");
  }

  /** Kills the service, and leaves nothing of it. */
  async remove(): Promise<void> {
    await this.abandon();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Kills all wrappers, or some. Returns how many. */
  async killWrappers(isChosen: () => boolean): Promise<number> {
    const chosen = this.wrappers().filter(isChosen);
    const send = (pid: number, signal: "SIGSTOP" | "SIGKILL"): void => {
      try {
        process.kill(pid, signal);
      } catch {
        // It has just ended.
      }
    };
    // What they have in hand stays that: a farm that hears of their end forgets it before it could be looked up.
    for (const pid of chosen) send(pid, "SIGSTOP");
    for (const pid of chosen)
      await until(
        `the wrapper ${pid} stands still`,
        () => !existsSync(`/proc/${pid}`) || stands(pid) || null,
      );
    // Before it is the job's command a wrapper's child looks like a wrapper: then the job itself is killed.
    this.harm([...chosen, ...chosen.map(parentOf)]);
    for (const pid of chosen) {
      send(pid, "SIGKILL");
      await until(`the wrapper ${pid} is dead`, () => !existsSync(`/proc/${pid}`) || isDead(pid) || null);
    }
    // What waited for a disk may have claimed one meanwhile.
    this.harm(chosen);
    return chosen.length;
  }

  /**
   * The wrappers of this farm: processes that are neither the service nor jobs nor hooks. A prolog that is killed has
   * failed, and its machine takes no more jobs.
   */
  private wrappers(): number[] {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        const command = readOr(`/proc/${pid}/cmdline`);
        // Slurm starts a wrapper by a copy of it, under a name of Slurm's own; it is told the attempt's folder.
        return command.includes(`\0${this.engines}/`) && !command.includes(this.lines);
      })
      .map(Number);
  }

  /** Notes the attempts that these have in hand: they have claimed them, and not recorded how they ended. */
  private harm(wrappers: readonly number[]): void {
    const { engines } = this;
    for (const pool of existsSync(engines) ? readdirSync(engines) : []) {
      const attempts = join(engines, pool, "attempts");
      for (const attempt of existsSync(attempts) ? readdirSync(attempts) : []) {
        const path = join(attempts, attempt, FILES.start);
        const start = parseStart(readOr(path));
        // One that stands between making its record and writing it does not say whose it is.
        const isCutOff = start === null && wrappers.length > 0 && existsSync(path);
        const isTheirs = isCutOff || (start?.kind === "claim" && wrappers.includes(start.pid));
        if (isTheirs && parseExit(readOr(join(attempts, attempt, FILES.exit))) === null)
          this.harmed.add(attempt);
      }
    }
  }

  /** Sends each until it is acknowledged, with the same key. */
  async submit(jobs: readonly KillJob[], pool: string | null = null): Promise<readonly Sent[]> {
    return Promise.all(
      jobs.map(async (job): Promise<Sent> => {
        const key = this.newKey();
        const command = ["/bin/sh", "-c", this.script(job, key)];
        const body = { command, retries: job.retries, ...(pool === null ? {} : { pool }) };
        const { number } = await this.ask<SubmittedJob>("/v1/jobs", body, key);
        return { ...job, key, number };
      }),
    );
  }

  newKey(): string {
    return `k${++this.keys}`;
  }

  /** Posts a submission until it is answered, whatever is killed meanwhile. */
  async ask<Answer>(path: string, body: object, key: string): Promise<Answer> {
    return this.insist(`POST ${path} with the key ${key}`, () =>
      this.service.client.send<Answer>("POST", path, body, { "idempotency-key": key }),
    );
  }

  /** Posts what may be done twice until it is answered. It may say then that it was done already. */
  async act(path: string, body: object): Promise<void> {
    let isAgain = false;
    await this.insist(`POST ${path}`, async () => {
      try {
        await this.service.client.send("POST", path, body);
      } catch (error) {
        if (isAgain && error instanceof FarmError && error.status === 409) return;
        isAgain = true;
        throw error;
      }
    });
  }

  /** Asks until the farm is there. */
  async insist<Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> {
    const { answer } = await until(`an answer to ${what}`, async () => {
      try {
        return { answer: await ask() };
      } catch (error) {
        if (!isGone(error) || this.isAbandoned) throw error;
        return null;
      }
    });
    return answer;
  }

  private script({ seconds, failures }: KillJob, key: string): string {
    const line = (what: string): string => `echo "${what} ${key} $CROFT_ATTEMPT" >>${this.lines}`;
    return `${line("begins")}; sleep ${seconds}; ${line("ends")}; [ $CROFT_JOB_ATTEMPT -gt ${failures} ]`;
  }

  /** Waits until all are over, and looks at what they wrote. */
  async judge(jobs: readonly Sent[]): Promise<Counts> {
    if (this.plant === "a-second-start") this.startAgain(jobs[0]);
    const views = await Promise.all(jobs.map(({ number }) => this.over(number)));
    const lines = readFileSync(this.lines, "utf8").split("\n");
    const counts = { jobs: jobs.length, attempts: 0, lost: 0, twice: 0, wedged: 0 };
    for (const [at, job] of jobs.entries()) {
      const view = views[at];
      if (view === null) counts.wedged++;
      else {
        counts.attempts += view.attempts.length;
        const own = lines.map((line) => line.split(" ")).filter(([, key]) => key === job.key);
        const did = own.map(([what, , attempt]) => ({ what, attempt: Number(attempt.split(".")[1]) }));
        const isHarmed = (attempt: number): boolean => this.isHarmed(`${view.id}.${attempt}`);
        const wrong = ranTwice(job, did, isHarmed).map((text) => `twice: ${text}`);
        counts.twice += wrong.length;
        const why = lostText(job, view, did, isHarmed);
        if (why !== null) {
          counts.lost++;
          wrong.push(`lost: ${why}`);
        }
        for (const text of wrong)
          console.log(`job ${view.number} (${JSON.stringify(job)}): ${text}: ${JSON.stringify(did)}`);
      }
    }
    return counts;
  }

  /** Whether its wrapper was killed: it may be lost. */
  isHarmed(attempt: string): boolean {
    return this.harmed.has(attempt);
  }

  /** Null: it does not come to an end. */
  async over(number: number): Promise<InFull | null> {
    let job: InFull | null = null;
    try {
      return await until(`job ${number} is over`, async () => {
        job = await this.service.client.get<InFull>(`/v1/jobs/${number}?wait=10`);
        return OVER.includes(job.state) ? job : null;
      });
    } catch (error) {
      if (!(error instanceof Wedged)) throw error;
      console.log(`wedged: ${error.message}; it is ${JSON.stringify(job)}`);
      return null;
    }
  }

  /** A planted fault: records of how attempts ended are gone. */
  private async dropEnds(): Promise<void> {
    const { engines } = this;
    if (!existsSync(engines)) return;
    // What ran when the service was killed ends first, or there is no record that the service would need.
    const latest = performance.now() + ENDING_MILLISECONDS;
    while (this.wrappers().length > 0 && performance.now() < latest) await pause(20);
    for (const pool of readdirSync(engines)) {
      const attempts = join(engines, pool, "attempts");
      for (const attempt of existsSync(attempts) ? readdirSync(attempts) : [])
        rmSync(join(attempts, attempt, "exit"), { force: true });
    }
  }

  /** A planted fault: an attempt runs once more. */
  private startAgain({ key }: Sent): void {
    const line = readFileSync(this.lines, "utf8")
      .split("\n")
      .find((each) => each.startsWith(`begins ${key} `));
    if (line !== undefined) appendFileSync(this.lines, `${line}\n`);
  }
}

export interface Sent extends KillJob {
  readonly key: string;
  readonly number: number;
}

/** 0 where it is gone. */
function parentOf(pid: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(readOr(`/proc/${pid}/status`))?.[1] ?? 0);
}

function isDead(pid: number): boolean {
  return /^State:\s+Z/m.test(readOr(`/proc/${pid}/status`));
}

/** Stopped, or dead, or about to be: one that waits for a disk, or for a child that is stopped, stands only afterwards. */
function stands(pid: number): boolean {
  return /^State:\s+[DTtZ]/m.test(readOr(`/proc/${pid}/status`));
}

/** Empty where it is gone, or somebody else's. */
function readOr(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** Many trials kill wrappers: where none was ever killed the trial does not find them. */
export function isBlind(trials: number, wrappers: number): boolean {
  const isIt = trials >= 40 && wrappers === 0;
  if (isIt) console.log("no wrapper was found, so none was killed");
  return isIt;
}

/** What a job has written. */
export type Did = readonly { readonly what: string | undefined; readonly attempt: number }[];

export function ranTwice({ failures }: KillJob, did: Did, isHarmed: (attempt: number) => boolean): string[] {
  const wrong: string[] = [];
  const [begun, ended] = [new Set<number>(), new Set<number>()];
  let last = 0;
  for (const { what, attempt } of did) {
    if (what === "ends") {
      ended.add(attempt);
      if (attempt < last) wrong.push(`attempt ${attempt} ran beside a later one`);
      continue;
    }
    if (begun.has(attempt)) wrong.push(`attempt ${attempt} ran twice`);
    begun.add(attempt);
    for (const before of begun)
      if (before < attempt && before > failures && ended.has(before) && !isHarmed(before))
        wrong.push(`attempt ${before} had succeeded, and attempt ${attempt} ran`);
    last = Math.max(last, attempt);
  }
  return wrong;
}

/** Why a job counts as lost; null: it came to the end that it had to come to. */
export function lostText(
  { failures, retries }: KillJob,
  { state, attempt, reason }: InFull,
  did: Did,
  isHarmed: (attempt: number) => boolean,
): string | null {
  const ran = did.some((each) => each.attempt === attempt && each.what === "ends");
  if (state === "ended") return ran ? null : `attempt ${attempt} has ended and has not run to its end`;
  if (isHarmed(attempt) && attempt > retries) return null;
  // Attempts that were harmed used up retries that it needed to succeed.
  const harmed = Array.from({ length: attempt }, (_, at) => at + 1).filter(isHarmed).length;
  if (state === "failed" && attempt > retries && failures + harmed > retries) return null;
  return `it is ${state} after attempt ${attempt} (${reason})`;
}

/** The service has died: nobody answers, or it has stopped in the middle of an answer. */
function isGone(error: unknown): boolean {
  return (
    (error instanceof FarmError && (error.status === 0 || error.status === 503)) ||
    (error as NodeJS.ErrnoException).code === "ECONNRESET"
  );
}
