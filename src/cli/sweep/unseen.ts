import { limitsUnseen, machinesMissing } from "../../report/index.ts";
import { recordedRun } from "../../simulation/index.ts";
import { placelessShare, type Workload } from "../../workload/index.ts";
import { machinesOf, type Place } from "../simulate/place.ts";
import { withoutLimits } from "../simulate/without-limits.ts";
import type { Batch } from "./make-runs.ts";
import type { Sweep } from "./read-sweep.ts";

/** What the runs of a log cannot see of its farm, in sentences that `croft simulate` has too. */
export function unseenOfLog(
  sweep: Sweep,
  { source, cells }: Batch,
  workload: Workload,
  place: Place,
): string[] {
  const told: string[] = [];
  const unlimited = withoutLimits(
    workload,
    cells.map(({ policy, unit }) => ({ policy, settings: unit.settings })),
  );
  if (unlimited !== undefined) told.push(limitsUnseen(unlimited));
  // Null: the log's machines are inferred.
  const missing =
    source.place === null
      ? machinesMissing(recordedRun(workload, machinesOf(place), sweep), placelessShare(workload))
      : null;
  if (missing !== null) told.push(`${missing} Give a list of the machines (machines: FILE).`);
  return told;
}
