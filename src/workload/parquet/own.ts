import { InputError } from "../errors.ts";
import { Names } from "../names.ts";
import { sharedFloat64Array, sharedInt32Array } from "../shared-arrays.ts";
import type { CodedColumn, Workload, WorkloadNote } from "../workload.ts";
import {
  CREATED_BY,
  factsKey,
  nameColumns,
  numberColumns,
  requiredColumns,
  type ColumnName,
  type FileFacts,
  type NameColumn,
  type NumberColumn,
} from "./columns.ts";
import type { RandomAccess } from "./file.ts";
import type { Column, Footer } from "./footer.ts";
import { readPages, type Page } from "./pages.ts";
import { sortBySubmission } from "./sort.ts";
import type { Texts } from "./texts.ts";
import { isTexts, type Values } from "./values.ts";

interface ParquetOptions {
  /** The file's columns to read, besides submit, runtime and cores; by default all that a workload has. */
  readonly columns?: readonly ColumnName[];
}

const maxInt32 = 2 ** 31 - 1;

/** Whether Croft wrote the file: its columns then have the names, units and types of `columns.ts`. */
export function isOwn(footer: Footer): boolean {
  return footer.writer === CREATED_BY && footer.metadata.has(factsKey);
}

/**
 * Reads a workload that Croft wrote, column by column.
 *
 * @throws {InputError} if it holds something that no job can ask for
 * @throws {Error} if it is damaged
 */
export async function readOwn(
  file: RandomAccess,
  footer: Footer,
  options: ParquetOptions = {},
): Promise<Workload> {
  const columns = new OwnColumns(file, footer);
  refuseUnknownColumns(columns, footer);
  const wanted = (name: ColumnName): boolean =>
    requiredColumns.has(name) || options.columns === undefined || options.columns.includes(name);

  const facts = readFacts(footer);
  const numbers = new Map<ColumnName, Float64Array | Int32Array>();
  for (const column of numberColumns) {
    if (wanted(column.name)) {
      const values = await readNumbers(columns, column);
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
    count: footer.rows,
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

/** A column that is not read would be lost silently. Another version of Croft may write other ones. */
function refuseUnknownColumns(columns: OwnColumns, footer: Footer): void {
  const known = new Set<string>([...numberColumns, ...nameColumns].map(({ name }) => name));
  const unknown = footer.columns.find(({ name }) => !known.has(name));
  if (unknown !== undefined)
    throw columns.error(
      `it has a column "${unknown.name}", which this version of Croft does not know: another one wrote the file; convert the log again`,
    );
}

/** The columns of an open file. */
class OwnColumns {
  readonly rows: number;
  private readonly file: RandomAccess;
  private readonly footer: Footer;

  constructor(file: RandomAccess, footer: Footer) {
    this.rows = footer.rows;
    this.file = file;
    this.footer = footer;
  }

  find(name: string): Column | undefined {
    return this.footer.columns.find((column) => column.name === name);
  }

  /** Calls `onPage` with every page of the column, in the order of the rows. */
  async read(column: Column, onPage: (page: Page, firstRow: number) => void): Promise<void> {
    let row = 0;
    for (const { rows, chunks } of this.footer.groups) {
      for await (const page of readPages(this.file, column, chunks.get(column.name), rows)) {
        onPage(page, row);
        row += page.rows;
      }
    }
  }

  error(message: string): InputError {
    return new InputError(message, { file: this.file.name });
  }
}

async function readNumbers(
  file: OwnColumns,
  column: NumberColumn,
): Promise<Float64Array | Int32Array | null> {
  const { name, empty } = column;
  const source = file.find(name);
  if (source === undefined) {
    if (!requiredColumns.has(name)) return null;
    throw new Error(`it has no column "${name}"`);
  }
  const integer = column.storage === "integer";
  const scale = column.milli === true ? 1000 : 1;
  const target = integer ? sharedInt32Array(file.rows) : sharedFloat64Array(file.rows);
  const min = column.min ?? (integer ? -maxInt32 - 1 : -Number.MAX_VALUE);
  const max = integer ? maxInt32 : Number.MAX_VALUE;
  await file.read(source, ({ rows, values, places }, firstRow) => {
    const numbers = plainNumbers(values);
    for (let i = 0; i < rows; i++) {
      const place = places === null ? i : places[i]!;
      const read = place < 0 ? Number.NaN : numbers[place]!;
      const value = scale === 1 ? read : Math.round(read * scale);
      if (value >= min && value <= max && (!integer || Number.isInteger(value))) {
        target[firstRow + i] = value;
      } else if (place < 0 && empty !== null) {
        target[firstRow + i] = empty;
      } else {
        const what = place < 0 ? "empty" : String(read);
        throw file.error(
          `row ${firstRow + i + 1}: ${name} is ${what}; it must be a ${integer && scale === 1 ? "whole " : ""}number` +
            (column.min === null ? "" : column.min === 0 ? ", 0 or more" : ", greater than 0"),
        );
      }
    }
  });
  return target;
}

/** @throws {Error} unless the values are those of INT32 or DOUBLE */
function plainNumbers(values: Values): Int32Array | Float64Array {
  if (values instanceof Int32Array || values instanceof Float64Array) return values;
  // A page without a value is of no type.
  if (!isTexts(values) && values.length === 0) return new Int32Array(0);
  throw new Error("a column of numbers has values of another type");
}

async function readNames(file: OwnColumns, { name, empty }: NameColumn): Promise<CodedColumn | null> {
  const source = file.find(name);
  if (source === undefined) return null;
  const codes = sharedInt32Array(file.rows);
  const names = new Names();
  let known: Texts | null = null;
  let codesOfKnown = new Int32Array(0);
  await file.read(source, ({ rows, values, places }, firstRow) => {
    if (!isTexts(values)) throw new Error("a column of names has values of another type");
    const { bytes, starts, ends } = values;
    if (values !== known) {
      known = values;
      codesOfKnown = new Int32Array(starts.length).fill(-1);
    }
    for (let i = 0; i < rows; i++) {
      const place = places === null ? i : places[i]!;
      let code = place < 0 ? names.codeOf(empty) : codesOfKnown[place]!;
      if (code < 0) {
        code = names.codeOf(decoder.decode(bytes.subarray(starts[place], ends[place])));
        codesOfKnown[place] = code;
      }
      codes[firstRow + i] = code;
    }
  });
  return { codes, names: names.list };
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What columns cannot hold. */
function readFacts(footer: Footer): FileFacts {
  const facts = JSON.parse(footer.metadata.get(factsKey)!) as Partial<FileFacts> | null;
  const notes: readonly WorkloadNote[] | undefined = facts?.notes;
  if (typeof facts?.name !== "string" || typeof facts.synthetic !== "boolean" || !Array.isArray(notes)) {
    throw new Error(`its ${factsKey} metadata is incomplete`);
  }
  return { name: facts.name, synthetic: facts.synthetic, notes, farm: facts.farm ?? null };
}
