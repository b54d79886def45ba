import type { WorkloadNote } from "../workload.ts";

/** Counts what a reader repairs, drops or overrides: nothing is mended in silence. */
export class Notes {
  readonly #counts = new Map<string, { count: number; firstLine: number | null }>();

  /** One more line, or `count` more, to which `what` was done; `line` is the first of them, null where that is not known. */
  add(what: string, line: number | null, count = 1): void {
    const note = this.#counts.get(what);
    if (note === undefined) this.#counts.set(what, { count, firstLine: line });
    else note.count += count;
  }

  list(): WorkloadNote[] {
    return Array.from(this.#counts, ([what, { count, firstLine }]) => ({
      what,
      count,
      ...(firstLine === null ? {} : { firstLine }),
    }));
  }
}
