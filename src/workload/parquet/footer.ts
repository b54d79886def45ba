import type { CompressionCodec, FileMetaData, SchemaElement } from "hyparquet";
import { parquetMetadata } from "hyparquet/src/metadata.js";
import type { RandomAccess } from "./file.ts";
import { checkThrift } from "./thrift-check.ts";

/** The metadata at the end of a Parquet file (parquet-format, `FileMetaData`). */
export interface Footer {
  readonly rows: number;
  /** The columns that are not in a group. */
  readonly columns: readonly Column[];
  readonly groups: readonly RowGroup[];
  readonly metadata: ReadonlyMap<string, string>;
  /** The program that wrote the file. */
  readonly writer: string;
}

export interface Column {
  readonly name: string;
  readonly element: SchemaElement;
  /** Whether a row may have no value, or several. */
  readonly repetition: "required" | "optional" | "repeated";
}

interface RowGroup {
  readonly rows: number;
  /** Of the columns that are not in a group, by name. */
  readonly chunks: ReadonlyMap<string, Chunk>;
}

/** The position of one column of one row group. */
export interface Chunk {
  readonly codec: CompressionCodec;
  readonly offset: number;
  readonly bytes: number;
}

/** A larger footer is considered damage: one of a hundred columns in a thousand groups has half as much. */
const MAX_FOOTER_BYTES = 1 << 25;
/** More rows are considered damage: all columns of as many would take 14 GB. */
const MAX_ROWS = 200_000_000;
/** Runs pack many rows into a byte, but no log has so many: without a limit, a small file could ask for all memory. */
const MAX_ROWS_PER_BYTE = 10_000;
const MAGIC = 0x31524150;
const MAGIC_ENCRYPTED = 0x45524150;

/** @throws {Error} if the file is damaged */
export async function readFooter(file: RandomAccess): Promise<Footer> {
  const { size } = file;
  if (size < 12) throw new Error("it is too short");
  const tail = await file.read(size - 8, 8);
  const view = new DataView(tail.buffer, tail.byteOffset);
  const magic = view.getUint32(4, true);
  if (magic === MAGIC_ENCRYPTED) throw new Error("it is encrypted");
  if (magic !== MAGIC) throw new Error("it does not end in PAR1");
  const length = view.getUint32(0, true) + 8;
  if (length > Math.min(size, MAX_FOOTER_BYTES)) throw new Error("its footer has an impossible size");
  const bytes = await file.read(size - length, length);
  checkThrift(bytes.subarray(0, -8), 0);
  const footer = footerOf(parquetMetadata(bytes, { geoparquet: false }));
  checkRows(footer, size);
  return footer;
}

function footerOf({ num_rows, schema, row_groups, key_value_metadata, created_by }: FileMetaData): Footer {
  return {
    rows: Number(num_rows),
    columns: topLevel(schema).map((element) => ({
      name: element.name,
      element,
      repetition:
        element.repetition_type === "OPTIONAL"
          ? "optional"
          : element.repetition_type === "REPEATED"
            ? "repeated"
            : "required",
    })),
    groups: row_groups.map((group) => ({
      rows: Number(group.num_rows),
      chunks: new Map(
        group.columns.flatMap(({ meta_data, file_path }): [string, Chunk][] => {
          // A column in another file, or an encrypted one, is not here.
          if (meta_data === undefined || file_path !== undefined) return [];
          if (meta_data.path_in_schema.length !== 1) return [];
          const data = Number(meta_data.data_page_offset);
          const dictionary = Number(meta_data.dictionary_page_offset ?? 0);
          const offset = dictionary > 0 && dictionary < data ? dictionary : data;
          const bytes = Number(meta_data.total_compressed_size);
          return [[meta_data.path_in_schema[0]!, { codec: meta_data.codec, offset, bytes }]];
        }),
      ),
    })),
    metadata: new Map(key_value_metadata?.map(({ key, value }) => [key, value ?? ""])),
    writer: created_by ?? "",
  };
}

/** The schema is a tree in preorder, the root first. */
function topLevel(schema: readonly SchemaElement[]): SchemaElement[] {
  const elements: SchemaElement[] = [];
  /** For each open group, the number of children to come. */
  const open = [Number.POSITIVE_INFINITY];
  for (const element of schema.slice(1)) {
    if (open.length === 1) elements.push(element);
    open[open.length - 1]!--;
    const children = element.num_children ?? 0;
    if (children > 0) open.push(children);
    while (open.at(-1)! <= 0) open.pop();
  }
  return elements;
}

/** Checked before columns of that many rows are allocated. */
function checkRows({ rows, groups }: Footer, fileBytes: number): void {
  if (!(rows >= 0)) throw new Error("it does not state its rows");
  if (rows > MAX_ROWS) throw new Error(`it states ${rows} rows; at most ${MAX_ROWS} can be read`);
  if (rows > fileBytes * MAX_ROWS_PER_BYTE)
    throw new Error(`it states ${rows} rows, too many for a file of ${fileBytes} bytes`);
  if (!groups.every((group) => group.rows >= 0)) throw new Error("a row group has no size");
  if (groups.reduce((sum, group) => sum + group.rows, 0) !== rows) {
    throw new Error("its row groups do not add up to its rows");
  }
}
