import type { ByteSource } from "../../input/bytes.ts";
import { decodeText } from "../../input/text.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { PbsJobs } from "./jobs.ts";
import { OutstandingJobs } from "./outstanding.ts";
import { PbsRecord } from "./record.ts";
import { PbsRuns } from "./runs.ts";

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
  return jobs.finish();
}

/**
 * Takes the records of accounting files.
 *
 * A record `E` is a job that ended. `R` is a run after which the job went back to the queue; it counts as a job of its
 * own, and the next run waits from then on. `Q`, `S`, `D` and `A` only tell of jobs that have no end in the log.
 */
class Records {
  private readonly jobs: RecordedJobs;
  private readonly record = new PbsRecord();
  private readonly outstanding = new OutstandingJobs();
  private readonly runs: PbsRuns;
  private readonly pbsJobs: PbsJobs;

  constructor(jobs: RecordedJobs) {
    this.jobs = jobs;
    this.runs = new PbsRuns(jobs, this.outstanding);
    this.pbsJobs = new PbsJobs(jobs, this.record, this.runs);
    jobs.builder.expectRepeats(this.runs);
  }

  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    const { record, outstanding } = this;
    const { builder } = this.jobs;
    if (!record.read(bytes, start, end)) {
      builder.bad("a line that is no record: date;type;id;message", line);
      return;
    }
    const { type } = record;
    const isEnd = type === LETTER.E || type === LETTER.R;
    if (!isEnd && type !== LETTER.Q && type !== LETTER.S && type !== LETTER.D && type !== LETTER.A) {
      builder.notes.add("left out: records that are not of a job's way through the queue", line);
    } else if (record.isWholeArray) {
      builder.notes.add("left out: records of arrays as a whole", line);
    } else if (Number.isNaN(record.jobNumber)) {
      builder.bad("no job number", line);
    } else if (isEnd) {
      this.readEnd(line);
    } else if (type === LETTER.Q || type === LETTER.S) {
      outstanding.reached(record.key(), type === LETTER.Q ? "queued" : "started", record.wallSeconds(), line);
    } else {
      outstanding.deleted(record.key(), record.wallSeconds(), line);
    }
  }

  private readEnd(line: number): void {
    const { record, outstanding, pbsJobs } = this;
    const { builder, instants } = this.jobs;
    record.readMessage();
    const endSeconds = record.has("end") ? record.number("end") : Number.NaN;
    if (record.type === LETTER.E) {
      outstanding.ended(record.key());
      if (!pbsJobs.add(endSeconds, false, line)) outstanding.endedWithoutRow(record.key());
      return;
    }
    const requeuedSeconds = endSeconds >= 0 ? endSeconds : instants.onWall(record.wallSeconds());
    if (record.has("start")) pbsJobs.add(requeuedSeconds, true, line);
    else builder.notes.add("dropped: a run that ended in the queue again, of which only that is told", line);
    this.runs.requeued(record.key(), requeuedSeconds);
    outstanding.reached(record.key(), "requeued", record.wallSeconds(), line);
  }
}
