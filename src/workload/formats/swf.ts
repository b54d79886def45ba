import { InputError } from "../errors.ts";
import { sourceName } from "../input/bytes.ts";
import type { ByteSource } from "../input/bytes.ts";
import { readLines } from "../input/lines.ts";
import { parseNumbers } from "../input/numbers.ts";
import type { Workload } from "../workload.ts";
import { NOT_ADDED, WorkloadBuilder } from "./builder.ts";
import type { ReadOptions, WorkloadFormat } from "./format.ts";
import { knownLog, standardMeaning } from "./known-logs.ts";
import type { LogMeaning } from "./known-logs.ts";
import { memoryPerTask } from "./memory.ts";
import type { MemoryMeaning } from "./memory.ts";
import { SwfHeader } from "./swf-header.ts";
import { SwfParts } from "./swf-parts.ts";

/** The fields of the Standard Workload Format 2.2, from 0. Logs may have more, which are not used. */
const FIELD_COUNT = 18;
const JOB = 0;
const SUBMIT = 1;
const WAIT = 2;
const RUN = 3;
const ALLOCATED_PROCESSORS = 4;
const USED_MEMORY = 6;
const REQUESTED_PROCESSORS = 7;
const REQUESTED_TIME = 8;
const REQUESTED_MEMORY = 9;
const STATUS = 10;
const USER = 11;
const GROUP = 12;
const QUEUE = 14;
const PRECEDING_JOB = 16;
const THINK_TIME = 17;

const CANCELLED = 5;
const UNKNOWN = -1;
const SEMICOLON = 59;

export const swf: WorkloadFormat = {
  name: "swf",
  summary: "the Standard Workload Format of the Parallel Workloads Archive",
  uses: ["jobShape", "memoryUnit", "memoryScope"],
  matches,
  read,
};

/** Recognised by the name `.swf`, or by a first line that is a comment or has 18 numbers. */
function matches(fileName: string, firstBytes: Uint8Array): boolean {
  if (/\.swf(\.(gz|zst|zstd))?$/i.test(fileName)) return true;
  let start = 0;
  while (start < firstBytes.length && firstBytes[start]! <= 32) start++;
  if (firstBytes[start] === SEMICOLON) return true;
  const newline = firstBytes.indexOf(10, start);
  return (
    newline !== -1 && parseNumbers(firstBytes, start, newline, new Float64Array(FIELD_COUNT)) === FIELD_COUNT
  );
}

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const file = sourceName(source);
  const builder = new WorkloadBuilder(source, options);
  const header = new SwfHeader();
  const fields = new Float64Array(FIELD_COUNT);
  const parts = new SwfParts({
    job: JOB,
    submit: SUBMIT,
    run: RUN,
    processors: ALLOCATED_PROCESSORS,
    status: STATUS,
  });
  let addJob: AddJob | null = null;

  await readLines(source, (bytes, start, end, line) => {
    while (start < end && bytes[start]! <= 32) start++;
    if (start === end) return;
    if (bytes[start] === SEMICOLON) {
      header.addLine(new TextDecoder().decode(bytes.subarray(start, end)));
      return;
    }
    const count = parseNumbers(bytes, start, end, fields);
    if (count < 0) throw new InputError(`field ${-count} is not a number`, { file, line });
    if (count < FIELD_COUNT) {
      throw new InputError(`the line has ${count} fields where SWF has ${FIELD_COUNT}`, { file, line });
    }
    addJob ??= jobAdder(builder, header, fields, meaningOf(file, header, options, builder, line));
    if (parts.take(fields, line)) return;
    if (!addJob(line, true)) parts.noteDropped(fields[JOB]!);
  });
  parts.finish(builder, fields, (line) => addJob?.(line, false));

  const workload = builder.finish(header.farm(), header.isSynthetic);
  // In a log without groups, use counts against the users.
  return { ...workload, project: workload.project ?? workload.user };
}

/** From the options, or what is known of this log, or the standard. */
function meaningOf(
  file: string,
  header: SwfHeader,
  options: ReadOptions,
  builder: WorkloadBuilder,
  line: number,
): LogMeaning {
  const known = knownLog(file, header.value("Installation"));
  const { jobShape, requestedMemory, usedMemory } = known?.meaning ?? standardMeaning;
  const told = (memory: MemoryMeaning): MemoryMeaning => ({
    unit: options.memoryUnit ?? memory.unit,
    scope: options.memoryScope ?? memory.scope,
  });
  const meaning: LogMeaning = {
    jobShape: options.jobShape ?? jobShape,
    requestedMemory: told(requestedMemory),
    usedMemory: told(usedMemory),
  };
  if (known !== null) builder.notes.add(`recognised: the ${known.log} log, ${describe(meaning)}`, line);
  return meaning;
}

function describe({ jobShape, requestedMemory, usedMemory }: LogMeaning): string {
  const jobs = jobShape === "machine" ? "each job on one machine" : "a task a processor";
  const [requested, used] = [requestedMemory, usedMemory].map(({ unit, scope }) => `${unit} ${scope}`);
  return `${jobs}, requested memory in ${requested}, used memory in ${used}`;
}

/**
 * Adds the job of the line whose fields have been parsed.
 *
 * @param isInPlace whether the jobs added before stand above the line
 * @returns false if the line is dropped
 */
type AddJob = (line: number, isInPlace: boolean) => boolean;

/** How the fields of a line become a job. Set up once, after the header. */
function jobAdder(
  builder: WorkloadBuilder,
  header: SwfHeader,
  fields: Float64Array,
  meaning: LogMeaning,
): AddJob {
  const { row, notes } = builder;
  const { projects, users, queues } = builder.columns;
  const wholeJob = meaning.jobShape === "machine";
  const requested = memoryPerTask(meaning.requestedMemory, meaning.jobShape);
  const used = memoryPerTask(meaning.usedMemory, meaning.jobShape);

  const drop = (reason: string, line: number): false => {
    notes.add(`dropped: ${reason}`, line);
    return false;
  };

  return (line, isInPlace) => {
    if (fields[PRECEDING_JOB]! > 0 || fields[THINK_TIME]! > 0)
      notes.add("ignored: the preceding job and the think time, as jobs come when the log says", line);
    const runtimeSeconds = fields[RUN]!;
    if (runtimeSeconds <= 0 && fields[STATUS] === CANCELLED) {
      return drop("cancelled before it started", line);
    }
    if (runtimeSeconds < 0) {
      return drop("no run time", line);
    }
    if (fields[SUBMIT] === UNKNOWN) return drop("no time of submission", line);
    const allocated = fields[ALLOCATED_PROCESSORS]!;
    // What the job held, otherwise what it asked for.
    const recorded = allocated > 0 ? allocated : fields[REQUESTED_PROCESSORS]!;
    if (recorded <= 0) {
      return drop("no processors", line);
    }
    const processors = Math.ceil(recorded);
    if (processors !== recorded) notes.add("raised: part of a processor counts as a whole one", line);
    row.submitSeconds = fields[SUBMIT]!;
    row.runtimeSeconds = runtimeSeconds;
    row.tasks = wholeJob ? 1 : processors;
    row.coresMilli = wholeJob ? 1000 * processors : 1000;
    if (fields[REQUESTED_MEMORY]! > 0) row.memoryMiB = requested(fields[REQUESTED_MEMORY]!, processors);
    else if (fields[USED_MEMORY]! >= 0) row.memoryMiB = used(fields[USED_MEMORY]!, processors);
    else row.memoryMiB = UNKNOWN;
    const limitSeconds = fields[REQUESTED_TIME]!;
    row.estimateSeconds = limitSeconds === 0 ? UNKNOWN : limitSeconds;
    row.jobNumber = fields[JOB]!;
    const waitSeconds = fields[WAIT]!;
    if (waitSeconds < 0 && waitSeconds !== UNKNOWN) {
      notes.add("counted as unknown: a negative wait", line, 1, { example: `${waitSeconds} s` });
    }
    row.recordedWaitSeconds = waitSeconds >= 0 ? waitSeconds : UNKNOWN;
    row.user = fields[USER]! >= 0 ? users.codeOfNumber(fields[USER]!) : UNKNOWN;
    row.project = fields[GROUP]! >= 0 ? projects.codeOfNumber(fields[GROUP]!) : UNKNOWN;
    row.queue = fields[QUEUE]! >= 0 ? queues.codeOfNumber(fields[QUEUE]!, header.queueName) : UNKNOWN;
    return builder.add(line, isInPlace) !== NOT_ADDED;
  };
}
