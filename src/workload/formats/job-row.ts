/** In columns where a line may say nothing. */
export const UNKNOWN = -1;
/** The code of the empty name in the columns where it says something: the pool's own policy, no requirement. */
export const EMPTY_NAME = 0;

/** One job on its way into the columns. A reader sets every field that its format has before each `add`. */
export interface JobRow {
  submitSeconds: number;
  runtimeSeconds: number;
  coresMilli: number;
  /** -1: unknown. */
  memoryMiB: number;
  gpuMilli: number;
  tasks: number;
  /** Parts of a node; -1: the log does not count in them. */
  nodeCpu: number;
  nodeMemory: number;
  /** -1: unknown. */
  estimateSeconds: number;
  jobNumber: number;
  /** -1: of no array. */
  arrayIndex: number;
  /** -1: unknown. */
  recordedWaitSeconds: number;
  /** Codes of the builder's names; -1: unknown. */
  project: number;
  user: number;
  queue: number;
  priority: number;
  /** Codes of the builder's names; `EMPTY_NAME` where the line says nothing. */
  policy: number;
  requires: number;
  pools: number;
  site: number;
  group: number;
  state: number;
  nodes: number;
}

/** A job of which nothing is known but that it takes a core. */
export function unknownJob(): JobRow {
  return {
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
    site: EMPTY_NAME,
    group: EMPTY_NAME,
    state: EMPTY_NAME,
    nodes: EMPTY_NAME,
  };
}
