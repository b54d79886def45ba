import type { ByteSource } from "../../input/bytes.ts";
import { decodeText } from "../../input/text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { PbsJobs } from "./jobs.ts";
import { OutstandingJobs } from "./outstanding.ts";
import { PbsRecord } from "./record.ts";

const LETTER = { A: 65, D: 68, E: 69, Q: 81, R: 82, S: 83 } as const;

export const pbs: WorkloadFormat = {
  name: "pbs",
  summary: "accounting files of OpenPBS, PBS Pro and Torque",
  uses: ["jobShape", "timeZone"],
  matches: (_fileName, firstBytes) =>
    /^([^\s:;]*:|\s*)\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d(\.\d+)?;[A-Za-z];[^;\n]*;/m.test(
      decodeText(firstBytes, 0, firstBytes.length),
    ),
  read,
};

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  const records = new Records(jobs);
  await jobs.readLines(records);
  records.end();
  return jobs.finish();
}

/**
 * Takes the records of accounting files.
 *
 * A record `E` is a job that ended. `R` is a run after which the job went back to the queue; it counts as a job of its
 * own, and the next run waits from then on. `Q`, `S`, `D` and `A` only tell of jobs that never ran.
 */
class Records {
  private readonly jobs: RecordedJobs;
  private readonly record = new PbsRecord();
  private readonly outstanding = new OutstandingJobs();
  private readonly pbsJobs: PbsJobs;

  constructor(jobs: RecordedJobs) {
    this.jobs = jobs;
    this.pbsJobs = new PbsJobs(jobs, this.record);
  }

  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    const { record, outstanding } = this;
    const { builder } = this.jobs;
    if (!record.read(bytes, start, end)) {
      builder.bad("a line that is no record: date;type;id;message", line);
      return;
    }
    const { type, jobNumber: number, arrayIndex: index } = record;
    const isEnd = type === LETTER.E || type === LETTER.R;
    if (!isEnd && type !== LETTER.Q && type !== LETTER.S && type !== LETTER.D && type !== LETTER.A) {
      builder.notes.add("left out: records that are not of a job's way through the queue", line);
    } else if (record.isWholeArray) {
      builder.notes.add("left out: records of arrays as a whole", line);
    } else if (Number.isNaN(number)) {
      builder.bad("no job number", line);
    } else if (type === LETTER.Q) {
      outstanding.queued(number, index, line);
    } else if (type === LETTER.S) {
      outstanding.started(number, index, line);
    } else if (!isEnd) {
      outstanding.deleted(number, index, line);
    } else {
      this.readEnd(line);
    }
  }

  /** To be called after the last line. */
  end(): void {
    this.outstanding.noteAll(this.jobs.builder.notes);
  }

  private readEnd(line: number): void {
    const { record, outstanding, pbsJobs } = this;
    const { builder, instants } = this.jobs;
    const { jobNumber: number, arrayIndex: index } = record;
    record.readMessage();
    const since = outstanding.ended(number, index);
    const endSeconds = record.has("end") ? record.number("end") : Number.NaN;
    if (record.type === LETTER.E) {
      pbsJobs.add(since, endSeconds, line);
      return;
    }
    const requeuedSeconds = endSeconds >= 0 ? endSeconds : instants.onWall(record.wallSeconds());
    if (record.has("start")) pbsJobs.add(since, requeuedSeconds, line);
    else builder.notes.add("dropped: a run that ended in the queue again, of which only that is told", line);
    outstanding.requeued(number, index, line, requeuedSeconds);
  }
}
