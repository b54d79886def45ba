import { spelledOut } from "../any-workload.fixture.ts";
import { textSource } from "../input/text.fixture.ts";
import type { Workload } from "../workload.ts";
import type { ReadOptions, WorkloadFormat } from "./format.ts";

/** A job as a test speaks of it; what the log does not say is left out. */
export type Job = Readonly<Record<string, string | number>>;

const unknowns: ReadonlySet<unknown> = new Set(["", "unknown"]);

/** The jobs of a workload, one object each, without what is not known of them. */
export function jobsOf(workload: Workload): Job[] {
  const columns = Object.entries(spelledOut(workload)).filter(
    ([name, values]) => Array.isArray(values) && name !== "notes",
  ) as [string, (string | number)[]][];
  return Array.from({ length: workload.count }, (_, row) => {
    const fields = columns.map(([name, values]): [string, string | number] => [name, values[row]]);
    return Object.fromEntries(
      fields.filter(
        ([name, value]) =>
          !unknowns.has(value) && !Number.isNaN(value) && !(name === "arrayIndex" && value === -1),
      ),
    );
  });
}

/** What was noted, as `what: count`. */
export function notesOf({ notes }: Workload): string[] {
  return notes.map(({ what, count }) => `${what}: ${count}`);
}

/** Reads lines, each ended by a line break, in a format. */
export function readLinesAs(
  format: WorkloadFormat,
  lines: readonly string[],
  options?: ReadOptions,
): Promise<Workload> {
  return format.read(textSource("log", ...lines, ""), options);
}

export function without(job: Job, field: string): Job {
  return Object.fromEntries(Object.entries(job).filter(([name]) => name !== field));
}
