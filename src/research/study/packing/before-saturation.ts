import { familyOfRows, simulate, type Family, type PackingChoice } from "../../../simulation/index.ts";
import { rowsOf, type Machines, type Workload } from "../../../workload/index.ts";

/** "Almost no more free slots": so much of the farm is full (Dal Pra 2014, Figure 3). */
const ALMOST_FULL = 0.9;

/**
 * The packing index of a farm that the log's first jobs have nearly filled; NaN
 * where no packed job is among them.
 */
export function indexBeforeSaturation(
  workload: Workload,
  machines: Machines,
  families: readonly Family[],
  policy: PackingChoice["policy"],
): number {
  const slots = machines.coresMilli[0]! / 1000;
  const count = Math.min(workload.count, Math.floor(machines.count * slots * ALMOST_FULL));
  const familyOf = familyOfRows(workload, families).subarray(0, count);
  const present = families.filter((_, i) => familyOf.includes(i + 1));
  if (present.length === 0) return NaN;
  // The order-driven clock fills an empty farm in one instant: none of these has ended.
  const { schedule } = simulate(
    rowsOf(workload, 0, count),
    machines,
    {
      policy: "worse-fit-cores",
      clock: "order",
      packing: { policy, ttlSeconds: policy === "exclusive" ? Infinity : 0, families: present },
    },
    { keepMachines: true },
  );
  let needed = 0;
  let used = 0;
  for (let family = 1; family <= families.length; family++) {
    const rows = [...familyOf.keys()].filter((row) => familyOf[row] === family);
    needed += Math.ceil(rows.length / slots);
    used += new Set(rows.flatMap((row) => schedule.machines!.of(row))).size;
  }
  return needed / used;
}
