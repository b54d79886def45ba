import { ByteWriter, ParquetWriter, type ColumnSource, type SchemaElement } from "hyparquet-writer";
import { AtomicFile } from "../atomic-file.ts";
import type { CodedColumn, Workload } from "../workload.ts";
import {
  CREATED_BY,
  factsKey,
  nameColumns,
  numberColumns,
  type FileFacts,
  type NameColumn,
  type NumberColumn,
} from "./columns.ts";

/** Rows in a group. A group is held in memory while writing, and read at once by a reader. */
const rowGroupRows = 1 << 20;

/** One column of the file: its schema, and its values for some rows. */
interface OutputColumn {
  readonly schema: SchemaElement;
  readonly encoding: ColumnSource["encoding"];
  readonly slice: (from: number, to: number) => ColumnSource["data"];
}

/**
 * Writes the workload as Parquet: one flat column for each field that it has, with nothing (null) where a job has none.
 *
 * Whole numbers become INT32 where all of a column's values fit, others DOUBLE; names become dictionary-encoded
 * strings. Pages are not compressed: the packed small integers leave little to gain, and reading is faster without.
 * Reading the file back gives an equal workload, with names in order of first use.
 *
 * @throws {InputError} if the path cannot be written to
 */
export async function writeParquet(workload: Workload, path: string): Promise<void> {
  const columns: OutputColumn[] = [];
  for (const column of numberColumns) {
    const values = column.of(workload);
    if (values !== null) columns.push(numberOutput(column, values));
  }
  for (const column of nameColumns) {
    const coded = column.of(workload);
    if (coded !== null) columns.push(nameOutput(column, coded));
  }

  const file = await AtomicFile.open(path);
  try {
    const buffer = new ByteWriter();
    const flush = async (): Promise<void> => {
      await file.write(new Uint8Array(buffer.buffer, 0, buffer.index));
      buffer.index = 0;
    };
    const { name, synthetic, notes, farm } = workload;
    const facts: FileFacts = { name, synthetic, notes, farm };
    const parquet = new ParquetWriter({
      writer: buffer,
      codec: "UNCOMPRESSED",
      // Minima and maxima would cost a slow pass over every value, and nothing here filters by them.
      statistics: false,
      schema: [{ name: "workload", num_children: columns.length }, ...columns.map((c) => c.schema)],
      kvMetadata: [{ key: factsKey, value: JSON.stringify(facts) }],
      createdBy: CREATED_BY,
    });
    for (let from = 0; from < workload.count; from += rowGroupRows) {
      const to = Math.min(from + rowGroupRows, workload.count);
      const columnData = columns.map(({ schema, encoding, slice }) => ({
        name: schema.name,
        data: slice(from, to),
        ...(encoding === undefined ? {} : { encoding }),
        offsetIndex: false,
      }));
      await parquet.write({ columnData, rowGroupSize: rowGroupRows });
      await flush();
    }
    await parquet.finish();
    await flush();
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

function numberOutput(column: NumberColumn, values: Float64Array | Int32Array): OutputColumn {
  const { name, empty } = column;
  const scale = column.milli === true ? 1000 : 1;
  const isNarrow = isWhole(values, scale, empty);
  const hasEmpty = empty !== null && values.includes(empty);
  return {
    schema: {
      name,
      type: isNarrow ? "INT32" : "DOUBLE",
      repetition_type: hasEmpty ? "OPTIONAL" : "REQUIRED",
    },
    // Times and job numbers rarely repeat, so a dictionary would only cost time. Of others the writer tries one, and
    // keeps it if it halves the column.
    encoding: column.storage === "float" ? "PLAIN" : undefined,
    slice: (from, to) => {
      const part = values.subarray(from, to);
      if (hasEmpty) return Array.from(part, (value) => (Object.is(value, empty) ? null : value / scale));
      const slice = isNarrow ? Int32Array.from(part) : Float64Array.from(part);
      if (scale !== 1) for (let i = 0; i < slice.length; i++) slice[i] = part[i]! / scale;
      return slice;
    },
  };
}

function nameOutput({ name, empty }: NameColumn, { codes, names }: CodedColumn): OutputColumn {
  const emptyCode = names.indexOf(empty);
  const hasEmpty = emptyCode !== -1 && codes.includes(emptyCode);
  const cells = names.map((each) => (each === empty ? null : each));
  return {
    schema: {
      name,
      type: "BYTE_ARRAY",
      converted_type: "UTF8",
      logical_type: { type: "STRING" },
      repetition_type: hasEmpty ? "OPTIONAL" : "REQUIRED",
    },
    encoding: "RLE_DICTIONARY",
    slice: (from, to) => Array.from(codes.subarray(from, to), (code) => cells[code]),
  };
}

/** Whether all values that are written are whole numbers of 32 bits. */
function isWhole(values: Float64Array | Int32Array, scale: number, empty: number | null): boolean {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]! / scale;
    // `Object.is` excludes -0.
    if (!Object.is(value, value | 0) && !Object.is(values[i], empty)) return false;
  }
  return true;
}
