import { sourceName } from "../../input/bytes.ts";
import type { ByteSource } from "../../input/bytes.ts";
import { CsvLine } from "../../input/csv-line.ts";
import { Fields } from "../../input/fields.ts";
import { decodeText } from "../../input/text.ts";
import { Names } from "../../names.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import type { SacctHeader } from "./columns.ts";
import { BAR, isAligned, isHeaderless, layoutOf, refuseAligned, refuseHeaderless } from "./layout.ts";
import type { Layout } from "./layout.ts";
import { SacctJobs } from "./sacct-jobs.ts";
import { ShiftedFields } from "./shifted-fields.ts";
import type { Shift } from "./shifted-fields.ts";

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
  private shifted: ShiftedFields | null = null;
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
    const shift = this.shift();
    if (shift === "none" || shift === "found") {
      if (isDigit(bytes[fields.starts[header.places.jobId]!]!)) {
        if (shift === "found") builder.notes.add(this.repairNote(), line);
        this.sacctJobs!.add(line);
      } else if (!this.begin(bytes, start, end, line)) {
        builder.bad("no job number", line);
      }
    } else if (!this.begin(bytes, start, end, line)) {
      const inFull = `the line has ${fields.count} fields where there are ${header.names.length} columns`;
      if (shift === "no record") builder.bad("not as many fields as there are columns", line, inFull);
      else {
        const what = `a '${String.fromCharCode(delimiter)}' in a name shifts the columns`;
        builder.bad(what, line, `${what}: ${inFull}, and it is not plain which of them belong together`);
      }
    }
  }

  /** Whether the line's fields are in their places, or were moved there. */
  private shift(): Shift | "none" {
    const { fields, shifted } = this;
    const extra = fields.count - this.layout!.header.names.length;
    if (extra === 0) return "none";
    // `-p` ends lines with a delimiter, but the last name may be empty as well.
    const endsWithDelimiter = extra === 1 && fields.isEmpty(fields.count - 1);
    if (endsWithDelimiter && shifted!.areInPlace()) return "none";
    const shift = shifted!.find();
    return endsWithDelimiter && shift === "no record" ? "none" : shift;
  }

  private repairNote(): string {
    return `read: ${this.shifted!.isOtherName ? "" : "job "}names with the delimiter in them`;
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
    this.shifted = new ShiftedFields(this.fields, found.header, this.seenNames(found.header));
    return true;
  }

  /** Whether a name is one that a job above has; also if there is none above. */
  private seenNames({ places }: SacctHeader): (column: number, start: number, end: number) => boolean {
    const { projects, queues } = this.jobs.builder.columns;
    const names = new Map([
      [places.account, projects],
      [places.partition, queues],
      [places.cluster, this.clusters],
    ]);
    return (column, start, end) => {
      const above = names.get(column);
      if (above === undefined || start === end || above.list.length === 0) return true;
      return above.includesBytes(this.fields.bytes, start, end);
    };
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
