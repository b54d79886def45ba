import type { CodedColumn, Workload } from "../../../workload/index.ts";

const WEEK_SECONDS = 7 * 86_400;

/** A log's weeks, counted from its first submission, each with at least so many jobs. */
export function weeksOf(workload: Workload, leastJobs: number): Workload[] {
  const { submitSeconds, count } = workload;
  const weeks: Workload[] = [];
  for (let from = 0; from < count;) {
    const week = Math.floor((submitSeconds[from]! - submitSeconds[0]!) / WEEK_SECONDS);
    const end = submitSeconds[0]! + (week + 1) * WEEK_SECONDS;
    let to = from;
    while (to < count && submitSeconds[to]! < end) to++;
    if (to - from >= leastJobs) weeks.push(slice(workload, from, to, `week ${week + 1}`));
    from = to;
  }
  return weeks;
}

function slice(workload: Workload, from: number, to: number, name: string): Workload {
  const cut = (value: unknown): unknown => {
    if (ArrayBuffer.isView(value)) return (value as Float64Array).slice(from, to);
    if (value !== null && typeof value === "object" && "codes" in value) {
      const { codes, names } = value as CodedColumn;
      return { codes: codes.slice(from, to), names };
    }
    return value;
  };
  const columns = Object.entries(workload).map(([key, value]) => [key, cut(value)]);
  return { ...(Object.fromEntries(columns) as Workload), name, count: to - from };
}
