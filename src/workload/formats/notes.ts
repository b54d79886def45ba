import type { WorkloadNote } from "../workload.ts";

/** Counts what a reader repairs, drops or overrides: nothing is mended in silence. */
export class Notes {
  private readonly counts = new Map<string, { count: number; firstLine: number }>();

  /** One more line, or `count` more, to which `what` was done; `line` is the first of them. */
  add(what: string, line: number, count = 1): void {
    const note = this.counts.get(what);
    if (note === undefined) this.counts.set(what, { count, firstLine: line });
    else note.count += count;
  }

  list(): WorkloadNote[] {
    return Array.from(this.counts, ([what, { count, firstLine }]) => ({ what, count, firstLine }));
  }
}
