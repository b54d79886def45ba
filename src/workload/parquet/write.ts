import { ByteWriter, ParquetWriter, type ColumnSource, type SchemaElement } from "hyparquet-writer";
import { AtomicFile } from "../atomic-file.ts";
import type { CodedColumn, Workload } from "../workload.ts";
import { factsKey, nameColumns, numberColumns, type FileFacts, type NumberColumn } from "./columns.ts";

/** Rows in a group. A group is held in memory while writing, and read at once by a reader. */
const rowGroupRows = 1 << 20;

/** One column of the file: its schema, and its values for some rows. */
interface OutputColumn {
  readonly schema: SchemaElement;
  readonly encoding: ColumnSource["encoding"];
  readonly slice: (from: number, to: number) => ColumnSource["data"];
}

/**
 * Writes the workload as Parquet: one flat, required column for each field it has.
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
  for (const { name, of } of nameColumns) {
    const coded = of(workload);
    if (coded !== null) columns.push(nameOutput(name, coded));
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
      createdBy: "croft",
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
  if (column.storage === "float") {
    // Times and job numbers rarely repeat, so a dictionary would only cost time.
    const narrow = fitsInt32(values);
    return {
      schema: { name: column.name, type: narrow ? "INT32" : "DOUBLE", repetition_type: "REQUIRED" },
      encoding: "PLAIN",
      slice: (from, to) => (narrow ? Int32Array.from(values.subarray(from, to)) : values.slice(from, to)),
    };
  }
  const whole = column.milli === true && values.every((value) => value % 1000 === 0);
  const name = column.milli === true && !whole ? `${column.name}_milli` : column.name;
  return {
    schema: { name, type: "INT32", repetition_type: "REQUIRED" },
    // The writer tries a dictionary and keeps it if it halves the column.
    encoding: undefined,
    slice: (from, to) => {
      const slice = Int32Array.from(values.subarray(from, to));
      if (whole) for (let i = 0; i < slice.length; i++) slice[i] = slice[i]! / 1000;
      return slice;
    },
  };
}

function nameOutput(name: string, { codes, names }: CodedColumn): OutputColumn {
  return {
    schema: {
      name,
      type: "BYTE_ARRAY",
      converted_type: "UTF8",
      logical_type: { type: "STRING" },
      repetition_type: "REQUIRED",
    },
    encoding: "RLE_DICTIONARY",
    slice: (from, to) => Array.from(codes.subarray(from, to), (code) => names[code]),
  };
}

function fitsInt32(values: Float64Array | Int32Array): boolean {
  for (let i = 0; i < values.length; i++) {
    // `Object.is` excludes NaN and -0.
    if (!Object.is(values[i], values[i]! | 0)) return false;
  }
  return true;
}
