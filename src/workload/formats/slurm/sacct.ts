import { sourceName } from "../../input/bytes.ts";
import type { ByteSource } from "../../input/bytes.ts";
import { CsvLine } from "../../input/csv-line.ts";
import { Fields, MAX_FIELDS } from "../../input/fields.ts";
import { decodeText } from "../../input/text.ts";
import { Names } from "../../names.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import type { SacctHeader } from "./columns.ts";
import { BAR, isAligned, isHeaderless, layoutOf, refuseAligned, refuseHeaderless } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { SacctJobs } from "./sacct-jobs.ts";

const MINUS = 45;
const LETTER_T = 84;
const TIME_LENGTH = 19;
const ZERO = 48;
/** The number of damaged lines after which the format is no longer recognised. */
const MAX_BAD_LINES = 50;

export const slurm: WorkloadFormat = {
  name: "slurm",
  summary: "Slurm's sacct --parsable2, with a header or in the order of Open XDMoD's guide",
  uses: ["jobShape", "timeZone"],
  matches,
  read,
};

/** Recognised by one of the first lines: a header, or a job in a known order. */
function matches(_fileName: string, firstBytes: Uint8Array): boolean {
  const lines = decodeText(firstBytes, 0, firstBytes.length).split(/\r?\n/, MAX_BAD_LINES);
  return lines.some(
    (line) => layoutOf(line.replace(/^\u{feff}/u, "")) !== null || isAligned(line) || isHeaderless(line),
  );
}

async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const file = sourceName(source);
  const jobs = new RecordedJobs(source, options);
  const listings = new Listings(jobs, file);
  await jobs.readLines(listings);
  if (listings.isHeaderless) refuseHeaderless(file);
  const [computer, ...others] = listings.clusters.list;
  return computer === undefined || others.length > 0 ? jobs.finish() : jobs.finish({ computer });
}

/**
 * Takes the lines of a log, which may consist of several listings, each with its header. Before the first header, or
 * first job, nothing can be read.
 */
class Listings {
  readonly clusters = new Names();
  private readonly jobs: RecordedJobs;
  private readonly file: string;
  private layout: Layout | null = null;
  private fields = new Fields();
  private sacctJobs: SacctJobs | null = null;
  private sawHeaderless = false;

  constructor(jobs: RecordedJobs, file: string) {
    this.jobs = jobs;
    this.file = file;
  }

  /** Whether there are jobs, but nothing tells the order of their columns. */
  get isHeaderless(): boolean {
    return this.layout === null && this.sawHeaderless;
  }

  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    const { builder } = this.jobs;
    if (this.layout === null && !this.begin(bytes, start, end, line)) {
      builder.bad("a line that sacct does not write", line);
      return;
    }
    const { fields } = this;
    const { header, delimiter } = this.layout!;
    if (fields instanceof CsvLine) fields.split(bytes, start, end);
    else fields.splitPlainly(bytes, start, end, delimiter);
    const isRepaired = !fitsAsItIs(fields, header) && repair(fields, header);
    const fits = isRepaired || fitsAsItIs(fields, header);
    if (fits && isDigit(bytes[fields.starts[header.places.jobId]!]!)) {
      if (isRepaired) builder.notes.add("read: job names with the delimiter in them", line);
      this.sacctJobs!.add(line);
    } else if (!this.begin(bytes, start, end, line)) {
      const inFull = `the line has ${fields.count} fields where there are ${header.names.length} columns`;
      if (fits) builder.bad("no job number", line);
      else builder.bad("not as many fields as there are columns", line, inFull);
    }
  }

  /** @returns whether a listing begins at the line */
  private begin(bytes: Uint8Array, start: number, end: number, line: number): boolean {
    const { jobs, file, layout } = this;
    const text = decodeText(bytes, start, end);
    const found = layoutOf(text);
    if (found === null && layout === null) {
      if (isAligned(text)) refuseAligned(file, line);
      this.sawHeaderless ||= isHeaderless(text);
    }
    if (found === null || (layout !== null && !found.isHeaderLine)) return false;
    found.header.require(file, line);
    const order = found.isHeaderLine ? "with a header" : "in the order of Open XDMoD's guide";
    if (layout === null) jobs.builder.notes.add(`recognised: Slurm's sacct, ${order}`, line);
    this.layout = found;
    // Logs with commas between fields have lists of nodes in quotes.
    this.fields = found.delimiter === BAR ? new Fields() : new CsvLine(found.delimiter);
    this.sacctJobs = new SacctJobs(jobs, this.fields, found.header, this.clusters);
    return true;
  }
}

/** Whether there is a field for each column; `-p` ends lines with a delimiter. */
function fitsAsItIs(fields: Fields, { names }: SacctHeader): boolean {
  const extra = fields.count - names.length;
  return extra === 0 || (extra === 1 && fields.isEmpty(fields.count - 1));
}

/**
 * Finds the columns of a line with too many fields, if it is one record: users' texts may contain delimiters.
 *
 * @returns whether it is
 */
function repair(fields: Fields, { names, places, lastFree, toleratesDelimiters }: SacctHeader): boolean {
  const extra = fields.count - names.length;
  if (extra < 0 || fields.count > MAX_FIELDS || !toleratesDelimiters) return false;
  // A record that was cut after so many delimiters, and a whole one behind it, whose number then is at this place.
  const second = places.jobId + extra;
  const id = fields.text(places.jobId);
  if (JOB_ID.exec(id)?.index !== 0) return false;
  // If the names come behind the times, these are then out of their places and are no times. An array's jobs have a
  // second number of their own.
  const mayBeSecond = places.jobId < lastFree && lastFree < places.submit && names[second] !== "jobidraw";
  if (mayBeSecond && endsWithJobId(fields.text(second), id)) return false;
  // No user writes this: another record runs into this one.
  for (let place = lastFree; place <= lastFree + extra; place++) if (isTime(fields, place)) return false;
  for (let place = lastFree + 1; place < names.length; place++) {
    fields.starts[place] = fields.starts[place + extra]!;
    fields.ends[place] = fields.ends[place + extra]!;
  }
  return true;
}

/** How far apart the numbers of two jobs are at most that run into each other: logs are ordered by them. */
const MOST_BETWEEN = 10_000;

/** `123`, `123_4`, `123_[5-9]`, `123+1`, each perhaps with a step. */
const JOB_ID = /(\d+)(?:[_+](?:\d+|\[.*\]))?(?:\.\w+)?$/;

/** Whether a field ends with a job's number near to that of the line; before it may be what was cut off. */
function endsWithJobId(text: string, id: string): boolean {
  const [, own = ""] = JOB_ID.exec(id) ?? [];
  const [, other] = JOB_ID.exec(text) ?? [];
  if (other === undefined) return false;
  // Digits that were cut off may stand before the number.
  return [other, other.slice(-own.length), other.slice(-own.length - 1)].some(
    (each) => Math.abs(Number(each) - Number(own)) <= MOST_BETWEEN,
  );
}

/** Whether a field looks like sacct's times: `2026-03-01T08:00:00`. */
function isTime({ bytes, starts, ends }: Fields, place: number): boolean {
  const start = starts[place]!;
  return (
    ends[place]! - start === TIME_LENGTH &&
    bytes[start + 4] === MINUS &&
    bytes[start + 7] === MINUS &&
    bytes[start + 10] === LETTER_T
  );
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
