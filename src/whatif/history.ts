import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { readRequest } from "../live/store/job-request.ts";
import type { Connection } from "../live/store/connection.ts";
import { workloadOf, type PastJob } from "../live/store/history.ts";
import { STOOD_SECONDS } from "../live/store/job-views.ts";
import type { FailureSettings } from "../simulation/index.ts";
import { InputError, readWorkload, type CodedColumn, type Farm, type Workload } from "../workload/index.ts";
import { farmOfPlain } from "./farm-of-plain.ts";
import { JournalJobs, type Closing, type JournalJob } from "./journal-jobs.ts";
import { replayPast, type ReplayCheck } from "./replay.ts";

/** A live farm's past, as runs are made of it. */
export interface History {
  readonly check: ReplayCheck;
  readonly workload: Workload;
  /** The farm as it is set up now. */
  readonly farm: Farm;
  /** The same with the names of the machines, for other farms' outages. */
  readonly closings: readonly Closing[];
  readonly counts: HistoryCounts;
  /** The policies that were in force, pool by pool, the last one last. */
  readonly policies: readonly string[];
}

export interface HistoryCounts {
  readonly jobs: number;
  /** Jobs of months that are filed. */
  readonly filed: number;
  /** Jobs that have started and not ended: their run times are cut off at the end of the history. */
  readonly censored: number;
  /** Jobs that were cancelled, and are so in every run. */
  readonly cancelled: number;
  /** Jobs left out, since nobody knows how long they would have run. */
  readonly leftOut: number;
  /** Jobs whose run times may have suspensions in them: the journal does not go back to them. */
  readonly beyondJournal: number;
  /** Jobs that were there when the history begins; they run, and are in no figure. */
  readonly carried: number;
  /** Machines that became larger or smaller, which no run follows. */
  readonly resized: number;
}

const DAY_SECONDS = 86_400;
/** A job takes about a kilobyte until all are columns. */
const MOST_JOBS = 3_000_000;

/** A job of the past with what a log does not tell. */
type FullJob = PastJob & {
  readonly cancelAfter: number;
  readonly asked: string;
  /** As exactly as it is known; absent: from its start to its end. */
  readonly ranSeconds?: number;
};

/** So long before the history begins those are submitted that were there then. */
export const CARRIED_SECONDS = 1;

/**
 * Reads the jobs of a farm, from its database and its filed months, replays its journal, and makes a workload of both.
 *
 * @param sinceSeconds jobs that were over before this time, in seconds since 1970, are left out
 */
export async function readHistory(connection: Connection, sinceSeconds = -Infinity): Promise<History> {
  const journal = new JournalJobs();
  const counts = { jobs: 0, filed: 0, censored: 0, cancelled: 0, leftOut: 0, beyondJournal: 0, carried: 0 };
  const stored: FullJob[] = [];
  const { check, farm: plain } = connection.together(() => {
    const replayed = replayPast(connection, journal);
    const { at } = replayed;
    for (const row of storedJobs(connection)) {
      const known = journal.jobs.get(row.number);
      const job = known === undefined ? withoutJournal(row, at) : withJournal(row, known, at);
      if (job === null) {
        counts.leftOut++;
        continue;
      }
      if (job.endedAt! < sinceSeconds) continue;
      if (known === undefined) counts.beyondJournal++;
      if (row.endedAt === null) counts.censored++;
      if (!Number.isNaN(job.cancelAfter)) counts.cancelled++;
      stored.push(job);
      if (stored.length > MOST_JOBS)
        throw new InputError(
          `it has more than ${MOST_JOBS} jobs, which are kept in memory: take less of it with --since 30d`,
          { file: connection.path },
        );
    }
    return replayed;
  });
  // A month may have been filed since, or its rows are being deleted.
  const numbers = new Set(stored.map(({ number }) => number));
  const filed = (await filedJobs(connection, sinceSeconds)).filter(({ number }) => !numbers.has(number));
  counts.filed = filed.length;
  counts.beyondJournal += filed.length;
  const jobs = [...filed, ...stored];
  const present = jobs.map((job) => {
    if (job.submittedAt >= sinceSeconds) return job;
    counts.carried++;
    return carriedInto(job, sinceSeconds);
  });
  counts.jobs = present.length;
  if (present.length === 0)
    throw new InputError(
      "no job has run yet in the time that is asked for: there is nothing to try policies on",
      {
        file: connection.path,
      },
    );
  const farm = farmOfPlain(plain);
  return {
    check,
    workload: asWorkload(present, farm),
    farm,
    closings: journal.closings,
    counts: { ...counts, resized: journal.resized },
    policies: policiesOf(journal),
  };
}

function policiesOf({ farms }: JournalJobs): string[] {
  const names = farms.map(({ pools }) => [...new Set(pools.map(({ policy }) => policy))].join(", "));
  return names.filter((name, at) => name !== names[at - 1]);
}

/** As the journal has it: what it ran is of its last attempt, without the times that it was suspended. */
function withJournal(row: FullJob, known: JournalJob, at: number): FullJob | null {
  const { readyAt, startedAt, cancelledAt, isHeld } = known;
  const cancelAfter = cancelledAt - readyAt;
  if (Number.isNaN(startedAt)) {
    // How long it would have run nobody knows: until it was cancelled, where it starts before that.
    if (Number.isNaN(cancelledAt) || isHeld || cancelAfter === 0) return null;
    return {
      ...row,
      submittedAt: readyAt,
      startedAt: readyAt,
      endedAt: cancelledAt,
      suspendedSeconds: 0,
      cancelAfter,
    };
  }
  const ran = JournalJobs.ranBy(known, at);
  return {
    ...row,
    submittedAt: readyAt,
    startedAt,
    endedAt: startedAt + ran,
    suspendedSeconds: 0,
    ranSeconds: ran,
    cancelAfter,
  };
}

/** As its row has it: from its last start to its end, without the times that it was suspended, if they are known. */
function withoutJournal(row: FullJob, at: number): FullJob | null {
  if (row.startedAt === null) return null;
  const endedAt = row.endedAt ?? Math.max(at, row.startedAt);
  return { ...row, endedAt: Math.max(row.startedAt, endedAt - row.suspendedSeconds), suspendedSeconds: 0 };
}

/** It is there from the beginning on, with what it has still to do. */
function carriedInto(job: FullJob, since: number): FullJob {
  const submittedAt = since - CARRIED_SECONDS;
  const { ranSeconds: _ranSeconds, ...rest } = job;
  const { startedAt, endedAt, cancelAfter } = rest;
  const start = Math.max(submittedAt, startedAt!);
  const done = Math.max(0, since - startedAt!);
  return {
    ...rest,
    submittedAt,
    startedAt: start,
    endedAt: start + Math.max(0, endedAt! - startedAt! - done),
    cancelAfter: cancelAfter - (submittedAt - job.submittedAt),
  };
}

function* storedJobs(connection: Connection): Generator<FullJob> {
  const rows = connection.iterateArrays(
    `SELECT number, user, pool, submitted_at, started_at, ended_at, time_seconds, priority, request, ${STOOD_SECONDS} FROM job ORDER BY number`,
  );
  const texts = new Map<string, string>();
  const shared = (text: string): string => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
  for (const [number, user, pool, submittedAt, startedAt, endedAt, time, priority, text, stood] of rows) {
    const request = readRequest(String(text));
    const { cores, memoryMiB, gpus, project, group, requires, licences } = request;
    yield {
      number: Number(number),
      user: shared(String(user)),
      pool: pool === null ? "" : shared(String(pool)),
      submittedAt: Number(submittedAt),
      startedAt: startedAt === null ? null : Number(startedAt),
      endedAt: endedAt === null ? null : Number(endedAt),
      suspendedSeconds: Number(stood ?? 0),
      timeSeconds: time === null ? null : Number(time),
      priority: Number(priority),
      cores,
      memoryMiB,
      gpus,
      project: shared(project),
      group: shared(group),
      requires: shared(requires),
      licences: shared(licences),
      cancelAfter: NaN,
      asked: request.pool === null ? "" : shared(request.pool),
    };
  }
}

/** The jobs of the months that were moved into files: in `history`, beside the database. */
async function filedJobs(connection: Connection, since: number): Promise<FullJob[]> {
  const folder = join(dirname(connection.path), "history");
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".parquet"));
  const months = await Promise.all(names.sort().map((name) => readWorkload(join(folder, name))));
  return months.flatMap((month) => jobsOfMonth(month, since));
}

function jobsOfMonth(month: Workload, since: number): FullJob[] {
  const { count, submitSeconds, runtimeSeconds, recordedWaitSeconds, coresMilli, farm } = month;
  const start = farm?.unixStartSeconds ?? 0;
  const text = (column: CodedColumn | null | undefined, row: number): string =>
    column == null ? "" : column.names[column.codes[row]!]!;
  const jobs: FullJob[] = [];
  for (let row = 0; row < count; row++) {
    const submittedAt = start + submitSeconds[row]!;
    const startedAt = submittedAt + (recordedWaitSeconds?.[row] ?? 0);
    const endedAt = startedAt + runtimeSeconds[row]!;
    if (endedAt < since) continue;
    const estimate = month.estimateSeconds?.[row] ?? NaN;
    jobs.push({
      number: month.jobNumber?.[row] ?? row + 1,
      user: text(month.user, row),
      pool: text(month.queue, row),
      submittedAt,
      startedAt,
      endedAt,
      suspendedSeconds: 0,
      timeSeconds: Number.isNaN(estimate) ? null : estimate,
      priority: month.priority?.[row] ?? 0,
      cores: coresMilli[row]! / 1000,
      memoryMiB: month.memoryMiB?.[row] ?? 0,
      gpus: (month.gpuMilli?.[row] ?? 0) / 1000,
      project: text(month.project, row),
      group: text(month.group, row),
      requires: text(month.requires, row),
      licences: text(month.licences, row),
      cancelAfter: NaN,
      asked: "",
    });
  }
  return jobs;
}

function asWorkload(jobs: readonly FullJob[], farm: Farm): Workload {
  const workload = workloadOf(jobs, "the farm's past", null);
  const byNumber = new Map(jobs.map((job) => [job.number, job]));
  const order = Array.from(workload.jobNumber!, (number) => byNumber.get(number)!);
  const pools = new Set(farm.pools.map(({ name }) => name));
  const virtual = new Set(farm.virtualPools.map(({ name }) => name));
  // A live farm sends a job that names a pool through a virtual pool that is connected to it; the first is anybody's.
  const entries = new Map<string, string>();
  for (const { name, pools: connected } of farm.virtualPools.slice(1).toReversed())
    for (const pool of connected) entries.set(farm.pools[pool]!.name, name);
  for (const pool of farm.virtualPools[0]?.pools ?? []) entries.delete(farm.pools[pool]!.name);
  const isCancelled = order.some(({ cancelAfter }) => !Number.isNaN(cancelAfter));
  // Exact, where a log has whole milliseconds: only so do the same decisions follow. The farm's cycles are at multiples of their interval on its clock: so they are on the log's, which begins with a day.
  const start = workload.farm?.unixStartSeconds ?? 0;
  const day = Math.floor(start / DAY_SECONDS) * DAY_SECONDS;
  return {
    ...workload,
    submitSeconds: Float64Array.from(order, ({ submittedAt }) => submittedAt - day),
    runtimeSeconds: Float64Array.from(
      order,
      ({ startedAt, endedAt, ranSeconds }) => ranSeconds ?? Math.max(0, endedAt! - startedAt!),
    ),
    recordedWaitSeconds: Float64Array.from(order, ({ submittedAt, startedAt }) =>
      Math.max(0, startedAt! - submittedAt),
    ),
    farm: { unixStartSeconds: day },
    format: "croft",
    site: coded(order, ({ asked }) => (virtual.has(asked) ? asked : (entries.get(asked) ?? ""))),
    pools: coded(order, ({ asked }) => (!virtual.has(asked) && pools.has(asked) ? asked : "")),
    ...(isCancelled
      ? { cancelAfterSeconds: Float64Array.from(order, ({ cancelAfter }) => cancelAfter) }
      : {}),
  };
}

function coded(jobs: readonly FullJob[], of: (job: FullJob) => string): CodedColumn | null {
  const codes = new Map<string, number>([["", 0]]);
  const column = Int32Array.from(jobs, (job) => {
    const name = of(job);
    const code = codes.get(name) ?? codes.size;
    codes.set(name, code);
    return code;
  });
  return codes.size === 1 ? null : { names: [...codes.keys()], codes: column };
}

/**
 * The times in which machines took nothing new, on a farm: a machine of another name, or a pool that is not there, has
 * none.
 *
 * @param history whose clock the workload's is
 */
export function outagesOn(farm: Farm, { closings, workload, check }: History): FailureSettings | null {
  const start = workload.farm?.unixStartSeconds ?? 0;
  const numbers = new Map<string, number>();
  let number = 0;
  for (const { name, groups } of farm.pools)
    for (const [at, group] of groups.entries())
      for (let copy = 0; copy < group.count; copy++) {
        const machine = group.names?.[copy] ?? defaultName(name, groups.length, at, group.count, copy);
        numbers.set(`${name}/${machine}`, number++);
      }
  const outages = closings.flatMap(({ pool, machine, from, until }) => {
    const place = numbers.get(`${pool}/${machine}`);
    const up = Math.min(until, check.until ?? until) - start;
    return place === undefined || !(up > from - start) || up <= 0
      ? []
      : [{ machine: place, downSeconds: from - start, upSeconds: up, isDrain: true as const }];
  });
  return outages.length === 0 ? null : { kind: "listed", outages };
}

/** As a live farm names the machines of a file that gives them no names. */
function defaultName(pool: string, groups: number, group: number, count: number, copy: number): string {
  const name = groups === 1 ? pool : `${pool}-${group + 1}`;
  return count === 1 ? name : `${name}-${copy + 1}`;
}
