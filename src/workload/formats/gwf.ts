import type { ByteSource } from "../input/bytes.ts";
import { Fields, MAX_FIELDS } from "../input/fields.ts";
import { epochSeconds } from "../input/instants.ts";
import { readLinesBy } from "../input/lines.ts";
import type { LineReader } from "../input/lines.ts";
import { decodeText } from "../input/text.ts";
import type { Names } from "../names.ts";
import type { RecordedFarm, Workload } from "../workload.ts";
import { WorkloadBuilder } from "./builder.ts";
import type { ReadOptions, WorkloadFormat } from "./format.ts";
import { EMPTY_NAME, UNKNOWN } from "./job-row.ts";
import { memoryPerTask } from "./memory.ts";

/** The columns of the Grid Workload Format, from 0. Some archives end their lines earlier, but not before the status. */
const JOB = 0;
const SUBMIT = 1;
const WAIT = 2;
const RUN = 3;
const PROCESSORS = 4;
const USED_MEMORY = 6;
const REQUESTED_PROCESSORS = 7;
const REQUESTED_TIME = 8;
const REQUESTED_MEMORY = 9;
const STATUS = 10;
const USER = 11;
const GROUP = 12;
const QUEUE = 14;
const STRUCTURE = 18;
const ORGANISATION = 27;
const PROJECT = 28;
const LEAST_COLUMNS = STATUS + 1;
const COLUMNS = PROJECT + 1;

/** The columns that have no meaning here. */
const IGNORED: readonly (readonly [column: number, name: string])[] = [
  [5, "AverageCPUTimeUsed"],
  [13, "ExecutableID"],
  [15, "PartitionID"],
  [16, "OrigSiteID"],
  [17, "LastRunSiteID"],
  [19, "JobStructureParams"],
  [20, "UsedNetwork"],
  [21, "UsedLocalDiskSpace"],
  [22, "UsedResources"],
  [23, "ReqPlatform"],
  [24, "ReqNetwork"],
  [25, "ReqLocalDiskSpace"],
  [26, "ReqResources"],
];

/** As in the Standard Workload Format. 2, 3 and 4 are of parts of a job. */
const STATES: Readonly<Record<number, string>> = { 0: "failed", 1: "completed", 5: "cancelled" };
const CANCELLED = 5;

/** In 1973: no log that counts from its own beginning covers so many seconds. */
const LEAST_UNIX_SECONDS = 1e8;
const HASH = 35;
const TAB = 9;
const BLANK = 32;

export const gwf: WorkloadFormat = {
  name: "gwf",
  summary: "the Grid Workload Format of the Grid Workloads Archive",
  uses: ["jobShape", "memoryUnit", "memoryScope"],
  matches,
  read,
};

/**
 * Recognised by the name `.gwf`, by a comment that names the first columns, or by a first line of as many columns, of
 * which those before the status are numbers.
 */
function matches(fileName: string, firstBytes: Uint8Array): boolean {
  if (/\.gwf(\.(gz|zst|zstd))?$/i.test(fileName)) return true;
  const lines = decodeText(firstBytes, 0, firstBytes.length).split(/\r?\n/);
  const comments = lines.filter((line) => line.trimStart().startsWith("#")).join(" ");
  if (/JobID\b.*\bSubmitTime\b.*\bWaitTime\b.*\bRunTime\b.*\bNProcs?\b/i.test(comments)) return true;
  const first = lines.find((line) => line.trim() !== "" && !line.trimStart().startsWith("#")) ?? "";
  const fields = first.trim().split(/\s+/);
  return (
    (fields.length === COLUMNS || fields.length === COLUMNS + 1) &&
    fields.slice(SUBMIT, LEAST_COLUMNS).every((field) => field !== "" && Number.isFinite(Number(field)))
  );
}

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const builder = new WorkloadBuilder(source, options, "drop");
  const reader = new GwfJobs(builder, options);
  await readLinesBy(reader, source);
  reader.noteIgnored();
  const workload = builder.finish(reader.farm());
  // In a log without projects, organisations and groups, use counts against the users.
  return { ...workload, project: workload.project ?? workload.user };
}

/** Takes the lines of a log. */
class GwfJobs implements LineReader {
  private readonly builder: WorkloadBuilder;
  private readonly fields = new GwfLine();
  private readonly isWholeJob: boolean;
  private readonly memory: (amount: number, processors: number) => number;
  /** By column that is ignored: the lines that have a value there, and the first of them. */
  private readonly ignored = IGNORED.map(() => ({ count: 0, firstLine: 0 }));
  private processors = 0;
  private isUnix = true;
  private jobs = 0;
  private lastNumber = Number.NaN;

  constructor(builder: WorkloadBuilder, { jobShape = "tasks", memoryUnit, memoryScope }: ReadOptions) {
    this.builder = builder;
    this.isWholeJob = jobShape === "machine";
    // Kilobytes, averaged over the processors.
    const meaning = { unit: memoryUnit ?? "KiB", scope: memoryScope ?? "per-processor" } as const;
    this.memory = memoryPerTask(meaning, jobShape);
  }

  /** What the comments tell of the farm; null if nothing is known. */
  farm(): RecordedFarm | null {
    const farm = {
      ...(this.processors > 0 ? { processors: this.processors } : {}),
      ...(this.isUnix ? { unixStartSeconds: 0 } : {}),
    };
    return Object.keys(farm).length === 0 ? null : farm;
  }

  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    let from = start;
    while (from < end && bytes[from]! <= BLANK) from++;
    if (from === end) return;
    if (bytes[from] === HASH) this.readComment(decodeText(bytes, from, Math.min(end, from + 1000)));
    else this.readJob(bytes, start, end, line);
  }

  readNul(line: number): void {
    this.builder.bad("a line with NUL bytes", line);
  }

  noteIgnored(): void {
    this.ignored.forEach(({ count, firstLine }, at) => {
      const what = `ignored: the column "${IGNORED[at]![1]}"`;
      if (count > 0) this.builder.notes.add(what, firstLine, count);
    });
  }

  private readComment(text: string): void {
    const [, processors] = /^#\s*Processors\s*:\s*(\d{1,9})\b/i.exec(text) ?? [];
    if (processors !== undefined && this.processors === 0) this.processors = Number(processors);
  }

  private readJob(bytes: Uint8Array, start: number, end: number, line: number): void {
    const { builder, fields } = this;
    const { row, notes } = builder;
    fields.split(bytes, start, end);
    if (fields.count < LEAST_COLUMNS) {
      const what = `fewer than the ${LEAST_COLUMNS} columns up to the status`;
      builder.bad(what, line, `the line has ${fields.count} columns where GWF has ${COLUMNS}`);
      return;
    }
    const submitSeconds = epochSeconds(fields.number(SUBMIT));
    const [runtimeSeconds, status] = [fields.number(RUN), fields.number(STATUS)];
    if (Number.isNaN(submitSeconds + runtimeSeconds)) {
      const column = Number.isNaN(submitSeconds) ? SUBMIT : RUN;
      const what = `the ${column === SUBMIT ? "submit" : "run"} time is not a number`;
      builder.bad(what, line, `${what}: "${fields.text(column)}"`, fields.text(column));
      return;
    }
    if (runtimeSeconds < 0 || (runtimeSeconds === 0 && status === CANCELLED)) {
      const isStarted = runtimeSeconds < 0 && fields.number(WAIT) >= 0 && status !== CANCELLED;
      notes.add(isStarted ? "dropped: no run time" : "dropped: it never started", line);
      return;
    }
    const number = fields.number(JOB);
    if (status >= 2 && status <= 4) {
      if (number === this.lastNumber) {
        notes.add("left out: parts of a job, which the line of the whole job has in it", line);
        return;
      }
      notes.add("kept: a part of a job that has no line of its own, as a job", line);
    }
    const allocated = fields.number(PROCESSORS);
    // What the job held, otherwise what it asked for.
    const recorded = allocated > 0 ? allocated : fields.number(REQUESTED_PROCESSORS);
    if (!(recorded > 0)) {
      notes.add("dropped: no processors", line);
      return;
    }
    const processors = Math.ceil(recorded);
    if (processors !== recorded) notes.add("raised: part of a processor counts as a whole one", line);
    this.lastNumber = number;
    row.jobNumber = this.numberOf(number, line);
    row.submitSeconds = submitSeconds;
    row.runtimeSeconds = runtimeSeconds;
    row.tasks = this.isWholeJob ? 1 : processors;
    row.coresMilli = this.isWholeJob ? 1000 * processors : 1000;
    row.memoryMiB = this.memoryOf(processors);
    const limitSeconds = fields.number(REQUESTED_TIME);
    row.estimateSeconds = Number.isNaN(limitSeconds) || limitSeconds === 0 ? UNKNOWN : limitSeconds;
    row.recordedWaitSeconds = this.waitOf(line);
    row.state = STATES[status] === undefined ? EMPTY_NAME : builder.columns.states.codeOf(STATES[status]);
    this.setNames();
    if (submitSeconds < LEAST_UNIX_SECONDS) this.isUnix = false;
    this.noteStructure(line);
    builder.add(line);
  }

  /** The job's number; its place in the log if that is none. */
  private numberOf(number: number, line: number): number {
    this.jobs++;
    if (Number.isSafeInteger(number)) return number;
    this.builder.notes.add("numbered by its place: a job whose id is no whole number", line);
    return this.jobs;
  }

  private memoryOf(processors: number): number {
    const asked = this.fields.number(REQUESTED_MEMORY);
    if (asked > 0) return this.memory(asked, processors);
    const used = this.fields.number(USED_MEMORY);
    return used >= 0 ? this.memory(used, processors) : UNKNOWN;
  }

  private waitOf(line: number): number {
    const waitSeconds = this.fields.number(WAIT);
    // Reservations of Grid'5000 start before they are submitted.
    if (waitSeconds < 0 && waitSeconds !== UNKNOWN)
      this.builder.notes.add("kept: it started before it was submitted: its wait is unknown", line);
    return waitSeconds >= 0 ? waitSeconds : UNKNOWN;
  }

  private setNames(): void {
    const { fields } = this;
    const { row, columns } = this.builder;
    row.user = this.code(USER, columns.users);
    row.queue = this.code(QUEUE, columns.queues);
    // Lines of some archives have one column more before these.
    const more = Math.max(0, fields.count - COLUMNS);
    const project = [PROJECT + more, ORGANISATION + more, GROUP].find((column) => fields.isTold(column));
    row.project = project === undefined ? UNKNOWN : this.code(project, columns.projects);
  }

  private code(column: number, names: Names): number {
    return this.fields.isTold(column) ? this.fields.code(column, names) : UNKNOWN;
  }

  private noteStructure(line: number): void {
    const { fields } = this;
    const { notes } = this.builder;
    // A bag of tasks has no order, but a workflow has: no column tells it so that it could be kept.
    if (
      fields.isTold(STRUCTURE) &&
      /^[a-z]/i.test(fields.text(STRUCTURE)) &&
      !fields.is(STRUCTURE, "UNITARY")
    )
      notes.add("kept: a part of a bag of tasks or a workflow, as a job that waits for no other", line);
    for (let at = 0; at < IGNORED.length; at++) {
      const told = this.ignored[at]!;
      if (fields.isTold(IGNORED[at]![0]) && told.count++ === 0) told.firstLine = line;
    }
  }
}

/** A line of columns with tabs or blanks between them. */
class GwfLine extends Fields {
  split(bytes: Uint8Array, start: number, end: number): void {
    this.splitPlainly(bytes, start, end, TAB);
    const { starts, ends } = this;
    // Names between tabs may have blanks in them, or be empty.
    if (this.count >= LEAST_COLUMNS) {
      for (let field = 0; field < Math.min(this.count, MAX_FIELDS); field++) {
        while (starts[field]! < ends[field]! && bytes[starts[field]!]! <= BLANK) starts[field]!++;
        while (ends[field]! > starts[field]! && bytes[ends[field]! - 1]! <= BLANK) ends[field]!--;
      }
      if (this.isEmpty(this.count - 1)) this.count--;
      return;
    }
    let count = 0;
    for (let at = start; at < end; count++) {
      while (at < end && bytes[at]! <= BLANK) at++;
      if (at === end) break;
      const from = at;
      while (at < end && bytes[at]! > BLANK) at++;
      if (count < MAX_FIELDS) [starts[count], ends[count]] = [from, at];
    }
    this.count = count;
  }

  /** Whether the line has a value there: -1 stands for none. */
  isTold(column: number): boolean {
    return column < Math.min(this.count, MAX_FIELDS) && !this.isEmpty(column) && !this.is(column, "-1");
  }
}
