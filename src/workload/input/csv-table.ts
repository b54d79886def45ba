import { InputError } from "../errors.ts";
import type { Names } from "../names.ts";
import { sourceName } from "./bytes.ts";
import type { ByteSource } from "./bytes.ts";
import { CsvLine } from "./csv-line.ts";
import { readLines } from "./lines.ts";

/** A default for columns that a file need not have. */
const ABSENT = -1;
const UNKNOWN = -1;

/** The current line of a comma-separated file whose columns have names. */
export class CsvTable {
  readonly file: string;
  /** In lower case. */
  readonly columns: readonly string[];
  private readonly fields: CsvLine;
  private line: number;

  /** @param line the line in which the columns are named */
  constructor(file: string, columns: readonly string[], fields: CsvLine, line: number) {
    this.file = file;
    this.line = line;
    this.columns = columns.map((column) => column.toLowerCase());
    this.fields = fields;
    const twice = this.columns.find((column, at) => column !== "" && this.columns.indexOf(column) !== at);
    if (twice !== undefined) this.refuse(`two columns are named "${twice}"`);
  }

  /** The position of a column; -1 if the file has none of that name. */
  column(name: string): number {
    return this.columns.indexOf(name);
  }

  /** @throws InputError if the file has no column of that name */
  required(name: string): number {
    const column = this.column(name);
    if (column !== ABSENT) return column;
    return this.refuse(`there is no column "${name}", only ${this.columns.join(", ").slice(0, 200)}`);
  }

  /** Splits a line. @throws InputError if the number of fields differs from the header's. */
  take(bytes: Uint8Array, start: number, end: number, line: number): void {
    this.line = line;
    const fields = this.fields;
    if (!fields.split(bytes, start, end)) this.refuse("a quote is not closed");
    if (fields.count !== this.columns.length) {
      this.refuse(`the line has ${fields.count} fields, not ${this.columns.length}`);
    }
  }

  /** @throws InputError if the field is not a number */
  number(column: number): number {
    const number = this.fields.number(column);
    if (!Number.isNaN(number)) return number;
    const text = this.fields.text(column).slice(0, 40);
    return this.refuse(`column ${this.columns[column]}: "${text}" is not a number`);
  }

  /** `missing` if the file has no such column, or the field is empty. */
  numberOr(missing: number, column: number): number {
    return column === ABSENT || this.fields.isEmpty(column) ? missing : this.number(column);
  }

  /** The field's code in a column of names; -1 if the file has no such column, or the field is empty. */
  code(column: number, names: Names): number {
    return column === ABSENT || this.fields.isEmpty(column) ? UNKNOWN : this.fields.code(column, names);
  }

  /** Empty if the file has no such column. */
  text(column: number): string {
    return column === ABSENT ? "" : this.fields.text(column);
  }

  /** Throws an InputError that names the current line. */
  refuse(problem: string): never {
    throw new InputError(problem, { file: this.file, line: this.line });
  }
}

/**
 * Reads a comma-separated file whose first line names its columns. Blank lines are skipped.
 *
 * @param start called with the table once its columns are known; returns the function to call for every line
 */
export async function readCsvTable(
  source: ByteSource,
  start: (table: CsvTable) => (line: number) => void,
): Promise<void> {
  const file = sourceName(source);
  const fields = new CsvLine();
  let rows: { table: CsvTable; onRow: (line: number) => void } | null = null;
  await readLines(source, (bytes, from, end, line) => {
    if (isBlankLine(bytes, from, end)) return;
    if (rows === null) {
      const table = new CsvTable(file, splitNames(fields, bytes, from, end, file, line), fields, line);
      rows = { table, onRow: start(table) };
    } else {
      rows.table.take(bytes, from, end, line);
      rows.onRow(line);
    }
  });
}

export function isBlankLine(bytes: Uint8Array, start: number, end: number): boolean {
  while (start < end && bytes[start]! <= 32) start++;
  return start === end;
}

/** The fields of a line as text. @throws InputError if a quote is not closed. */
export function splitNames(
  fields: CsvLine,
  bytes: Uint8Array,
  start: number,
  end: number,
  file: string,
  line: number,
): string[] {
  if (!fields.split(bytes, start, end)) throw new InputError("a quote is not closed", { file, line });
  return Array.from({ length: Math.min(fields.count, 1024) }, (_, field) => fields.text(field));
}
