import { parseDate } from "./dates.ts";
import { InputError } from "./errors.ts";
import { rowsOf } from "./rows.ts";
import type { Workload } from "./workload.ts";

/**
 * The jobs submitted at a time or later.
 *
 * @param seconds on the log's own clock
 * @throws InputError if there are none
 */
export function workloadFrom(workload: Workload, seconds: number): Workload {
  const { submitSeconds } = workload;
  let first = 0;
  while (first < workload.count && submitSeconds[first]! < seconds) first++;
  if (first === 0) return workload;
  if (first === workload.count) {
    throw new InputError(
      `no job of workload ${workload.name} comes at ${seconds} s or later; the last comes at ${submitSeconds[first - 1]} s`,
    );
  }
  const rest = rowsOf(workload, first, workload.count);
  return {
    ...rest,
    notes: [...workload.notes, { what: `left out: submitted before ${seconds} s`, count: first }],
  };
}

/**
 * The jobs submitted at a time or earlier.
 *
 * @param seconds on the log's own clock
 * @throws InputError if there are none
 */
export function workloadTo(workload: Workload, seconds: number): Workload {
  const { submitSeconds, count } = workload;
  let end = count;
  while (end > 0 && submitSeconds[end - 1]! > seconds) end--;
  if (end === count) return workload;
  if (end === 0) {
    throw new InputError(
      `no job of workload ${workload.name} comes at ${seconds} s or earlier; the first comes at ${submitSeconds[0]} s`,
    );
  }
  const rest = rowsOf(workload, 0, end);
  return {
    ...rest,
    notes: [...workload.notes, { what: `left out: submitted after ${seconds} s`, count: count - end }],
  };
}

/**
 * A time on a log's clock: seconds as the clock counts them, or a date (in UTC unless it has a zone).
 *
 * @throws InputError if it is neither
 */
export function timeOnLog(text: string, workload: Workload): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  const isDate = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const hasZone = /(Z|[+-]\d\d:?\d\d)$/.test(text.slice(10));
  const iso = text.length === 10 ? `${text}T00:00Z` : `${text.replace(" ", "T")}${hasZone ? "" : "Z"}`;
  const milliseconds = isDate ? parseDate(iso) : NaN;
  if (Number.isNaN(milliseconds)) {
    throw new InputError(
      `"${text}" is not a time: give seconds on the log's clock, or a date as in 2013-11-05${beginOf(workload)}`,
    );
  }
  return milliseconds / 1000 - (workload.farm?.unixStartSeconds ?? 0);
}

/** Where a log begins, so that "five days" can be given as a time. */
function beginOf({ submitSeconds, farm }: Workload): string {
  const first = submitSeconds[0];
  if (first === undefined) return "";
  const start = farm?.unixStartSeconds;
  const date = new Date(((start ?? 0) + first) * 1000);
  if (start === undefined || Number.isNaN(date.getTime())) return `; its first job comes at ${first} s`;
  return `; its first job comes at ${first} s, ${date.toISOString().slice(0, 19)}Z`;
}
