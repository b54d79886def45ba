import type { Schedule } from "../../../../simulation/index.ts";
import type { CodedColumn, Workload } from "../../../../workload/index.ts";

/**
 * Tasks: sets of jobs of which all, or nearly all, have to complete before their result is of use (Zhang 2010, section
 * 2.2). No log says which jobs make up a task. Here they are the jobs of one user and project that ask for the same,
 * submitted within an hour of the first: at least two.
 */
export interface Tasks {
  /** The task of each row; -1: none. */
  readonly ofRow: Int32Array;
  readonly count: number;
}

/** From the first submission of a task's jobs to the completion of all of them, and of 95 % of them. */
export interface TaskFigures {
  readonly taskCompletionMeanMinutes: number | null;
  readonly taskMostlyCompleteMeanMinutes: number | null;
}

const SUBMITTED_WITHIN_SECONDS = 3600;
/** "A high percentage" (section 2.2). */
const MOSTLY = 0.95;

export function tasksOf(workload: Workload): Tasks {
  const { count, submitSeconds, coresMilli, memoryMiB, user, project, requires } = workload;
  const firstOf = new Map<string, { first: number; task: number }>();
  const firstRow: number[] = [];
  const group = new Int32Array(count);
  const size: number[] = [];
  const code = (column: CodedColumn | null, row: number): number => column?.codes[row] ?? -1;
  for (let row = 0; row < count; row++) {
    const alike = [
      code(user, row),
      code(project, row),
      code(requires, row),
      coresMilli[row],
      memoryMiB?.[row] ?? -1,
    ].join();
    let last = firstOf.get(alike);
    if (last === undefined || submitSeconds[row]! - submitSeconds[last.first]! > SUBMITTED_WITHIN_SECONDS) {
      last = { first: row, task: firstRow.push(row) - 1 };
      firstOf.set(alike, last);
    }
    group[row] = last.task;
    size[last.task] = (size[last.task] ?? 0) + 1;
  }
  let tasks = 0;
  const taskOf = size.map((jobs) => (jobs > 1 ? tasks++ : -1));
  return { ofRow: group.map((each) => taskOf[each]!), count: tasks };
}

/** Of a run. Tasks with a job that was rejected never complete, and are left out. */
export function taskFigures(
  { ofRow, count }: Tasks,
  { submitSeconds, startSeconds, endSeconds }: Schedule,
  runtimeSeconds: Float64Array,
): TaskFigures {
  const first = new Float64Array(count).fill(Infinity);
  const ends: number[][] = Array.from({ length: count }, () => []);
  ofRow.forEach((task, row) => {
    if (task < 0) return;
    first[task] = Math.min(first[task]!, submitSeconds[row]!);
    ends[task]!.push(endSeconds?.[row] ?? startSeconds[row]! + runtimeSeconds[row]!);
  });
  let complete = 0;
  let all = 0;
  let mostly = 0;
  ends.forEach((times, task) => {
    if (times.some(Number.isNaN)) return;
    times.sort((a, b) => a - b);
    complete++;
    all += times.at(-1)! - first[task]!;
    mostly += times[Math.ceil(MOSTLY * times.length) - 1]! - first[task]!;
  });
  const mean = (sum: number): number | null => (complete === 0 ? null : sum / complete / 60);
  return { taskCompletionMeanMinutes: mean(all), taskMostlyCompleteMeanMinutes: mean(mostly) };
}
