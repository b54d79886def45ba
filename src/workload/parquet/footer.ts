import { ThriftReader, type ThriftStruct } from "./thrift.ts";

/** The metadata at the end of a Parquet file (parquet-format, `FileMetaData`). */
export interface Footer {
  readonly rows: number;
  /** The columns that are not in a group. */
  readonly columns: readonly Column[];
  readonly groups: readonly RowGroup[];
  readonly metadata: ReadonlyMap<string, string>;
}

export interface Column {
  readonly name: string;
  /** Undefined for a group of columns. */
  readonly type: PhysicalType | undefined;
  readonly repetition: "required" | "optional" | "repeated";
  /** Whether numbers are plain numbers: not dates or decimals. */
  readonly plainNumber: boolean;
}

export type PhysicalType = (typeof physicalTypes)[number];
export type Codec = (typeof codecs)[number];

export interface RowGroup {
  readonly rows: number;
  readonly chunks: readonly Chunk[];
}

/** The position of one column of one row group. */
export interface Chunk {
  readonly path: readonly string[];
  readonly codec: Codec | undefined;
  readonly offset: number;
  readonly bytes: number;
}

const physicalTypes = [
  "BOOLEAN",
  "INT32",
  "INT64",
  "INT96",
  "FLOAT",
  "DOUBLE",
  "BYTE_ARRAY",
  "FIXED_LEN_BYTE_ARRAY",
] as const;
const codecs = ["UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"] as const;
const repetitions = ["required", "optional", "repeated"] as const;
/** The converted types UINT_8 to INT_64. */
const integerConversions = { from: 11, to: 18 };
/** The field INTEGER in the union of logical types. */
const integerLogicalType = 10;

/** @throws {Error} if the bytes are not a footer */
export function parseFooter(bytes: Uint8Array<ArrayBuffer>): Footer {
  const file = new ThriftReader(bytes).struct();
  return {
    rows: file.number(3),
    columns: topLevelColumns(file.structs(2)),
    groups: file.structs(4).map((group) => ({
      rows: group.number(3),
      chunks: group.structs(1).flatMap(chunkOf),
    })),
    metadata: new Map(file.structs(5).map((entry) => [entry.text(1) ?? "", entry.text(2) ?? ""])),
  };
}

/** The schema is a tree in preorder, the root first. */
function topLevelColumns(schema: readonly ThriftStruct[]): Column[] {
  const columns: Column[] = [];
  /** For each open group, the number of children to come. */
  const open = [Number.POSITIVE_INFINITY];
  for (const element of schema.slice(1)) {
    if (open.length === 1) columns.push(columnOf(element));
    open[open.length - 1]!--;
    const children = element.number(5);
    if (children > 0) open.push(children);
    while (open.at(-1)! <= 0) open.pop();
  }
  return columns;
}

function columnOf(element: ThriftStruct): Column {
  const converted = element.number(6);
  const logical = element.struct(10);
  return {
    name: element.text(4) ?? "",
    type: physicalTypes[element.number(1)],
    repetition: repetitions[element.number(3)] ?? "required",
    plainNumber:
      (Number.isNaN(converted) ||
        (converted >= integerConversions.from && converted <= integerConversions.to)) &&
      (logical === undefined || logical.has(integerLogicalType)),
  };
}

function chunkOf(chunk: ThriftStruct): Chunk[] {
  const metadata = chunk.struct(3);
  // A chunk in another file, or an encrypted one, has no usable metadata here.
  if (metadata === undefined || chunk.has(1)) return [];
  const data = metadata.number(9);
  const dictionary = metadata.number(11);
  return [
    {
      path: metadata.texts(3),
      codec: codecs[metadata.number(4)],
      offset: dictionary > 0 && dictionary < data ? dictionary : data,
      bytes: metadata.number(7),
    },
  ];
}
