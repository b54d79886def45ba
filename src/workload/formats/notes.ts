import type { WorkloadNote } from "../workload.ts";

/** Counts what a reader repairs, drops or overrides, so that none of it is silent. */
export class Notes {
  private readonly counts = new Map<string, Omit<WorkloadNote, "count"> & { count: number }>();

  /**
   * Adds one line, or `count` lines, to which `what` was done.
   *
   * @param line the first of them, null if it is not known
   * @param more what else is known of the first
   */
  add(
    what: string,
    line: number | null,
    count = 1,
    more?: Pick<WorkloadNote, "example" | "isUnreadable">,
  ): void {
    const note = this.counts.get(what);
    if (note !== undefined) note.count += count;
    else this.counts.set(what, { what, count, ...(line === null ? {} : { firstLine: line }), ...more });
  }

  list(): WorkloadNote[] {
    return Array.from(this.counts.values(), (note) => ({ ...note }));
  }
}
