import type { WorkloadBuilder } from "./builder.ts";

/** Statuses of SWF 2.2: a part of a job that goes on, the last part of one that completed, and of one that failed. */
const GOES_ON = 2;
const LAST_STATUS = 4;
/** Other statuses that the standard has: unknown, failed, completed and cancelled. */
const LEAST_STATUS = -1;
const MOST_STATUS = 5;

/** A line of a log. */
interface Line {
  readonly fields: Float64Array;
  readonly line: number;
}

/** The places of the fields that matter for parts. */
interface Places {
  readonly job: number;
  readonly submit: number;
  readonly run: number;
  readonly processors: number;
  readonly status: number;
}

/**
 * The lines of an SWF log that are parts of preempted jobs.
 *
 * The standard writes a job's summary first, then a line for each part; only the first part has a time of submission.
 * Logs with `Preemption: Yes` have the parts without a summary. So parts are kept aside until the log has been read: then
 * it is known which have a summary, wherever it stands.
 */
export class SwfParts {
  private readonly places: Places;
  /** The lines by the job's number. */
  private readonly lines = new Map<number, Line[]>();
  /** Jobs whose own lines were dropped. */
  private readonly dropped = new Set<number>();
  /** Whether the log's statuses are other codes than the standard's, such as exit codes. */
  private hasOtherCodes = false;

  constructor(places: Places) {
    this.places = places;
  }

  /** Whether the line is a part, which is then kept aside. */
  take(fields: Float64Array, line: number): boolean {
    const status = fields[this.places.status]!;
    if (status < LEAST_STATUS || status > MOST_STATUS) this.hasOtherCodes = true;
    if (status < GOES_ON || status > LAST_STATUS) return false;
    const number = fields[this.places.job]!;
    const known = this.lines.get(number);
    const part = { fields: fields.slice(), line };
    if (known === undefined) this.lines.set(number, [part]);
    else known.push(part);
    return true;
  }

  /** To be called for a line that is no part and was dropped: its parts are then no jobs either. */
  noteDropped(number: number): void {
    this.dropped.add(number);
  }

  /**
   * Adds the jobs that have no summary, each as one job that runs for the sum of its parts.
   *
   * @param fields where `add` reads a line's fields from
   */
  finish(builder: WorkloadBuilder, fields: Float64Array, add: (line: number) => void): void {
    const { lines, dropped } = this;
    if (lines.size === 0) return;
    if (this.hasOtherCodes) {
      this.addEach(builder, fields, add);
      return;
    }
    const summarised = new Map<number, Set<number>>();
    builder.eachJob((number, submitSeconds) => {
      if (!lines.has(number)) return;
      const times = summarised.get(number);
      if (times === undefined) summarised.set(number, new Set([submitSeconds]));
      else times.add(submitSeconds);
    });
    for (const [number, all] of lines) {
      const times = summarised.get(number);
      for (const parts of this.bySubmission(all)) {
        const submitSeconds = parts[0]!.fields[this.places.submit]!;
        const isKnown = submitSeconds === -1 ? times !== undefined : times?.has(submitSeconds) === true;
        if (isKnown || dropped.has(number)) {
          const what = "left out: parts of preempted jobs, whose summary lines count";
          builder.notes.add(what, parts[0]!.line, parts.length);
        } else this.addJoined(builder, parts, fields, add);
      }
    }
  }

  /** The parts of each job of one number, the one with the submission first. */
  private bySubmission(lines: readonly Line[]): readonly Line[][] {
    const jobs = new Map<number, Line[]>();
    const loose: Line[] = [];
    let last = loose;
    for (const each of lines) {
      const submitSeconds = each.fields[this.places.submit]!;
      // A part without a submission goes on with the job above it.
      if (submitSeconds !== -1) {
        last = jobs.get(submitSeconds) ?? [];
        jobs.set(submitSeconds, last);
      }
      last.push(each);
    }
    const [first] = jobs.values();
    if (first === undefined) return [loose];
    for (const each of loose) first.push(each);
    return [...jobs.values()];
  }

  private addJoined(
    builder: WorkloadBuilder,
    parts: readonly Line[],
    fields: Float64Array,
    add: (line: number) => void,
  ): void {
    const { submit, run, processors, status } = this.places;
    const { notes } = builder;
    const [first] = parts;
    if (first!.fields[submit] === -1) {
      const what = "dropped: parts of a preempted job without the first, which has the submission";
      notes.add(what, first!.line, parts.length);
      return;
    }
    fields.set(first!.fields);
    const told = parts.map((part) => part.fields[run]!).filter((seconds) => seconds >= 0);
    if (told.length > 0) fields[run] = told.reduce((sum, seconds) => sum + seconds, 0);
    if (parts.length > 1)
      notes.add("read: parts of preempted jobs, as one job each", first!.line, parts.length);
    if (parts.every((part) => part.fields[status] === GOES_ON))
      notes.add("kept: what a preempted job ran, although the log lacks its last part", first!.line);
    if (parts.some((part) => part.fields[processors] !== fields[processors]))
      notes.add(
        "kept: the processors of a preempted job's first part, although others had other numbers",
        first!.line,
      );
    add(first!.line);
  }

  /** In a log of other codes none is a part. */
  private addEach(builder: WorkloadBuilder, fields: Float64Array, add: (line: number) => void): void {
    const inOrder = [...this.lines.values()].flat().sort((a, b) => a.line - b.line);
    builder.notes.add(
      "read: statuses 2, 3 and 4 as those of whole jobs, as the log has statuses that SWF does not know",
      inOrder[0]!.line,
      inOrder.length,
    );
    for (const each of inOrder) {
      fields.set(each.fields);
      add(each.line);
    }
  }
}
