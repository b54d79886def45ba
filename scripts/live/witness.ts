/** Processes of jobs, as a stranger sees them: by their mark, in /proc. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import type { AttemptView, JobView } from "../../src/live/store/job-views.ts";

const MARK = "CROFT_ATTEMPT=";

export interface Seen {
  readonly pid: number;
  /** As /proc has it: `T` stands still. */
  readonly state: string;
}

/** The processes that were started with an attempt's mark, by the attempt. */
export function processesOfAttempts(): Map<string, Seen[]> {
  const found = new Map<string, Seen[]>();
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const mark = readOr(`/proc/${name}/environ`)
      .split("\0")
      .find((each) => each.startsWith(MARK));
    const state = /^\d+ \(.*\) (\S)/s.exec(readOr(`/proc/${name}/stat`))?.[1];
    if (mark === undefined || state === undefined || "ZXx".includes(state)) continue;
    const key = mark.slice(MARK.length);
    found.set(key, [...(found.get(key) ?? []), { pid: Number(name), state }]);
  }
  return found;
}

/** Kills what is left of the jobs of a farm whose service is dead, by the names of its attempts' folders. */
export function endLeft(folder: string): void {
  const engines = join(folder, "data", "engines");
  const all = processesOfAttempts();
  for (const pool of existsSync(engines) ? readdirSync(engines) : [])
    for (const key of readdirSync(join(engines, pool, "attempts")))
      for (const { pid } of all.get(key) ?? []) signalIfThere(pid, "SIGKILL");
}

/** Empty where it is gone, or somebody else's. */
function readOr(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** What of a job is not as it is told; null: all is. */
export function unlike(
  { id, number, state, attempt, suspendedAt }: JobView,
  all: ReadonlyMap<string, readonly Seen[]>,
): string | null {
  const isThere = state === "running" || state === "suspended" || state === "starting";
  const wrong: string[] = [];
  for (const [key, processes] of all) {
    if (!key.startsWith(`${id}.`)) continue;
    const text = `attempt ${key.split(".")[1]} has ${JSON.stringify(processes)}`;
    const isCurrent = isThere && key === `${id}.${attempt}`;
    if (!isCurrent) wrong.push(text);
    else if (state === "suspended" && processes.some((each) => !stands(each))) wrong.push(text);
    else if (state !== "suspended" && processes.some(stands)) wrong.push(text);
  }
  if (isThere && state !== "starting" && !all.has(`${id}.${attempt}`)) wrong.push("it has no process");
  if ((state === "suspended") !== (suspendedAt !== null)) wrong.push(`suspendedAt is ${suspendedAt}`);
  return wrong.length === 0 ? null : `job ${number} is told as ${state}: ${wrong.join("; ")}`;
}

function stands({ state }: Seen): boolean {
  return state === "T" || state === "t";
}

/** A job is late by so much at times, and on a full machine by what everybody is. */
const LATE_SECONDS = 1;
const BEAT_SECONDS = 0.1;

/** How late a process of this machine was at the most, which wants to run as often as a job counts. */
export class Lateness {
  seconds = 0;
  private readonly timer: NodeJS.Timeout;

  constructor() {
    let last = performance.now();
    this.timer = setInterval(() => {
      const now = performance.now();
      this.seconds = Math.max(this.seconds, (now - last) / 1000 - BEAT_SECONDS);
      last = now;
    }, BEAT_SECONDS * 1000);
  }

  end(): void {
    clearInterval(this.timer);
  }
}

/** A pause is known to within this. */
const EXACT_SECONDS = 2;

/**
 * Whether an attempt is told to have stood still as long as it has. It counted every tenth of a second.
 *
 * @param ticks when it counted, in seconds since 1970
 * @param late how late others were meanwhile
 */
export function stoodAs(
  { suspendedSeconds, startedAt, endedAt }: AttemptView,
  ticks: readonly number[],
  late: number,
): string | null {
  if (startedAt === null || endedAt === null) return null;
  const times = [Date.parse(startedAt) / 1000, ...ticks, Date.parse(endedAt) / 1000];
  const gaps = times.slice(1).map((at, before) => at - times[before]);
  const sum = (values: readonly number[]): number => values.reduce((one, other) => one + other, 0);
  const least = sum(gaps.map((gap) => Math.max(0, gap - LATE_SECONDS - late))) - EXACT_SECONDS;
  const most = sum(gaps.filter((gap) => gap > 0.15)) + EXACT_SECONDS;
  if (suspendedSeconds >= least && suspendedSeconds <= most) return null;
  const long = gaps.filter((gap) => gap > LATE_SECONDS).map((gap) => gap.toFixed(1));
  return `is told to have stood for ${suspendedSeconds.toFixed(1)} s, and did not count for ${long.join(", ") || "no time"}`;
}

const UNTOLD_SECONDS = 6;

/** A planted fault: all processes of some jobs stand still for a while, and nobody knows. */
export async function standUntold(jobs: ReadonlySet<string>): Promise<void> {
  const own = [...processesOfAttempts()].filter(([key]) => jobs.has(key.split(".")[0]));
  const pids = own.flatMap(([, processes]) => processes.map(({ pid }) => pid));
  for (const pid of pids) signalIfThere(pid, "SIGSTOP");
  await pause(1000 * UNTOLD_SECONDS);
  for (const pid of pids) signalIfThere(pid, "SIGCONT");
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // A short-lived one.
  }
}
