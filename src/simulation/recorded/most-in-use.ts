import type { Workload } from "../../workload/index.ts";

export interface MostInUse {
  /** The most cores in use at any time, in thousandths. */
  readonly mostMilli: number;
  /** How long more than those that there are were in use. */
  readonly secondsAbove: number;
}

/**
 * As recorded. Jobs of unknown wait are left out.
 *
 * @param thereMilli how many cores there are
 */
export function mostCoresInUse(workload: Workload, thereMilli: number): MostInUse {
  const { count, submitSeconds, runtimeSeconds, coresMilli, tasks, recordedWaitSeconds } = workload;
  if (recordedWaitSeconds === null) return { mostMilli: 0, secondsAbove: 0 };
  const known = Uint32Array.from({ length: count }, (_, row) => row).filter(
    (row) => !Number.isNaN(recordedWaitSeconds[row]) && runtimeSeconds[row] > 0,
  );
  const starts = submitSeconds.map((submit, row) => submit + recordedWaitSeconds[row]);
  const ends = starts.map((start, row) => start + runtimeSeconds[row]);
  const byStart = known.toSorted((a, b) => starts[a] - starts[b]);
  const byEnd = known.toSorted((a, b) => ends[a] - ends[b]);
  const cores = (row: number): number => coresMilli[row] * (tasks === null ? 1 : tasks[row]);
  let mostMilli = 0;
  let secondsAbove = 0;
  let now = 0;
  let since = 0;
  let ended = 0;
  const changeAt = (time: number, byMilli: number): void => {
    if (now > thereMilli) secondsAbove += time - since;
    since = time;
    now += byMilli;
    mostMilli = Math.max(mostMilli, now);
  };
  const endUntil = (time: number): void => {
    for (; ended < byEnd.length && ends[byEnd[ended]] <= time; ended++)
      changeAt(ends[byEnd[ended]], -cores(byEnd[ended]));
  };
  for (const row of byStart) {
    // A job that ends at this very time has made room.
    endUntil(starts[row]);
    changeAt(starts[row], cores(row));
  }
  endUntil(Infinity);
  return { mostMilli, secondsAbove };
}
