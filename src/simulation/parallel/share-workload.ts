import type { CodedColumn, Workload } from "../../workload/index.ts";

type Column = Float64Array | Int32Array;

/**
 * The workload with every column on shared memory: worker threads get the columns
 * themselves, not copies. Columns that lie there already stay as they are.
 */
export function shareWorkload(workload: Workload): Workload {
  // A run does not use how jobs ended, where they ran and which array they are of.
  const { state: _state, nodes: _nodes, arrayIndex: _arrayIndex, ...looked } = workload;
  return {
    ...looked,
    submitSeconds: shared(workload.submitSeconds),
    runtimeSeconds: shared(workload.runtimeSeconds),
    coresMilli: shared(workload.coresMilli),
    memoryMiB: sharedOrNull(workload.memoryMiB),
    gpuMilli: sharedOrNull(workload.gpuMilli),
    tasks: sharedOrNull(workload.tasks),
    ...(workload.nodeCpu && { nodeCpu: shared(workload.nodeCpu) }),
    ...(workload.nodeMemory && { nodeMemory: shared(workload.nodeMemory) }),
    estimateSeconds: sharedOrNull(workload.estimateSeconds),
    project: sharedCodes(workload.project),
    user: sharedCodes(workload.user),
    queue: sharedCodes(workload.queue),
    policy: sharedCodes(workload.policy),
    priority: sharedOrNull(workload.priority),
    requires: sharedCodes(workload.requires),
    pools: sharedCodes(workload.pools),
    ...(workload.restartPools && { restartPools: sharedCodes(workload.restartPools)! }),
    ...(workload.licences && { licences: sharedCodes(workload.licences)! }),
    site: sharedCodes(workload.site),
    group: sharedCodes(workload.group),
    // A run does not look at these.
    jobNumber: null,
    recordedWaitSeconds: null,
  };
}

function shared<T extends Column>(column: T): T {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const copy = new (column.constructor as new (buffer: SharedArrayBuffer) => T)(
    new SharedArrayBuffer(column.byteLength),
  );
  copy.set(column);
  return copy;
}

function sharedOrNull<T extends Column>(column: T | null): T | null {
  return column === null ? null : shared(column);
}

function sharedCodes(column: CodedColumn | null): CodedColumn | null {
  return column === null ? null : { codes: shared(column.codes), names: column.names };
}
