import { orderBySubmit, reordered } from "../order-by-submit.ts";
import { sharedInt32Array } from "../shared-arrays.ts";
import type { CodedColumn, Workload } from "../workload.ts";

/**
 * The workload in order of submission: itself if it is in order, otherwise sorted, jobs of the same time by number,
 * with a note of how many were late.
 */
export function sortBySubmission(workload: Workload): Workload {
  const { submitSeconds, count } = workload;
  let outOfOrder = 0;
  let firstLine = 0;
  for (let row = 1, latest = submitSeconds[0]!; row < count; row++) {
    const submit = submitSeconds[row]!;
    if (submit >= latest) {
      latest = submit;
    } else {
      if (outOfOrder === 0) firstLine = row + 1;
      outOfOrder++;
    }
  }
  if (outOfOrder === 0) return workload;

  const numbers = workload.jobNumber ?? Float64Array.from({ length: count }, (_, row) => row + 1);
  const order = orderBySubmit(submitSeconds, numbers);
  const floats = (column: Float64Array): Float64Array => reordered(column, order);
  const integers = (column: Int32Array): Int32Array => {
    const sorted = sharedInt32Array(count);
    for (let row = 0; row < count; row++) sorted[row] = column[order[row]!]!;
    return sorted;
  };
  const coded = ({ codes, names }: CodedColumn): CodedColumn => ({ codes: integers(codes), names });

  return {
    ...workload,
    submitSeconds: floats(submitSeconds),
    runtimeSeconds: floats(workload.runtimeSeconds),
    coresMilli: integers(workload.coresMilli),
    memoryMiB: optional(workload.memoryMiB, integers),
    gpuMilli: optional(workload.gpuMilli, integers),
    tasks: optional(workload.tasks, integers),
    ...(workload.nodeCpu && { nodeCpu: floats(workload.nodeCpu) }),
    ...(workload.nodeMemory && { nodeMemory: floats(workload.nodeMemory) }),
    estimateSeconds: optional(workload.estimateSeconds, floats),
    // A job without a number of its own keeps the number of its row in the file.
    jobNumber: floats(numbers),
    ...(workload.arrayIndex && { arrayIndex: integers(workload.arrayIndex) }),
    recordedWaitSeconds: optional(workload.recordedWaitSeconds, floats),
    project: optional(workload.project, coded),
    user: optional(workload.user, coded),
    queue: optional(workload.queue, coded),
    policy: optional(workload.policy, coded),
    priority: optional(workload.priority, integers),
    requires: optional(workload.requires, coded),
    pools: optional(workload.pools, coded),
    ...(workload.restartPools && { restartPools: coded(workload.restartPools) }),
    site: optional(workload.site, coded),
    group: optional(workload.group, coded),
    ...(workload.licences && { licences: coded(workload.licences) }),
    ...(workload.state && { state: coded(workload.state) }),
    ...(workload.nodes && { nodes: coded(workload.nodes) }),
    notes: [
      ...workload.notes,
      { what: "sorted: submitted before the row above", count: outOfOrder, firstLine },
    ],
  };
}

function optional<T>(column: T | null, sort: (column: T) => T): T | null {
  return column === null ? null : sort(column);
}
