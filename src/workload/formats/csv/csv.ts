import { InputError } from "../../errors.ts";
import { sourceName } from "../../input/bytes.ts";
import type { ByteSource } from "../../input/bytes.ts";
import { CsvLine } from "../../input/csv-line.ts";
import { isBlankLine } from "../../input/csv-table.ts";
import type { LineHandler } from "../../input/lines.ts";
import { decodeText } from "../../input/text.ts";
import type { RanUnder } from "../../ran-under.ts";
import type { Workload } from "../../workload.ts";
import type { ReadOptions, WorkloadFormat } from "../format.ts";
import { RecordedJobs } from "../recorded-jobs.ts";
import { delimiterOf, fieldsOf, firstHeader, headerText, isLogHeader } from "./dialect.ts";
import { recognise } from "./fields.ts";
import { CsvHeader } from "./header.ts";
import { CsvJobs } from "./jobs.ts";
import { OpenQuotes } from "./open-quotes.ts";
import { SlashDates } from "./slash-dates.ts";
import { CsvValues } from "./values.ts";

/** A day between 1954 and 2119, and a part of it. */
const SPREADSHEET_DAY = /^[2-7]\d{4}[.,]\d+$/;

const NOT_CLOSED = "a quote is not closed";

export const csv: WorkloadFormat = {
  name: "csv",
  summary: "CSV with a header: submit, cores, and runtime or start and end, by these or other names",
  uses: ["jobShape", "memoryUnit", "timeZone", "columns"],
  matches,
  read,
};

/**
 * Recognised by a header that names columns of a log of jobs, unless it is rather an accounting log without
 * submissions.
 */
function matches(_fileName: string, firstBytes: Uint8Array): boolean {
  const header = firstHeader(decodeText(firstBytes, 0, firstBytes.length));
  if (!isLogHeader(header)) return false;
  const names = fieldsOf(header, delimiterOf(header)).map((name) => name.toLowerCase());
  const tellsSubmission = names.some((name) => recognise(name)?.field === "submit") || names.includes("wait");
  return tellsSubmission || !["start", "end", "queue"].every((name) => names.includes(name));
}

/**
 * Cores, memory (MiB by default) and gpu are those of one task. If a column says on how many nodes a job ran, or on
 * which, and none says its tasks, they are those of the whole job. An empty field is unknown, and so is a negative
 * memory, estimate or wait.
 */
async function read(source: ByteSource, options: ReadOptions = {}): Promise<Workload> {
  const jobs = new RecordedJobs(source, options);
  const rows = new Rows(jobs, options, sourceName(source));
  await jobs.readLines(rows);
  rows.end();
  return jobs.finish(rows.ran, jobs.instants.sawCalendar);
}

/** Takes the lines of a file: its header, then its rows. */
class Rows {
  /** They may be part of a field. */
  readonly readsBlankLines = true;
  private readonly jobs: RecordedJobs;
  private readonly options: ReadOptions;
  private readonly file: string;
  private readonly slashDates: SlashDates;
  private readonly openQuotes: OpenQuotes;
  private table: Table | null = null;
  private rows = 0;

  constructor(jobs: RecordedJobs, options: ReadOptions, file: string) {
    this.jobs = jobs;
    this.options = options;
    this.file = file;
    const readAgain: LineHandler = (...line) => this.read(...line);
    this.slashDates = new SlashDates(jobs.instants, jobs.builder.notes, readAgain);
    this.openQuotes = new OpenQuotes(
      (...row) => this.addRow(...row),
      (line) => jobs.builder.bad(NOT_CLOSED, line),
      readAgain,
    );
  }

  read(bytes: Uint8Array, start: number, end: number, line: number): void {
    const { table, openQuotes } = this;
    if (table === null) {
      if (!isBlankLine(bytes, start, end)) this.begin(decodeText(bytes, start, end), line);
    } else if (openQuotes.isHolding) {
      openQuotes.goOn(bytes, start, end, line, table.fields, table.header.names.length);
    } else if (isBlankLine(bytes, start, end)) {
      return;
    } else if (table.fields.split(bytes, start, end)) {
      this.addRow(bytes, start, end, line);
    } else if (table.fields.endsInQuotes) {
      openQuotes.begin(bytes, start, end, line);
    } else {
      this.jobs.builder.bad(NOT_CLOSED, line);
    }
  }

  get ran(): RanUnder {
    return this.table?.csvJobs?.ran ?? {};
  }

  /** A row does not go on with the next line. */
  breakOff(): void {
    while (this.openQuotes.isHolding) this.openQuotes.letGo();
  }

  /** To be called after the last line. */
  end(): void {
    this.slashDates.letGo();
    this.jobs.needsMemoryUnit = this.table?.csvJobs?.needsMemoryUnit ?? null;
    for (const column of this.rows === 0 ? [] : this.table!.header.ignored()) {
      this.jobs.builder.notes.add(`ignored: the column "${column.toLowerCase()}"`, 1, this.rows);
    }
  }

  /** Adds the row whose fields have been split. */
  private addRow(bytes: Uint8Array, start: number, end: number, line: number): void {
    const { header, fields } = this.table!;
    if (fields.count !== header.names.length) {
      const inFull = `the line has ${fields.count} fields, not ${header.names.length}`;
      this.jobs.builder.bad("not as many fields as there are columns", line, inFull);
    } else if (!this.slashDates.hold(bytes, start, end, line)) {
      this.rows++;
      this.table!.csvJobs ??= csvJobs(this.jobs, this.table!, this.options);
      this.table!.csvJobs.add(line);
    }
  }

  private begin(text: string, line: number): void {
    this.table = beginTable(text, this.options, this.file, line);
    if (this.table !== null) this.slashDates.begin(this.table.header, this.table.fields);
  }
}

/** A file's columns, and how its lines become jobs. */
interface Table {
  readonly header: CsvHeader;
  readonly fields: CsvLine;
  readonly delimiter: number;
  readonly line: number;
  csvJobs: CsvJobs | null;
}

/** The table that begins at a line; null if the line is a comment. */
function beginTable(text: string, options: ReadOptions, file: string, line: number): Table | null {
  const names = headerText(text);
  if (names === null) return null;
  const delimiter = delimiterOf(names);
  const columns = fieldsOf(names, delimiter);
  if (columns.length === 0) throw new InputError("a quote is not closed", { file, line });
  const header = new CsvHeader(columns, options.columns ?? {}, file, line);
  header.require();
  return { header, fields: new CsvLine(delimiter), delimiter, line, csvJobs: null };
}

/** Called at the first row, which tells whether nodes are counted or named. */
function csvJobs(jobs: RecordedJobs, table: Table, options: ReadOptions): CsvJobs {
  const { header, fields, delimiter, line } = table;
  const nodes = header.column("nodes");
  if (nodes !== undefined && !fields.isEmpty(nodes.place) && Number.isNaN(fields.number(nodes.place))) {
    header.nodesAreNamed();
  }
  const understood = header.understood();
  if (understood !== "") jobs.builder.notes.add(`read: ${understood}`, line);
  noteSpreadsheetDays(jobs, table);
  const values = new CsvValues(fields, header, jobs.instants, jobs.builder.notes, delimiter);
  return new CsvJobs(jobs, header, fields, values, options);
}

/** Notes times that look like the days since 1900 that spreadsheets count: without a unit they are seconds. */
function noteSpreadsheetDays({ builder }: RecordedJobs, { header, fields, line }: Table): void {
  const column = header.column("submit") ?? header.column("start");
  if (column === undefined || column.unit !== "" || !SPREADSHEET_DAY.test(fields.text(column.place))) return;
  const what =
    "read: times as seconds on the log's own clock: if they are days, as spreadsheets count them, add :d to each " +
    `column of times, as in --columns "submit=${column.name}:d"`;
  builder.notes.add(what, line);
}
