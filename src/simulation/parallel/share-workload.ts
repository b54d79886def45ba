import type { CodedColumn, Workload } from "../../workload/index.ts";

/**
 * The workload with every column on shared memory: worker threads get the columns
 * themselves, not copies. Columns that lie there already stay as they are.
 */
export function shareWorkload(workload: Workload): Workload {
  // A run does not use how jobs ended, where they ran and how long they waited. Their numbers name them in figures and
  // messages.
  const { state: _state, nodes: _nodes, arrayIndex: _arrayIndex, ...looked } = workload;
  const used = { ...looked, recordedWaitSeconds: null };
  return Object.fromEntries(
    Object.entries(used).map(([field, value]) => [field, shared(value)]),
  ) as typeof used;
}

/** A column on shared memory; anything else as it is. */
function shared(value: Workload[keyof Workload]): Workload[keyof Workload] {
  if (value instanceof Float64Array || value instanceof Int32Array) return onSharedMemory(value);
  return isCoded(value) ? { codes: onSharedMemory(value.codes), names: value.names } : value;
}

function isCoded(value: Workload[keyof Workload]): value is CodedColumn {
  return typeof value === "object" && value !== null && "codes" in value;
}

function onSharedMemory<T extends Float64Array | Int32Array>(column: T): T {
  if (column.buffer instanceof SharedArrayBuffer) return column;
  const copy = new (column.constructor as new (buffer: SharedArrayBuffer) => T)(
    new SharedArrayBuffer(column.byteLength),
  );
  copy.set(column);
  return copy;
}
