import type { Workload } from "../../workload/index.ts";

/** The most cores in use at any time, in thousandths, as recorded. Jobs of unknown wait are left out. */
export function mostCoresInUse(workload: Workload): number {
  const { count, submitSeconds, runtimeSeconds, coresMilli, tasks, recordedWaitSeconds } = workload;
  if (recordedWaitSeconds === null) return 0;
  const known = Uint32Array.from({ length: count }, (_, row) => row).filter(
    (row) => !Number.isNaN(recordedWaitSeconds[row]) && runtimeSeconds[row] > 0,
  );
  const starts = submitSeconds.map((submit, row) => submit + recordedWaitSeconds[row]);
  const ends = starts.map((start, row) => start + runtimeSeconds[row]);
  const byStart = known.toSorted((a, b) => starts[a] - starts[b]);
  const byEnd = known.toSorted((a, b) => ends[a] - ends[b]);
  const cores = (row: number): number => coresMilli[row] * (tasks === null ? 1 : tasks[row]);
  let most = 0;
  let now = 0;
  let ended = 0;
  for (const row of byStart) {
    // A job that ends at this very time has made room.
    while (ended < byEnd.length && ends[byEnd[ended]] <= starts[row]) now -= cores(byEnd[ended++]);
    now += cores(row);
    most = Math.max(most, now);
  }
  return most;
}
