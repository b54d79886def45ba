import type { ByteSource } from "../input/bytes.ts";
import { InstantReader } from "../input/instants.ts";
import { isObject } from "../input/json.ts";
import type { JsonObject } from "../input/json.ts";
import { readJsonItems } from "../input/json-items.ts";
import { readLinesBy } from "../input/lines.ts";
import type { LineHandler, LineReader } from "../input/lines.ts";
import { TimeZone } from "../input/time-zone.ts";
import { milliAsked } from "../units.ts";
import type { RecordedFarm, Workload } from "../workload.ts";
import { WorkloadBuilder } from "./builder.ts";
import type { JobShape, ReadOptions } from "./format.ts";
import { UNKNOWN } from "./job-row.ts";
import { giveWholeNodes } from "./whole-nodes.ts";

/** Notes of a job of which something is told that cannot be read. */
export const UNREAD_LIMIT = "counted as unknown: a limit that cannot be read";
export const UNREAD_MEMORY = "counted as unknown: memory that cannot be read";
export const UNREAD_GPUS = "counted as none: GPUs that cannot be read";
export const UNREAD_CORES = "counted as one: cores that cannot be read";
/** Characters shown of what cannot be read. */
const MOST_SHOWN = 40;

/** Parts of whole MiB may be off by up to this much. */
const ROUNDING = 1e-6;

/**
 * The part that all readers of batch systems' records have in common: when a job was submitted, started and ended, how
 * its resources become tasks, and what is noted.
 *
 * Times are seconds since 1970; NaN is an unknown one.
 */
export class RecordedJobs {
  readonly builder: WorkloadBuilder;
  readonly instants: InstantReader;
  private readonly source: ByteSource;
  private readonly jobShape: JobShape | undefined;
  private readonly isZoneTold: boolean;
  private readonly isUnitTold: boolean;
  /** Whether some amount of memory needs `--memory-unit`. Null: it is not known. */
  needsMemoryUnit: boolean | null = null;
  private jobs = 0;
  private firstLine = 0;

  constructor(source: ByteSource, options: ReadOptions) {
    this.source = source;
    this.builder = new WorkloadBuilder(source, options, "drop");
    this.builder.expectRepeats();
    this.instants = new InstantReader(new TimeZone(options.timeZone ?? "UTC"));
    this.jobShape = options.jobShape;
    this.isZoneTold = options.timeZone !== undefined;
    this.isUnitTold = options.memoryUnit !== undefined;
  }

  /**
   * Has `reader` take every line that is not blank, or all with `readsBlankLines`. Notes what a crash or a full disk does
   * to a log.
   */
  async readLines(reader: LogReader): Promise<void> {
    const { builder } = this;
    const { lines, isOpenEnded } = await readLinesBy(new LogLines(builder, reader), this.source);
    reader.breakOff?.();
    if (isOpenEnded) {
      builder.notes.add("kept: a last line that no line break ends: is the log cut short?", lines);
    }
  }

  /**
   * Calls `onItem` for every object in the JSON text, or in its list under one of `keys`.
   */
  async readItems(keys: readonly string[], onItem: (item: JsonObject, line: number) => void): Promise<void> {
    const { builder } = this;
    await readJsonItems(this.source, keys, {
      onItem: (item, line) => {
        if (isObject(item)) onItem(item, line);
        else builder.bad("an item that is not an object", line);
      },
      onBad: (line) => builder.bad("an item that is not JSON", line),
      onCutShort: (line, inItem) => {
        if (inItem) builder.bad("an item that the end of the text cuts short", line);
        else builder.notes.add("kept: what stands before the end of a text that is cut short", line);
      },
    });
  }

  /**
   * Sets the row's times.
   * @returns whether the job ran and has ended; if not, that is noted
   */
  setTimes(submitSeconds: number, startSeconds: number, endSeconds: number, line: number): boolean {
    const { builder } = this;
    const { row, notes } = builder;
    if (Number.isNaN(startSeconds)) {
      notes.add("dropped: it never started", line);
      return false;
    }
    if (Number.isNaN(endSeconds)) {
      notes.add("dropped: it had not ended when the log was made", line);
      return false;
    }
    // Batch systems write 0 for a time that was not set.
    if (!(submitSeconds > 0)) {
      builder.bad("no time of submission", line);
      return false;
    }
    if (endSeconds < startSeconds) {
      builder.bad("it ended before it started", line);
      return false;
    }
    const waitSeconds = startSeconds - submitSeconds;
    if (waitSeconds < 0) notes.add("kept: it started before it was submitted: its wait is unknown", line);
    row.submitSeconds = submitSeconds;
    row.runtimeSeconds = endSeconds - startSeconds;
    row.recordedWaitSeconds = waitSeconds >= 0 ? waitSeconds : UNKNOWN;
    return true;
  }

  /**
   * Sets the row's tasks from what the whole job held: an equal task on each of `machines`, or one-core tasks if the
   * cores do not divide evenly. `--job-shape` has precedence.
   *
   * @param memoryMiB -1 if it is unknown
   */
  setShape(machines: number, cores: number, memoryMiB: number, gpus: number, line: number): void {
    if (machines > 1 && cores % machines !== 0 && this.shapeIsOpen) {
      this.builder.notes.add("kept as one-core tasks: its cores do not divide evenly among its nodes", line);
    }
    const tasks = machines <= 1 ? 1 : cores % machines === 0 ? machines : Math.max(1, Math.ceil(cores));
    this.setTasks(tasks, cores / tasks, memoryMiB === UNKNOWN ? UNKNOWN : memoryMiB / tasks, gpus / tasks);
  }

  /** Sets the row's tasks, each with cores, MiB (-1: unknown) and GPUs. `--job-shape` has precedence. */
  setTasks(tasks: number, cores: number, memoryMiB: number, gpus: number): void {
    let parts = tasks;
    if (this.jobShape === "machine") parts = 1;
    else if (this.jobShape === "tasks") parts = Math.max(1, Math.ceil(tasks * cores));
    const { row } = this.builder;
    const share = parts === tasks ? 1 : tasks / parts;
    row.tasks = parts;
    row.coresMilli = milliAsked(cores * share);
    row.memoryMiB = memoryMiB === UNKNOWN ? UNKNOWN : Math.ceil(memoryMiB * share - ROUNDING);
    row.gpuMilli = milliAsked(gpus * share);
  }

  /** Whether `--job-shape` was not given. */
  get shapeIsOpen(): boolean {
    return this.jobShape === undefined;
  }

  /** Notes a job that could not have started when it was submitted. */
  noteEligible(submitSeconds: number, eligibleSeconds: number, line: number): void {
    if (!(eligibleSeconds > submitSeconds + 1)) return;
    this.builder.notes.add(
      "kept: it waits from its submission, although a dependency, a hold or a start time kept it out at first",
      line,
    );
  }

  /** Notes an amount that cannot be read. @param text as the log has it */
  noteUnread(what: string, line: number, text: string): void {
    this.builder.notes.add(what, line, 1, { example: text.slice(0, MOST_SHOWN) });
  }

  /** Adds the row as a job of that line. @returns the row's number, or `NOT_ADDED` */
  add(line: number): number {
    if (this.jobs++ === 0) this.firstLine = line;
    return this.builder.add(line);
  }

  /**
   * @param isUnix whether times are seconds since 1970
   * @throws InputError if there is no job
   */
  finish(farm: RecordedFarm = {}, isUnix = true): Workload {
    const { sawZoneless, zone } = this.instants;
    if (this.isZoneTold && !sawZoneless) {
      this.builder.notes.add("no effect: the time zone, as no time in the log needs one", null);
    }
    if (sawZoneless && this.jobs > 0) {
      this.builder.notes.add(`read: times that name no zone, as of ${zone.name}`, this.firstLine, this.jobs);
    }
    const workload = this.withWholeNodes(
      this.builder.finish(
        isUnix ? { ...farm, unixStartSeconds: 0 } : Object.keys(farm).length === 0 ? null : farm,
      ),
    );
    if (!this.isUnitTold || this.needsMemoryUnit !== false || workload.memoryMiB === null) return workload;
    const what = "no effect: the memory's unit, as the log tells that of every amount";
    return { ...workload, notes: [...workload.notes, { what, count: 1 }] };
  }

  private withWholeNodes(workload: Workload): Workload {
    const { wholeNodes, notes } = this.builder;
    if (wholeNodes === null) return workload;
    return { ...giveWholeNodes(workload, wholeNodes, this.jobShape, notes), notes: notes.list() };
  }
}

/** Takes the lines of a log. */
interface LogReader {
  readonly read: LineHandler;
  readonly readsBlankLines?: boolean;
  /** Called at lines with NUL bytes and at the end: what was begun does not go on. */
  readonly breakOff?: () => void;
}

/** Hands on the lines of a log, and notes those with NUL bytes. */
class LogLines implements LineReader {
  private readonly builder: WorkloadBuilder;
  private readonly reader: LogReader;
  private readonly withBlankLines: boolean;

  constructor(builder: WorkloadBuilder, reader: LogReader) {
    this.builder = builder;
    this.reader = reader;
    this.withBlankLines = reader.readsBlankLines === true;
  }

  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    let at = start;
    while (at < end && bytes[at]! <= 32) at++;
    if (at < end || this.withBlankLines) this.reader.read(bytes, start, end, line);
  }

  readNul(line: number): void {
    this.reader.breakOff?.();
    this.builder.bad("a line with NUL bytes", line);
  }
}
