import type { CodedColumn, Workload } from "../workload.ts";

/** The columns of a workload in a Parquet file that Croft writes, with the names and units of the CSV format. */
export type ColumnName =
  | "submit"
  | "runtime"
  | "cores"
  | "memory"
  | "gpu"
  | "tasks"
  | "node_cpu"
  | "node_memory"
  | "estimate"
  | "job"
  | "array_index"
  | "wait"
  | "project"
  | "user"
  | "queue"
  | "policy"
  | "priority"
  | "requires"
  | "pools"
  | "restart_pools"
  | "site"
  | "group"
  | "licences"
  | "state"
  | "node_list";

/** A column of numbers, and how the workload stores it. */
export interface NumberColumn {
  readonly name: ColumnName;
  readonly of: (workload: Workload) => Float64Array | Int32Array | null;
  /** Stored as 64-bit floats (times, job numbers) or as 32-bit integers. */
  readonly storage: "float" | "integer";
  /** Whether the workload stores thousandths of the file's unit. */
  readonly milli?: true;
  /** The smallest value that is allowed; null: anything finite. */
  readonly min: number | null;
  /** What the workload has where the file has nothing (null); null: every row has a value. */
  readonly empty: number | null;
}

/** A column of names. */
export interface NameColumn {
  readonly name: ColumnName;
  readonly of: (workload: Workload) => CodedColumn | null;
  /** The name that the workload has where the file has nothing. */
  readonly empty: string;
}

export const requiredColumns: ReadonlySet<ColumnName> = new Set(["submit", "runtime", "cores"]);

export const numberColumns: readonly NumberColumn[] = [
  { name: "submit", of: (w) => w.submitSeconds, storage: "float", min: null, empty: null },
  { name: "runtime", of: (w) => w.runtimeSeconds, storage: "float", min: 0, empty: null },
  { name: "cores", of: (w) => w.coresMilli, storage: "integer", milli: true, min: 1, empty: null },
  { name: "memory", of: (w) => w.memoryMiB, storage: "integer", min: 0, empty: 0 },
  { name: "gpu", of: (w) => w.gpuMilli, storage: "integer", milli: true, min: 0, empty: null },
  { name: "tasks", of: (w) => w.tasks, storage: "integer", min: 1, empty: null },
  { name: "node_cpu", of: (w) => w.nodeCpu ?? null, storage: "float", min: 0, empty: null },
  { name: "node_memory", of: (w) => w.nodeMemory ?? null, storage: "float", min: 0, empty: null },
  {
    name: "estimate",
    of: (w) => w.estimateSeconds,
    storage: "float",
    min: 0,
    empty: Number.NaN,
  },
  { name: "job", of: (w) => w.jobNumber, storage: "float", min: null, empty: null },
  {
    name: "array_index",
    of: (w) => w.arrayIndex ?? null,
    storage: "integer",
    min: 0,
    empty: -1,
  },
  {
    name: "wait",
    of: (w) => w.recordedWaitSeconds,
    storage: "float",
    min: 0,
    empty: Number.NaN,
  },
  { name: "priority", of: (w) => w.priority, storage: "integer", min: null, empty: null },
];

export const nameColumns: readonly NameColumn[] = [
  { name: "project", of: (w) => w.project, empty: "unknown" },
  { name: "user", of: (w) => w.user, empty: "unknown" },
  { name: "queue", of: (w) => w.queue, empty: "unknown" },
  { name: "policy", of: (w) => w.policy, empty: "" },
  { name: "requires", of: (w) => w.requires, empty: "" },
  { name: "pools", of: (w) => w.pools, empty: "" },
  { name: "restart_pools", of: (w) => w.restartPools ?? null, empty: "" },
  { name: "site", of: (w) => w.site, empty: "" },
  { name: "group", of: (w) => w.group, empty: "" },
  { name: "licences", of: (w) => w.licences ?? null, empty: "" },
  { name: "state", of: (w) => w.state ?? null, empty: "" },
  { name: "node_list", of: (w) => w.nodes ?? null, empty: "" },
];

/** What the file says of the program that wrote it. */
export const CREATED_BY = "croft";

/** The key of the file's metadata for what columns cannot hold: see `FileFacts`. */
export const factsKey = "croft.workload";

/** The workload's fields that are not columns, as JSON in the file's metadata. */
export type FileFacts = Pick<Workload, "name" | "synthetic" | "notes" | "farm">;
