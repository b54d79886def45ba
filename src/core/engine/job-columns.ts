import type { MachineTasks } from "../jobs/placements.ts";
import { rowsOf, type Column } from "../arrays.ts";
import type { EngineJobs } from "../jobs/engine-jobs.ts";
import { loadStates } from "../jobs/transition.ts";
import { NONE } from "../none.ts";
import type { PoolManager } from "./pool-manager.ts";

/**
 * What is kept of each job, by the table that it is in. A column that is added here changes the form of snapshots: those
 * stored before must be given the column, or they are refused.
 */
const kindColumns = ["cores", "memory", "gpu", "tasks", "requirement", "owner", "family"] as const;
const jobColumns = [
  "project",
  "heuristic",
  "estimateSeconds",
  "estimatedEnd",
  "arrival",
  "submittedAt",
] as const;
const engineColumns = [
  "state",
  "pool",
  "virtualPool",
  "candidates",
  "priority",
  "attempt",
  "retriesLeft",
  "restarts",
  "killReason",
  "killTarget",
  "unread",
  "retryAt",
  "toldAt",
  "hold",
  "waitingSince",
  "virtualStart",
  "estimateSeconds",
] as const;

type Columns<Name extends string> = Readonly<Record<Name, Column>>;

/**
 * The jobs of an engine by columns. Jobs are referred to by their place: the first has 0. Columns have the meaning, the
 * units and the values that they have in their tables: see `RequestKinds`, `Jobs` and `EngineJobs`.
 */
export interface JobColumns {
  readonly count: number;
  readonly kinds: Columns<(typeof kindColumns)[number]>;
  /** What each asks for of the pools' licences; absent: no job asks for any. */
  readonly licences?: Column;
  /** Whose limits each counts against; absent: no job has any. */
  readonly accounts?: Column;
  readonly jobs: Columns<(typeof jobColumns)[number]>;
  readonly engineJobs: Columns<(typeof engineColumns)[number]>;
  /** See `EngineJobs.keepsMemory`; absent in older snapshots: as the job's pool suspends. */
  readonly keepsMemory?: Column;
  /** The place of the other attempt at the same job, or `NONE`. */
  readonly twin: Int32Array;
  /** The jobs that are on machines, in the order in which they began to run: an entry for each machine of each job. */
  readonly placements: {
    readonly job: Int32Array;
    readonly machine: Int32Array;
    readonly tasks: Int32Array;
  };
}

/**
 * @param present the jobs, by arrival
 * @param placeOf by handle: the job's place among them
 */
export function takeJobColumns(
  engineJobs: EngineJobs,
  pools: readonly PoolManager[],
  present: Int32Array,
  placeOf: Int32Array,
): JobColumns {
  const { jobs, ranAs, pool, twin } = engineJobs;
  const placed = present.filter((job) => jobs.placement[job] !== NONE);
  // In a pool that suspends nobody it is not known when a job began to run; the number may be another pool's.
  const began = (job: number): number => (pools[pool[job]].machineJobs === null ? 0 : ranAs[job]);
  placed.sort((a, b) => pool[a] - pool[b] || began(a) - began(b) || placeOf[a] - placeOf[b]);
  const entries = Array.from(placed, (job) =>
    pools[pool[job]].placed.placementOf(job).map((entry) => ({ job: placeOf[job], ...entry })),
  ).flat();
  const kind = rowsOf(jobs.kind, present);
  const licences = rowsOf(jobs.kinds.licences, kind);
  const accounts = rowsOf(jobs.kinds.account, kind);
  return {
    count: present.length,
    kinds: columnsOf(kindColumns, jobs.kinds, kind),
    ...(licences.some((each) => each !== 0) && { licences }),
    ...(accounts.some((each) => each !== 0) && { accounts }),
    jobs: columnsOf(jobColumns, jobs, present),
    engineJobs: columnsOf(engineColumns, engineJobs, present),
    keepsMemory: rowsOf(engineJobs.keepsMemory, present),
    twin: rowsOf(twin, present).map((other) => (other === NONE ? NONE : placeOf[other])),
    placements: {
      job: Int32Array.from(entries, ({ job }) => job),
      machine: Int32Array.from(entries, ({ machine }) => machine),
      tasks: Int32Array.from(entries, ({ tasks }) => tasks),
    },
  };
}

/** Adds the jobs to an engine that has none: the handle of each is its place. They are not in pools yet. */
export function addJobs(engineJobs: EngineJobs, pools: readonly PoolManager[], columns: JobColumns): void {
  const { jobs } = engineJobs;
  const { kinds, count } = columns;
  for (let job = 0; job < count; job++) {
    jobs.add({
      cores: kinds.cores[job],
      memory: kinds.memory[job],
      gpu: kinds.gpu[job],
      tasks: kinds.tasks[job],
      requirement: kinds.requirement[job],
      owner: kinds.owner[job],
      family: kinds.family[job],
      licences: columns.licences?.[job] ?? 0,
      account: columns.accounts?.[job] ?? 0,
      project: 0,
      heuristic: NONE,
      estimateSeconds: 0,
    });
    engineJobs.open(job);
  }
  for (const name of jobColumns) jobs[name].set(checked(columns.jobs, name, count));
  for (const name of engineColumns) {
    const column = checked(columns.engineJobs, name, count);
    if (name !== "state" && name !== "pool") engineJobs[name].set(column);
  }
  const { state, pool } = columns.engineJobs;
  const asTheirPools = (): number[] =>
    Array.from(pool, (each) => (pools[each]?.suspendCapability === "cpu-only" ? 1 : 0));
  engineJobs.keepsMemory.set(columns.keepsMemory ?? asTheirPools());
  loadStates(engineJobs, state, pool);
  engineJobs.twin.set(columns.twin);
}

/** The jobs on machines with their machines, in the order of the snapshot. */
export function* placementsOf({ placements }: JobColumns): Generator<[job: number, MachineTasks[]]> {
  const { job, machine, tasks } = placements;
  for (let from = 0, to = 0; from < job.length; from = to) {
    const entries: MachineTasks[] = [];
    for (; to < job.length && job[to] === job[from]; to++)
      entries.push({ machine: machine[to], tasks: tasks[to] });
    yield [job[from], entries];
  }
}

function columnsOf<Name extends string>(
  names: readonly Name[],
  table: Readonly<Record<Name, Column>>,
  rows: Int32Array,
): Columns<Name> {
  return Object.fromEntries(names.map((name) => [name, rowsOf(table[name], rows)])) as Record<Name, Column>;
}

function checked<Name extends string>(columns: Columns<Name>, name: Name, count: number): Column {
  const column: Column | undefined = columns[name];
  if (column?.length !== count)
    throw new Error(`the snapshot of ${count} jobs has ${column?.length ?? "no"} values of ${name}`);
  return column;
}
