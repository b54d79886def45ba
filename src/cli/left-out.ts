import { counted, formatCount } from "../report/index.ts";
import type { Workload } from "../workload/index.ts";
import { say } from "./terminal.ts";

/** Notes that begin so tell of rows that are no jobs of the workload. */
const LEFT_OUT = /^(dropped|left out|skipped): /;

/** Prints on standard error how many rows of the log are no jobs of the workload, where there are several reasons. */
export function sayLeftOut(workload: Workload): void {
  const text = leftOutText(workload);
  if (text !== null) say(`${workload.name}: ${text}`);
}

/**
 * What of the log is no job of the workload, by reason, in one line; null for one reason or none. It is counted beside the
 * jobs and not as a part of all lines, of which several may tell of one job.
 */
export function leftOutText({ count, notes }: Pick<Workload, "count" | "notes">): string | null {
  const reasons = notes.filter(({ what }) => LEFT_OUT.test(what));
  if (reasons.length < 2) return null;
  const rows = reasons.reduce((sum, note) => sum + note.count, 0);
  const counts = reasons
    .toSorted((a, b) => b.count - a.count)
    .map((note) => `${note.what.replace(LEFT_OUT, "")} (${formatCount(note.count)})`);
  return `left out in all: ${formatCount(rows)}, beside ${counted(count, "job")} that ${count === 1 ? "is" : "are"} kept: ${counts.join("; ")}`;
}
