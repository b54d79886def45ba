import { basename } from "node:path";
import { InputError } from "../errors.ts";
import type { CodedColumn, Workload, WorkloadNote } from "../workload.ts";
import {
  factsKey,
  nameColumns,
  numberColumns,
  requiredColumns,
  type ColumnName,
  type FileFacts,
  type NameColumn,
  type NumberColumn,
} from "./columns.ts";
import { FileColumns, openBytes, openFile, readFooter, type NamedBytes, type RandomAccess } from "./file.ts";
import type { Footer } from "./footer.ts";
import { sortBySubmission } from "./sort.ts";
import { textOf } from "./thrift.ts";

export interface ParquetOptions {
  /** The file's columns to read, besides submit, runtime and cores; by default all that a workload has. */
  readonly columns?: readonly ColumnName[];
}

/** More rows are considered damage: all columns of as many would take 14 GB. */
const maxRows = 200_000_000;
const numberTypes: ReadonlySet<string> = new Set(["INT32", "INT64", "FLOAT", "DOUBLE"]);
const maxInt32 = 2 ** 31 - 1;

/**
 * Reads a workload from Parquet, whether Croft wrote it or not. The columns must be flat and have these names.
 *
 * Columns: `submit`, `runtime`, `cores` (or `cores_milli`), and where present `memory`,
 * `gpu` (or `gpu_milli`), `tasks`, `estimate`, `wait`, `job`, `priority`, `project`,
 * `array_index`, `user`, `queue`, `policy`, `requires`, `pools`, `restart_pools`, `site`, `group`,
 * `licences`, `state`, `node_list`; seconds, cores, MiB. Numbers may be INT32, INT64, FLOAT or DOUBLE, names
 * strings or whole numbers. Other columns are ignored.
 *
 * @throws {InputError} if the file is missing or damaged, or holds something that no job can ask for
 */
export async function readParquet(
  input: string | NamedBytes,
  options: ParquetOptions = {},
): Promise<Workload> {
  const file = typeof input === "string" ? await openFile(input) : openBytes(input);
  try {
    return await readOpened(file, options);
  } catch (error) {
    if (error instanceof InputError) throw error;
    // All errors of a decoder on damaged bytes (ranges, types, lengths) mean the same.
    throw new InputError(`is damaged or not a Parquet file: ${(error as Error).message}`, {
      file: file.name,
    });
  } finally {
    await file.close();
  }
}

async function readOpened(file: RandomAccess, options: ParquetOptions): Promise<Workload> {
  const footer = await readFooter(file);
  const { rows: count } = footer;
  if (!(count >= 0)) throw new Error("it does not state its rows");
  if (count > maxRows) {
    throw new InputError(`states ${count} rows; at most ${maxRows} can be read`, { file: file.name });
  }
  const columns = new FileColumns(file, footer);
  const wanted = (name: ColumnName): boolean =>
    requiredColumns.has(name) || options.columns === undefined || options.columns.includes(name);

  const facts = readFacts(file.name, footer);
  const notes: WorkloadNote[] = [...facts.notes];
  const numbers = new Map<ColumnName, Float64Array | Int32Array>();
  for (const column of numberColumns) {
    if (wanted(column.name)) {
      const values = await readNumbers(columns, column, notes);
      if (values !== null) numbers.set(column.name, values);
    }
  }
  const names = new Map<ColumnName, CodedColumn>();
  for (const column of nameColumns) {
    if (wanted(column.name)) {
      const coded = await readNames(columns, column);
      if (coded !== null) names.set(column.name, coded);
    }
  }

  const floats = (name: ColumnName): Float64Array | null => (numbers.get(name) as Float64Array) ?? null;
  const integers = (name: ColumnName): Int32Array | null => (numbers.get(name) as Int32Array) ?? null;
  return sortBySubmission({
    ...facts,
    notes,
    count,
    submitSeconds: floats("submit")!,
    runtimeSeconds: floats("runtime")!,
    coresMilli: integers("cores")!,
    memoryMiB: integers("memory"),
    gpuMilli: integers("gpu"),
    tasks: integers("tasks"),
    ...(numbers.has("node_cpu") &&
      numbers.has("node_memory") && {
        nodeCpu: floats("node_cpu")!,
        nodeMemory: floats("node_memory")!,
      }),
    estimateSeconds: floats("estimate"),
    jobNumber: floats("job"),
    ...(numbers.has("array_index") && { arrayIndex: integers("array_index")! }),
    recordedWaitSeconds: floats("wait"),
    project: names.get("project") ?? null,
    user: names.get("user") ?? null,
    queue: names.get("queue") ?? null,
    policy: names.get("policy") ?? null,
    priority: integers("priority"),
    requires: names.get("requires") ?? null,
    pools: names.get("pools") ?? null,
    ...(names.has("restart_pools") && { restartPools: names.get("restart_pools")! }),
    site: names.get("site") ?? null,
    group: names.get("group") ?? null,
    ...(names.has("licences") && { licences: names.get("licences")! }),
    ...(names.has("state") && { state: names.get("state")! }),
    ...(names.has("node_list") && { nodes: names.get("node_list")! }),
  });
}

async function readNumbers(
  file: FileColumns,
  column: NumberColumn,
  notes: WorkloadNote[],
): Promise<Float64Array | Int32Array | null> {
  const inThousandths = column.milli === true ? file.find(`${column.name}_milli`) : undefined;
  const source = inThousandths ?? file.find(column.name);
  if (source === undefined) {
    if (!requiredColumns.has(column.name)) return null;
    throw file.error(
      `has no column "${column.name}"; a workload needs submit and runtime (seconds) and cores`,
    );
  }
  if (!source.plainNumber || !numberTypes.has(source.type ?? "a group")) {
    const kind = source.plainNumber ? (source.type ?? "a group") : "of dates, decimals or text";
    throw file.error(`column "${source.name}" is ${kind}; it must be of plain numbers`);
  }

  const scale = column.milli === true && inThousandths === undefined ? 1000 : 1;
  const integer = column.storage === "integer";
  const target = integer
    ? new Int32Array(new SharedArrayBuffer(file.footer.rows * 4))
    : new Float64Array(new SharedArrayBuffer(file.footer.rows * 8));
  const min = column.min ?? (integer ? -maxInt32 - 1 : -Number.MAX_VALUE);
  const max = integer ? maxInt32 : Number.MAX_VALUE;
  let filled = 0;
  let firstLine = 0;
  await file.read(source, (values, firstRow) => {
    if (!(values instanceof Int32Array || values instanceof Float64Array)) throw new Error("not numbers");
    for (let i = 0; i < values.length; i++) {
      const read = values[i]!;
      // A fraction of a thousandth, or of a MiB, is rounded up, since what was asked for must fit.
      const value = integer ? Math.ceil(scale === 1 ? read : roundOff(read * scale)) : read;
      if (value >= min && value <= max) {
        target[firstRow + i] = value;
      } else if (column.empty !== null && (Number.isNaN(value) || (column.negativeIsEmpty && value < 0))) {
        target[firstRow + i] = column.empty;
        if (filled++ === 0) firstLine = firstRow + i + 1;
      } else {
        const what = Number.isNaN(value) ? "empty" : String(read);
        throw file.error(
          `row ${firstRow + i + 1}: ${source.name} is ${what}; it must be a number` +
            (column.min === null ? "" : column.min === 0 ? ", 0 or more" : ", greater than 0"),
        );
      }
    }
  });
  if (filled > 0 && column.emptyNote !== undefined) {
    notes.push({ what: column.emptyNote, count: filled, firstLine });
  }
  return target;
}

/** Removes the error of one multiplication: 0.07 × 1000 is 70.00000000000001. */
function roundOff(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value - rounded) < 1e-6 ? rounded : value;
}

async function readNames(file: FileColumns, { name, empty }: NameColumn): Promise<CodedColumn | null> {
  const source = file.find(name);
  if (source === undefined) return null;
  const codes = new Int32Array(new SharedArrayBuffer(file.footer.rows * 4));
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
  let dictionary: readonly Uint8Array[] | null = null;
  let dictionaryCodes = new Int32Array(0);
  await file.read(source, (values, firstRow) => {
    if (values instanceof Int32Array || values instanceof Float64Array) {
      for (let i = 0; i < values.length; i++) {
        codes[firstRow + i] = code(Number.isNaN(values[i]) ? empty : String(values[i]));
      }
    } else if (values.kind === "strings") {
      values.strings.forEach((bytes, i) => {
        codes[firstRow + i] = code(bytes === null ? empty : textOf(bytes));
      });
    } else {
      if (values.dictionary !== dictionary) {
        dictionary = values.dictionary;
        dictionaryCodes = new Int32Array(dictionary.length).fill(-1);
      }
      const { indexes } = values;
      for (let i = 0; i < indexes.length; i++) {
        const index = indexes[i]!;
        let known = index < 0 ? code(empty) : dictionaryCodes[index]!;
        if (known < 0) {
          known = code(textOf(values.dictionary[index]!));
          dictionaryCodes[index] = known;
        }
        codes[firstRow + i] = known;
      }
    }
  });
  return { codes, names };
}

/** The file's own metadata; for a file not written by Croft, what its name tells. */
function readFacts(fileName: string, footer: Footer): FileFacts {
  const stored = footer.metadata.get(factsKey);
  if (stored === undefined) {
    return { name: basename(fileName).replace(/\.[^.]*$/, ""), synthetic: false, notes: [], farm: null };
  }
  const facts = JSON.parse(stored) as Partial<FileFacts> | null;
  const notes: readonly WorkloadNote[] | undefined = facts?.notes;
  if (typeof facts?.name !== "string" || typeof facts.synthetic !== "boolean" || !Array.isArray(notes)) {
    throw new Error(`its ${factsKey} metadata is incomplete`);
  }
  return { name: facts.name, synthetic: facts.synthetic, notes, farm: facts.farm ?? null };
}
