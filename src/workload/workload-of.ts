import { InputError } from "./errors.ts";
import { MAX_SECONDS } from "./limits.ts";
import type { CodedColumn, Workload } from "./workload.ts";

/** What a workload must have; everything else is optional. */
export type WorkloadColumns = Pick<Workload, "submitSeconds" | "runtimeSeconds" | "coresMilli"> &
  Partial<Omit<Workload, "count">>;

/** A column of numbers: whether they are whole, and which values are right. */
interface NumberColumn {
  readonly isWhole: boolean;
  readonly rule: string;
  readonly isRight: (value: number) => boolean;
}

const seconds: NumberColumn = {
  isWhole: false,
  rule: `0 to ${MAX_SECONDS}`,
  isRight: (value) => value >= 0 && value <= MAX_SECONDS,
};
const secondsIfKnown: NumberColumn = {
  isWhole: false,
  rule: `0 to ${MAX_SECONDS}, or NaN if unknown`,
  isRight: (value) => Number.isNaN(value) || seconds.isRight(value),
};
const ofNode = { isWhole: false, rule: "a part of a node, at most 1" };
const atLeast = (least: number): NumberColumn => ({
  isWhole: true,
  rule: `${least} or more`,
  isRight: (value) => value >= least,
});

const numberColumns: Readonly<Partial<Record<keyof Workload, NumberColumn>>> = {
  submitSeconds: {
    isWhole: false,
    rule: `in ascending order, and at most ${MAX_SECONDS} from 0`,
    isRight: (value) => Math.abs(value) <= MAX_SECONDS,
  },
  runtimeSeconds: seconds,
  coresMilli: atLeast(1),
  memoryMiB: atLeast(0),
  gpuMilli: atLeast(0),
  nodeCpu: { ...ofNode, isRight: (value) => value > 0 && value <= 1 },
  nodeMemory: { ...ofNode, isRight: (value) => value >= 0 && value <= 1 },
  tasks: atLeast(1),
  estimateSeconds: secondsIfKnown,
  recordedWaitSeconds: secondsIfKnown,
  cancelAfterSeconds: secondsIfKnown,
  jobNumber: { isWhole: false, rule: "a whole number", isRight: Number.isSafeInteger },
  arrayIndex: atLeast(-1),
  priority: { isWhole: true, rule: "a whole number", isRight: Number.isInteger },
};

const codedColumns: readonly (keyof Workload)[] = [
  ...(["project", "user", "queue", "group", "policy", "requires", "pools", "restartPools"] as const),
  ...(["site", "licences", "state", "nodes"] as const),
];

/** The count of a workload that is given again is worked out anew. */
const otherFields: readonly (keyof Workload)[] = ["name", "synthetic", "format", "notes", "farm", "count"];

/**
 * Makes a workload of columns from a program. Columns that are not given are absent.
 *
 * @throws InputError if a column has another type or length than it must have, a value is out of range, submissions are
 *   out of order, or there is no such column
 */
export function workloadOf(columns: WorkloadColumns): Workload {
  const given = Object.entries(columns).filter(([, column]) => column !== undefined) as [
    keyof Workload,
    unknown,
  ][];
  for (const name of ["submitSeconds", "runtimeSeconds", "coresMilli"] as const)
    if (columns[name] == null) throw new InputError(`column ${name} is missing`);
  const count = columns.submitSeconds.length;
  for (const [name, column] of given) {
    if (otherFields.includes(name) || column === null) continue;
    const rule = numberColumns[name];
    if (rule !== undefined) checkNumbers(name, column, rule, count);
    else if (codedColumns.includes(name)) checkCodes(name, column, count);
    else throw new InputError(`there is no column ${name}`);
  }
  const limit = columns.farm?.maxRuntimeSeconds;
  if (limit !== undefined && !(limit >= 0 && limit <= MAX_SECONDS))
    throw new InputError(`farm.maxRuntimeSeconds must be 0 to ${MAX_SECONDS}`);
  const { submitSeconds } = columns;
  for (let row = 1; row < count; row++)
    if (submitSeconds[row]! < submitSeconds[row - 1]!)
      throw new InputError(`row ${row}: submitSeconds must be ${numberColumns.submitSeconds!.rule}`);
  return {
    name: "workload",
    synthetic: false,
    memoryMiB: null,
    gpuMilli: null,
    tasks: null,
    estimateSeconds: null,
    jobNumber: null,
    recordedWaitSeconds: null,
    project: null,
    user: null,
    queue: null,
    policy: null,
    priority: null,
    requires: null,
    pools: null,
    site: null,
    group: null,
    notes: [],
    farm: null,
    ...(Object.fromEntries(given) as unknown as WorkloadColumns),
    count,
  };
}

function checkNumbers(
  name: string,
  column: unknown,
  { isWhole, rule, isRight }: NumberColumn,
  count: number,
): void {
  if (isWhole ? !(column instanceof Int32Array) : !(column instanceof Float64Array))
    throw new InputError(`column ${name} must be ${isWhole ? "an Int32Array" : "a Float64Array"}`);
  const values = column as Int32Array | Float64Array;
  checkLength(name, values.length, count);
  const row = values.findIndex((value) => !isRight(value));
  if (row >= 0) throw new InputError(`row ${row}: ${name} must be ${rule}`);
}

function checkCodes(name: string, column: unknown, count: number): void {
  const { codes, names } = column as Partial<CodedColumn>;
  if (!(codes instanceof Int32Array && Array.isArray(names)))
    throw new InputError(`column ${name} must be { codes, names }: an Int32Array, and a list of texts`);
  checkLength(name, codes.length, count);
  const row = codes.findIndex((code) => !(code >= 0 && code < names.length));
  if (row >= 0) throw new InputError(`row ${row}: ${name} has the code ${codes[row]}, and no name for it`);
}

function checkLength(name: string, length: number, count: number): void {
  if (length !== count) throw new InputError(`column ${name} has ${length} rows, submitSeconds ${count}`);
}
