import { InputError } from "../errors.ts";
import { csv } from "../formats/csv/csv.ts";
import { FIELDS, type CsvField } from "../formats/csv/fields.ts";
import { CsvHeader } from "../formats/csv/header.ts";
import type { ReadOptions } from "../formats/format.ts";
import type { Workload, WorkloadNote } from "../workload.ts";
import { CellError, cellsOf, type ColumnCells, type WriteCell } from "./cells.ts";
import type { RandomAccess } from "./file.ts";
import type { Column, Footer } from "./footer.ts";
import { readPages, type Page } from "./pages.ts";
import { TextBuffer } from "./text-buffer.ts";

/**
 * Reads a Parquet file of another program as the CSV that its rows would be: columns then have the same names, units
 * and forms of times, and rows are checked, dropped and counted by the same rules. Row n is line n + 1 of that CSV.
 *
 * @throws {InputError} if its columns tell no jobs, or a value cannot be read
 * @throws {Error} if it is damaged
 */
export async function readAsCsv(file: RandomAccess, footer: Footer, options: ReadOptions): Promise<Workload> {
  try {
    const table = new CsvTable(file, footer, options);
    const workload = await csv.read({ name: file.name, chunks: table.chunks() }, options);
    return { ...workload, notes: [...workload.notes.map(ofRow), ...table.notes()] };
  } catch (error) {
    throw error instanceof InputError ? inRow(error, file.name) : error;
  }
}

function ofRow({ firstLine, ...note }: WorkloadNote): WorkloadNote {
  return firstLine === undefined || firstLine < 2 ? note : { ...note, firstLine: firstLine - 1 };
}

/** The error with its row in place of the line. */
function inRow(error: InputError, file: string): InputError {
  const { line, message } = error;
  if (line === undefined) return error;
  const what = message.slice(`${file}:${line}: `.length);
  return new InputError(line === 1 ? what : `row ${line - 1}: ${what}`, { file });
}

/** The columns of a file that tell of jobs, as lines of CSV. */
class CsvTable {
  private readonly file: RandomAccess;
  private readonly footer: Footer;
  private readonly header: CsvHeader;
  private readonly columns: readonly UsedColumn[];
  private readonly out = new TextBuffer();

  constructor(file: RandomAccess, footer: Footer, options: ReadOptions) {
    this.file = file;
    this.footer = footer;
    const names = footer.columns.map(({ name }) => name);
    this.header = new CsvHeader(names, options.columns ?? {}, file.name, 1);
    this.header.require();
    this.columns = usedColumns(footer.columns, this.header, file.name);
  }

  /** What has no effect, or was changed on the way into the lines. */
  notes(): WorkloadNote[] {
    const { rows } = this.footer;
    const { lineBreaks } = this.out;
    return [
      ...this.header.ignored().map((name) => ({
        what: `ignored: the column "${name.toLowerCase()}"`,
        count: rows,
      })),
      ...(lineBreaks === 0 ? [] : [{ what: "read: line breaks in texts as blanks", count: lineBreaks }]),
    ];
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const { out, columns } = this;
    let before = 0;
    for (const { name } of columns.map(({ column }) => column)) {
      // With no byte that would end the line; names in `--columns` are those of the file.
      const bytes = Buffer.from(name.replaceAll(/\p{Cc}/gu, " "));
      out.text(bytes, 0, bytes.length);
      out.endCell();
    }
    out.endRow();
    for (const { rows, chunks } of this.footer.groups) {
      const cursors = columns.map(
        ({ column, cells }) =>
          new Cursor(readPages(this.file, column, chunks.get(column.name), rows), cells, column.name),
      );
      for (let row = 0; row < rows;) {
        for (const cursor of cursors) if (cursor.left === 0) await cursor.next();
        const end = row + Math.min(...cursors.map(({ left }) => left));
        while (row < end) {
          this.writeRow(cursors, before + row);
          row++;
          if (!out.isFull) continue;
          yield out.take();
        }
      }
      before += rows;
    }
    yield out.take();
  }

  private writeRow(cursors: readonly Cursor[], row: number): void {
    const { out } = this;
    for (let i = 0; i < cursors.length; i++) {
      const cursor = cursors[i]!;
      try {
        cursor.writeCell(out);
      } catch (error) {
        if (!(error instanceof CellError)) throw error;
        throw new InputError(`row ${row + 1}: column "${cursor.name}" ${error.message}`, {
          file: this.file.name,
        });
      }
      out.endCell();
    }
    out.endRow();
  }
}

interface UsedColumn {
  readonly column: Column;
  readonly cells: ColumnCells;
}

/** The columns that have a field, in the order of the file. */
function usedColumns(columns: readonly Column[], header: CsvHeader, file: string): UsedColumn[] {
  const fieldAt = new Map<number, CsvField>();
  for (const field of Object.keys(FIELDS) as CsvField[]) {
    const column = header.column(field);
    if (column !== undefined) fieldAt.set(column.place, field);
  }
  return columns.flatMap((column, place): UsedColumn[] => {
    const field = fieldAt.get(place);
    if (field === undefined) return [];
    if (column.element.type === undefined || column.repetition === "repeated") {
      const what = `column "${column.name}" is nested: a job's ${field} must be one value a row`;
      throw new InputError(what, { file });
    }
    return [{ column, cells: cellsOf(column.element, FIELDS[field].kind !== "time") }];
  });
}

/** Goes through the rows of a column of a row group. */
class Cursor {
  readonly name: string;
  /** Rows of the page that are to come. */
  left = 0;
  private readonly pages: AsyncGenerator<Page>;
  private readonly cells: ColumnCells;
  private page: Page | null = null;
  private write: WriteCell = () => {};
  private row = 0;

  constructor(pages: AsyncGenerator<Page>, cells: ColumnCells, name: string) {
    this.pages = pages;
    this.cells = cells;
    this.name = name;
  }

  /** Goes to the next page that has rows. */
  async next(): Promise<void> {
    while (this.left === 0) {
      const { value } = (await this.pages.next()) as IteratorResult<Page, undefined>;
      if (value === undefined) throw new Error(`column "${this.name}" has fewer rows than its row group`);
      if (value.values !== this.page?.values) this.write = this.cells(value.values);
      this.page = value;
      this.row = 0;
      this.left = value.rows;
    }
  }

  writeCell(out: TextBuffer): void {
    const { places } = this.page!;
    const place = places === null ? this.row : places[this.row]!;
    this.row++;
    this.left--;
    if (place >= 0) this.write(place, out);
  }
}
