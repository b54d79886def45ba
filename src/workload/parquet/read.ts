import { open, type FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { parquetMetadata, type FileMetaData, type SchemaElement } from "hyparquet";
import { InputError } from "../errors.ts";
import type { CodedColumn, Workload, WorkloadNote } from "../workload.ts";
import {
  factsKey,
  nameColumns,
  numberColumns,
  requiredColumns,
  type ColumnName,
  type FileFacts,
  type NumberColumn,
} from "./columns.ts";
import { decodeChunk, type PageValues } from "./pages.ts";
import { sortBySubmission } from "./sort.ts";

export interface ParquetOptions {
  /** Read only these of the file's columns, besides submit, runtime and cores; by default all that a workload has. */
  readonly columns?: readonly ColumnName[];
}

/** More rows than this are taken for damage: all columns of as many would take 14 GB. */
const maxRows = 200_000_000;
/** A footer of more bytes than this is taken for damage. */
const maxFooterBytes = 1 << 26;
const maxInt32 = 2 ** 31 - 1;

/**
 * Reads a workload from Parquet: this project's own, or anyone's with flat columns of these names.
 *
 * Columns: `submit`, `runtime`, `cores` (or `cores_milli`), and where present `memory`,
 * `gpu` (or `gpu_milli`), `tasks`, `estimate`, `wait`, `job`, `priority`, `project`,
 * `user`, `queue`, `policy`; seconds, cores, MiB. Numbers may be INT32, INT64, FLOAT or
 * DOUBLE, names strings or whole numbers. Other columns are ignored.
 *
 * @throws {InputError} where the file is missing, damaged, or holds what no job can ask for.
 */
export async function readParquet(path: string, options: ParquetOptions = {}): Promise<Workload> {
  let handle: FileHandle;
  try {
    handle = await open(path, "r");
  } catch (error) {
    throw new InputError(`cannot be opened: ${(error as Error).message}`, { file: path });
  }
  try {
    return await readOpened(path, handle, options);
  } catch (error) {
    if (error instanceof InputError) throw error;
    // Whatever a decoder trips over on damaged bytes (ranges, types, lengths) means the same.
    throw new InputError(`is damaged or not a Parquet file: ${(error as Error).message}`, { file: path });
  } finally {
    await handle.close();
  }
}

async function readOpened(path: string, handle: FileHandle, options: ParquetOptions): Promise<Workload> {
  const { size } = await handle.stat();
  const metadata = await readFooter(handle, size);
  const count = Number(metadata.num_rows);
  if (!(count >= 0 && count <= maxRows)) {
    throw new InputError(`states ${count} rows; at most ${maxRows} can be read`, { file: path });
  }
  const file = new ColumnFile(path, handle, size, metadata, count);
  const wanted = (name: ColumnName): boolean =>
    requiredColumns.has(name) || options.columns === undefined || options.columns.includes(name);

  const numbers = new Map<ColumnName, Float64Array | Int32Array>();
  for (const column of numberColumns) {
    if (wanted(column.name)) {
      const values = await readNumbers(file, column);
      if (values !== null) numbers.set(column.name, values);
    }
  }
  const names = new Map<ColumnName, CodedColumn>();
  for (const { name } of nameColumns) {
    if (wanted(name)) {
      const coded = await readNames(file, name);
      if (coded !== null) names.set(name, coded);
    }
  }

  const floats = (name: ColumnName): Float64Array | null => (numbers.get(name) as Float64Array) ?? null;
  const integers = (name: ColumnName): Int32Array | null => (numbers.get(name) as Int32Array) ?? null;
  return sortBySubmission({
    ...readFacts(path, metadata),
    count,
    submitSeconds: floats("submit")!,
    runtimeSeconds: floats("runtime")!,
    coresMilli: integers("cores")!,
    memoryMiB: integers("memory"),
    gpuMilli: integers("gpu"),
    tasks: integers("tasks"),
    estimateSeconds: floats("estimate"),
    jobNumber: floats("job"),
    recordedWaitSeconds: floats("wait"),
    project: names.get("project") ?? null,
    user: names.get("user") ?? null,
    queue: names.get("queue") ?? null,
    policy: names.get("policy") ?? null,
    priority: integers("priority"),
  });
}

async function readFooter(handle: FileHandle, size: number): Promise<FileMetaData> {
  const tail = await readBytes(handle, Math.max(0, size - 8), 8);
  const view = new DataView(tail.buffer);
  if (size < 12 || view.getUint32(4, true) !== 0x31524150) throw new Error("it does not end in PAR1");
  const footerBytes = view.getUint32(0, true) + 8;
  if (footerBytes > Math.min(size, maxFooterBytes)) throw new Error("its footer has an impossible size");
  return parquetMetadata(await readBytes(handle, size - footerBytes, footerBytes), { geoparquet: false });
}

async function readBytes(
  handle: FileHandle,
  position: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(length);
  for (let filled = 0; filled < length;) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) throw new Error("it ends too early");
    filled += bytesRead;
  }
  return bytes;
}

/** The open file and where its columns lie. */
class ColumnFile {
  readonly path: string;
  readonly rows: number;
  readonly #handle: FileHandle;
  readonly #size: number;
  readonly #metadata: FileMetaData;
  readonly #elements = new Map<string, SchemaElement>();

  constructor(path: string, handle: FileHandle, size: number, metadata: FileMetaData, rows: number) {
    this.path = path;
    this.rows = rows;
    this.#handle = handle;
    this.#size = size;
    this.#metadata = metadata;
    // The schema is a tree in preorder; only leaves right under the root can be columns of ours.
    const depthLeft: number[] = [metadata.schema[0]?.num_children ?? 0];
    for (const element of metadata.schema.slice(1)) {
      if (depthLeft.length === 1) this.#elements.set(element.name, element);
      depthLeft[depthLeft.length - 1]!--;
      if ((element.num_children ?? 0) > 0) depthLeft.push(element.num_children!);
      while (depthLeft.length > 1 && depthLeft.at(-1)! <= 0) depthLeft.pop();
    }
  }

  element(name: string): SchemaElement | undefined {
    return this.#elements.get(name);
  }

  /** Calls `onPage` with every page of the column, in the order of the rows. */
  async readColumn(
    element: SchemaElement,
    onPage: (values: PageValues, firstRow: number) => void,
  ): Promise<void> {
    const { name } = element;
    if (element.type === undefined || element.repetition_type === "REPEATED") {
      throw this.error(`column "${name}" is nested; it must have one value a row`);
    }
    let groupStart = 0;
    for (const group of this.#metadata.row_groups) {
      const rows = Number(group.num_rows);
      if (!(rows >= 0 && rows <= this.rows - groupStart)) throw new Error("its row groups exceed its rows");
      const chunk = group.columns.find((c) => c.meta_data?.path_in_schema.join("\0") === name);
      const metadata = chunk?.meta_data;
      if (metadata === undefined || chunk?.file_path !== undefined) {
        throw new Error(`a row group lacks column "${name}"`);
      }
      const { dictionary_page_offset: dictionary, data_page_offset: data } = metadata;
      const from = Number(
        dictionary !== undefined && dictionary > 0n && dictionary < data ? dictionary : data,
      );
      const length = Number(metadata.total_compressed_size);
      if (!(from >= 4 && length >= 0 && from + length <= this.#size)) {
        throw new Error(`column "${name}" lies outside the file`);
      }
      const bytes = await readBytes(this.#handle, from, length);
      const start = groupStart;
      decodeChunk(bytes, { element, metadata }, rows, (values, row) => onPage(values, start + row));
      groupStart += rows;
    }
    if (groupStart !== this.rows) throw new Error("its row groups have fewer rows than it states");
  }

  error(message: string): InputError {
    return new InputError(message, { file: this.path });
  }
}

async function readNumbers(
  file: ColumnFile,
  column: NumberColumn,
): Promise<Float64Array | Int32Array | null> {
  const thousandths = column.milli === true ? file.element(`${column.name}_milli`) : undefined;
  const element = thousandths ?? file.element(column.name);
  if (element === undefined) {
    if (!requiredColumns.has(column.name)) return null;
    throw file.error(
      `has no column "${column.name}"; a workload needs submit and runtime (seconds) and cores`,
    );
  }
  const { logical_type: logical, converted_type: converted } = element;
  const plain = logical === undefined || logical.type === "INTEGER";
  if (
    !["INT32", "INT64", "FLOAT", "DOUBLE"].includes(element.type ?? "") ||
    !plain ||
    !(converted === undefined || converted.includes("INT_"))
  ) {
    const kind = logical?.type ?? converted ?? element.type ?? "a group";
    throw file.error(`column "${element.name}" is ${kind}; it must be a plain number`);
  }

  const scale = column.milli === true && thousandths === undefined ? 1000 : 1;
  const integer = column.storage === "integer";
  const target = integer
    ? new Int32Array(new SharedArrayBuffer(file.rows * 4))
    : new Float64Array(new SharedArrayBuffer(file.rows * 8));
  const min = column.min ?? (integer ? -maxInt32 - 1 : -Number.MAX_VALUE);
  const max = integer ? maxInt32 : Number.MAX_VALUE;
  await file.readColumn(element, (values, firstRow) => {
    if (!(values instanceof Int32Array || values instanceof Float64Array)) throw new Error("not numbers");
    for (let i = 0; i < values.length; i++) {
      const read = values[i]!;
      // A fraction of a thousandth or of a MiB is rounded up: what was asked for must fit.
      const value = integer ? Math.ceil(scale === 1 ? read : roundOff(read * scale)) : read;
      if (value >= min && value <= max) {
        target[firstRow + i] = value;
      } else if (Number.isNaN(value) && column.empty !== null) {
        target[firstRow + i] = column.empty;
      } else {
        const what = Number.isNaN(value) ? "empty" : String(read);
        throw file.error(
          `row ${firstRow + i + 1}: ${element.name} is ${what}; it must be a number` +
            (column.min === null ? "" : column.min === 0 ? ", 0 or more" : ", greater than 0"),
        );
      }
    }
  });
  return target;
}

/** Takes the error of one multiplication off: 0.07 × 1000 is 70.00000000000001. */
function roundOff(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value - rounded) < 1e-6 ? rounded : value;
}

async function readNames(file: ColumnFile, name: string): Promise<CodedColumn | null> {
  const element = file.element(name);
  if (element === undefined) return null;
  const codes = new Int32Array(new SharedArrayBuffer(file.rows * 4));
  const names: string[] = [];
  const codeOf = new Map<string, number>();
  const code = (value: string): number => {
    let known = codeOf.get(value);
    if (known === undefined) {
      known = names.length;
      names.push(value);
      codeOf.set(value, known);
    }
    return known;
  };
  const decoder = new TextDecoder();
  let dictionary: readonly Uint8Array[] | null = null;
  let dictionaryCodes = new Int32Array(0);
  await file.readColumn(element, (values, firstRow) => {
    if (values instanceof Int32Array || values instanceof Float64Array) {
      for (let i = 0; i < values.length; i++) {
        codes[firstRow + i] = code(Number.isNaN(values[i]) ? "" : String(values[i]));
      }
    } else if (values.kind === "strings") {
      values.values.forEach((bytes, i) => {
        codes[firstRow + i] = code(bytes === null ? "" : decoder.decode(bytes));
      });
    } else {
      if (values.dictionary !== dictionary) {
        dictionary = values.dictionary;
        dictionaryCodes = new Int32Array(dictionary.length).fill(-1);
      }
      const { indexes } = values;
      for (let i = 0; i < indexes.length; i++) {
        const index = indexes[i]!;
        let known = index < 0 ? code("") : dictionaryCodes[index]!;
        if (known < 0) {
          known = code(decoder.decode(values.dictionary[index]));
          dictionaryCodes[index] = known;
        }
        codes[firstRow + i] = known;
      }
    }
  });
  return { codes, names };
}

/** What the file says of itself; for a stranger's file, what its name says. */
function readFacts(path: string, metadata: FileMetaData): FileFacts {
  const stored = metadata.key_value_metadata?.find(({ key }) => key === factsKey)?.value;
  if (stored === undefined) {
    return { name: basename(path).replace(/\.[^.]*$/, ""), synthetic: false, notes: [], farm: null };
  }
  const facts = JSON.parse(stored) as Partial<FileFacts> | null;
  const notes: readonly WorkloadNote[] | undefined = facts?.notes;
  if (typeof facts?.name !== "string" || typeof facts.synthetic !== "boolean" || !Array.isArray(notes)) {
    throw new Error(`its ${factsKey} metadata is incomplete`);
  }
  return { name: facts.name, synthetic: facts.synthetic, notes, farm: facts.farm ?? null };
}
