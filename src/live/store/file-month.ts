import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

import { workloadWriters } from "../../workload/index.ts";
import { readRequest } from "./job-request.ts";
import { MOVABLE, type Month } from "./archive.ts";
import type { Connection } from "./database.ts";
import { STOOD_SECONDS } from "./job-views.ts";
import { ranUnder, workloadOf, type PastJob } from "./history.ts";

/** Writes the file of a month: which jobs are to be deleted now. Those that never ran are not in it. */
export async function fileMonth(
  connection: Connection,
  { name, from, to, file }: Month & { readonly file: string },
): Promise<{ readonly jobs: number; readonly ranges: Float64Array }> {
  const jobs = jobsEndedIn(connection, from, to);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const parquet = workloadWriters.find((writer) => writer.name === "parquet")!;
  await parquet.write(workloadOf(jobs, name, ranUnder(connection)), file);
  chmodSync(file, 0o600);
  return { jobs: jobs.length, ranges: rangesOf(jobs) };
}

/** In order of number. A month may have millions: what they have in common is kept once. */
function jobsEndedIn(connection: Connection, from: number, to: number): PastJob[] {
  const texts = new Map<string, string>();
  const shared = (text: string): string => {
    const known = texts.get(text);
    if (known === undefined) texts.set(text, text);
    return known ?? text;
  };
  const millis = (value: unknown): number => Math.floor(Number(value) * 1000) / 1000;
  const jobs: PastJob[] = [];
  const rows = connection.iterateArrays(
    `SELECT number, user, pool, submitted_at, started_at, ended_at, time_seconds, priority, request,
       ${STOOD_SECONDS} FROM job
       WHERE ended_at >= ? AND ended_at < ? AND ${MOVABLE}`,
    from,
    to,
  );
  for (const [number, user, pool, submittedAt, startedAt, endedAt, time, priority, text, stood] of rows) {
    const { cores, memoryMiB, gpus, project, group, requires, licences } = readRequest(String(text));
    jobs.push({
      number: Number(number),
      user: shared(String(user)),
      pool: pool === null ? "" : shared(String(pool)),
      submittedAt: millis(submittedAt),
      startedAt: startedAt === null ? null : millis(startedAt),
      endedAt: millis(endedAt),
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
    });
  }
  return jobs.sort((a, b) => a.number - b.number);
}

function rangesOf(jobs: readonly PastJob[]): Float64Array {
  const ranges: number[] = [];
  for (const { number } of jobs)
    if (ranges.at(-1) === number - 1) ranges[ranges.length - 1] = number;
    else ranges.push(number, number);
  return Float64Array.from(ranges);
}
