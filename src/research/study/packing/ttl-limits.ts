import { familyOfRows, simulate, type Family, type PackingChoice } from "../../../simulation/index.ts";
import { rowsOf, type Machines, type Workload } from "../../../workload/index.ts";

/** Enough to keep a farm of 800 nodes of 8 slots saturated for half a day. */
const JOBS = 50_000;
/** Longer than any log. */
const AGES = 1e12;

/** Jobs, of the log's first, that start at another time or on another node. */
export interface TtlLimits {
  readonly jobs: number;
  /** With a time to live of 0, against the relaxed policy. */
  readonly zeroDiffers: number;
  /** With one of ages, against exclusive without any. */
  readonly agesDiffer: number;
}

/** Compares both ends of the time to live with the policies that they should be equal to (Dal Pra 2014, section 4). */
export function ttlLimits(
  workload: Workload,
  machines: Machines,
  families: readonly Family[],
  policy: string,
): TtlLimits {
  const count = Math.min(workload.count, JOBS);
  const familyOf = familyOfRows(workload, families).subarray(0, count);
  const few = rowsOf(workload, 0, count);
  const present = families.filter((_, i) => familyOf.includes(i + 1));
  const run = (choice: Omit<PackingChoice, "families">): { start: Float64Array; node: number[] } => {
    const packing = { ...choice, families: present };
    const { schedule } = simulate(few, machines, { policy, clock: "order", packing }, { keepMachines: true });
    const node = Array.from({ length: count }, (_, row) => schedule.machines!.of(row)[0]!);
    return { start: schedule.startSeconds, node };
  };
  const differing = (a: ReturnType<typeof run>, b: ReturnType<typeof run>): number =>
    a.node.filter((node, row) => node !== b.node[row] || a.start[row] !== b.start[row]).length;
  if (present.length === 0) return { jobs: 0, zeroDiffers: 0, agesDiffer: 0 };
  return {
    jobs: count,
    zeroDiffers: differing(
      run({ policy: "exclusive", ttlSeconds: 0 }),
      run({ policy: "relaxed", ttlSeconds: 0 }),
    ),
    agesDiffer: differing(
      run({ policy: "exclusive", ttlSeconds: AGES }),
      run({ policy: "exclusive", ttlSeconds: Infinity }),
    ),
  };
}
