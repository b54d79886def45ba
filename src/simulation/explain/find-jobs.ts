import { InputError, type Farm, type Machines, type Workload } from "../../workload/index.ts";
import { kindsOfRun, limitOf } from "../settings/combinations.ts";
import { defaultSettings } from "../settings/settings.ts";
import { simulate, type GivenSettings } from "../simulate.ts";

/** A job as people name it: `4711`, or one of an array: `4711_3`, `4711[3]`, `4711.3`. */
const JOB_NAME = /^(\d+)(?:_(\d+)|\[(\d+)\]|\.(\d+))?$/;

/** Jobs of a log, or one of them where they are an array. */
export interface JobName {
  readonly number: number;
  readonly arrayIndex?: number;
}

/** @throws InputError where a text names no job */
export function parseJobName(text: string): JobName {
  const [, digits, ...places] = JOB_NAME.exec(text.trim()) ?? [];
  if (digits === undefined)
    throw new InputError(`"${text}" is no job: give its number in the log, or one of an array as in 4711_3`);
  const place = places.find((each) => each !== undefined);
  return { number: Number(digits), ...(place === undefined ? {} : { arrayIndex: Number(place) }) };
}

/**
 * The rows of the workload that a job's name means, in order of submission: several where jobs share a number, as those
 * of an array do and a job that was queued again.
 *
 * @throws InputError where there is none
 */
export function rowsOfJob({ number, arrayIndex: place }: JobName, workload: Workload): number[] {
  const { jobNumber, arrayIndex, count, name: log } = workload;
  const rows: number[] = [];
  if (jobNumber === null) {
    if (number >= 1 && number <= count) rows.push(number - 1);
  } else {
    for (let row = jobNumber.indexOf(number); row !== -1; row = jobNumber.indexOf(number, row + 1))
      rows.push(row);
  }
  const found = place === undefined ? rows : rows.filter((row) => arrayIndex?.[row] === place);
  if (found.length > 0) return found;
  const dropped = workload.notes
    .filter(({ what }) => what.startsWith("dropped: "))
    .reduce((sum, note) => sum + note.count, 0);
  throw new InputError(
    `workload ${log} has no job ${number}${place === undefined ? "" : `_${place}`}; ` +
      (count === 0
        ? "it has none"
        : rows.length > 0
          ? `job ${number} is there, but not that one of its array`
          : jobNumber === null
            ? `its jobs are 1 to ${count}`
            : `its first is ${jobNumber[0]}, its last ${jobNumber[count - 1]}`) +
      (dropped === 0 ? "" : `; rows of the log that were dropped, as they are no jobs that ran: ${dropped}`),
  );
}

/** @throws InputError where a run has no cycles of a pool to tell of */
export function refuseUnexplained(workload: Workload, on: Machines | Farm, settings: GivenSettings): void {
  const kinds = kindsOfRun(on, { ...defaultSettings, ...settings }, workload.nodeCpu !== undefined);
  const limit = limitOf("command", "explain", kinds);
  if (limit !== null && "refused" in limit) throw new InputError(`explain: ${limit.refused}`);
}

/** The rows of the jobs that waited longest in a run, the longest first; of equals the earlier. Rejected ones do not count. */
export function longestWaits(
  count: number,
  workload: Workload,
  on: Machines | Farm,
  settings: GivenSettings = {},
): number[] {
  refuseUnexplained(workload, on, settings);
  const { schedule, ...run } = simulate(workload, on, settings);
  const ledger = run.ledger!;
  const rows: number[] = [];
  for (let row = 0; row < workload.count; row++)
    if (!Number.isNaN(schedule.startSeconds[row])) rows.push(row);
  return rows.sort((a, b) => ledger.waitOf(b) - ledger.waitOf(a) || a - b).slice(0, count);
}
