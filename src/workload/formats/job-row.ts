/** For columns in which a line need not have a value. */
export const UNKNOWN = -1;
/** The code of the empty name, for columns in which it has a meaning: the pool's own policy, no requirement. */
export const EMPTY_NAME = 0;

/** One job on its way into the columns. Before each `add` a reader sets every field that its format has. */
export interface JobRow {
  submitSeconds: number;
  runtimeSeconds: number;
  coresMilli: number;
  /** -1: unknown. */
  memoryMiB: number;
  gpuMilli: number;
  tasks: number;
  /** As parts of a node; -1 if the log counts otherwise. */
  nodeCpu: number;
  nodeMemory: number;
  /** -1: unknown. */
  estimateSeconds: number;
  jobNumber: number;
  /** -1: not in an array. */
  arrayIndex: number;
  /** -1: unknown. */
  recordedWaitSeconds: number;
  /** Codes of the builder's names; -1: unknown. */
  project: number;
  user: number;
  queue: number;
  priority: number;
  /** Codes of the builder's names; `EMPTY_NAME` if the line has none. */
  policy: number;
  requires: number;
  pools: number;
  restartPools: number;
  site: number;
  group: number;
  licences: number;
  state: number;
  nodes: number;
  /** 1 if it had its nodes for itself, although the log only tells what it asked for. */
  wholeNodes: number;
}

/**
 * A job of which only one core is known.
 *
 * All fields are first set to a number that is not whole. Otherwise a compiler takes each for one of whole numbers until
 * another comes, and begins anew.
 */
export function unknownJob(): JobRow {
  const row: JobRow = {
    submitSeconds: Number.NaN,
    runtimeSeconds: Number.NaN,
    coresMilli: Number.NaN,
    memoryMiB: Number.NaN,
    gpuMilli: Number.NaN,
    tasks: Number.NaN,
    nodeCpu: Number.NaN,
    nodeMemory: Number.NaN,
    estimateSeconds: Number.NaN,
    jobNumber: Number.NaN,
    arrayIndex: Number.NaN,
    recordedWaitSeconds: Number.NaN,
    project: Number.NaN,
    user: Number.NaN,
    queue: Number.NaN,
    priority: Number.NaN,
    policy: Number.NaN,
    requires: Number.NaN,
    pools: Number.NaN,
    restartPools: Number.NaN,
    site: Number.NaN,
    group: Number.NaN,
    licences: Number.NaN,
    state: Number.NaN,
    nodes: Number.NaN,
    wholeNodes: Number.NaN,
  };
  return Object.assign(row, {
    submitSeconds: 0,
    runtimeSeconds: 0,
    coresMilli: 1000,
    memoryMiB: UNKNOWN,
    gpuMilli: 0,
    tasks: 1,
    nodeCpu: UNKNOWN,
    nodeMemory: UNKNOWN,
    estimateSeconds: UNKNOWN,
    jobNumber: 0,
    arrayIndex: UNKNOWN,
    recordedWaitSeconds: UNKNOWN,
    project: UNKNOWN,
    user: UNKNOWN,
    queue: UNKNOWN,
    priority: 0,
    policy: EMPTY_NAME,
    requires: EMPTY_NAME,
    pools: EMPTY_NAME,
    restartPools: EMPTY_NAME,
    site: EMPTY_NAME,
    group: EMPTY_NAME,
    licences: EMPTY_NAME,
    state: EMPTY_NAME,
    nodes: EMPTY_NAME,
    wholeNodes: 0,
  });
}
