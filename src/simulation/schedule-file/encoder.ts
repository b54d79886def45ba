import type { Schedule } from "../schedule.ts";

/** What tells the runs of one file apart, a column each, before the others: `{ policy: "mix-fit", load: 0.95 }`. */
export type RunLabels = Readonly<Record<string, string | number>>;

/** Turns the rows of schedules into a file's bytes, a part at a time. */
export interface ScheduleEncoder {
  /** @param labels the same names for every run of a file */
  encode(schedule: Schedule, labels: RunLabels): AsyncGenerator<Uint8Array>;
  /** What the file ends with. */
  finish(): Promise<Uint8Array>;
}
