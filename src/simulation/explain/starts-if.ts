import type { Farm, Machines, Workload } from "../../workload/index.ts";
import { simulate, type GivenSettings } from "../simulate.ts";
import type { StartIf } from "./explanation.ts";
import { UntilStarted } from "./until-started.ts";

type Change = StartIf["change"];

/**
 * When a job would have first started if it had asked for less: with half of its cores, of its memory, of the time it
 * expected, as far as the log tells them. Each is a run of its own, with that job changed, up to its start. Only those
 * in which it starts earlier are told.
 *
 * @param startSeconds when it did start; NaN: never
 */
export function startsIf(
  row: number,
  workload: Workload,
  on: Machines | Farm,
  settings: GivenSettings,
  startSeconds: number,
): StartIf[] {
  return changesOf(row, workload).flatMap((change) => {
    const { schedule } = simulate(changed(workload, row, change), on, settings, {
      observe: (driver) => new UntilStarted([row], driver),
    });
    const start = schedule.startSeconds[row];
    const isEarlier = start < (Number.isNaN(startSeconds) ? Infinity : startSeconds);
    return isEarlier ? [{ change, startSeconds: start }] : [];
  });
}

function changesOf(
  row: number,
  { coresMilli, memoryMiB, estimateSeconds, runtimeSeconds }: Workload,
): Change[] {
  const cores = Math.ceil(coresMilli[row] / 2000);
  const memory = memoryMiB === null ? 0 : Math.ceil(memoryMiB[row] / 2);
  // What it ran for it has to expect.
  const estimate = Math.max(runtimeSeconds[row], (estimateSeconds?.[row] ?? Number.NaN) / 2);
  return [
    ...(memory > 0 && memory < memoryMiB![row] ? [{ memoryMiB: memory }] : []),
    ...(cores * 1000 < coresMilli[row] ? [{ cores }] : []),
    ...(estimate < (estimateSeconds?.[row] ?? 0) ? [{ estimateSeconds: estimate }] : []),
  ];
}

function changed(workload: Workload, row: number, { cores, memoryMiB, estimateSeconds }: Change): Workload {
  const { coresMilli } = workload;
  return {
    ...workload,
    ...(cores === undefined ? {} : { coresMilli: coresMilli.with(row, cores * 1000) }),
    ...(memoryMiB === undefined ? {} : { memoryMiB: workload.memoryMiB!.with(row, memoryMiB) }),
    ...(estimateSeconds === undefined
      ? {}
      : { estimateSeconds: workload.estimateSeconds!.with(row, estimateSeconds) }),
  };
}
