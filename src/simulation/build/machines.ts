import type { Farm, MachineGroup, Machines } from "../../workload/index.ts";
import { memoized } from "../memoized.ts";

/** Memory of a machine that tells none, on a farm where others do. */
const NO_LIMIT_MIB = 2 ** 31 - 1;

/** The machines of one pool, group by group. */
export interface MachineColumns {
  /** The number of the first one among all of the farm. */
  readonly first: number;
  readonly coresMilli: Int32Array;
  /** Null where no group of the farm tells its memory. */
  readonly memoryMiB: Int32Array | null;
  /** Null where no group of the farm tells its GPUs; 0 for one that tells none. */
  readonly gpuMilli: Int32Array | null;
  /** By machine: its group. */
  readonly groupOf: Int32Array;
}

export function machinesOfPools({ pools }: Farm): MachineColumns[] {
  const considersMemory = pools.some(({ groups }) => groups.some(({ memoryMiB }) => memoryMiB !== null));
  const considersGpu = pools.some(({ groups }) => groups.some(({ gpuMilli }) => gpuMilli !== null));
  let first = 0;
  return pools.map(({ groups }) => {
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    const coresMilli = new Int32Array(count);
    const memoryMiB = considersMemory ? new Int32Array(count) : null;
    const gpuMilli = considersGpu ? new Int32Array(count) : null;
    const groupOf = new Int32Array(count);
    let from = 0;
    groups.forEach((group, number) => {
      coresMilli.fill(group.coresMilli, from, from + group.count);
      memoryMiB?.fill(group.memoryMiB ?? NO_LIMIT_MIB, from, from + group.count);
      gpuMilli?.fill(group.gpuMilli ?? 0, from, from + group.count);
      groupOf.fill(number, from, from + group.count);
      from += group.count;
    });
    first += count;
    return { first: first - count, coresMilli, memoryMiB, gpuMilli, groupOf };
  });
}

/**
 * All machines of a farm as one list, pool by pool: what offered load and reports are reckoned with. They have the
 * names of the lists that they come from; one that machines of several pools have gets its pool's before it.
 */
export const machinesOfFarm = memoized((farm: Farm): Machines => {
  const ids = namesOf(farm);
  const groups = farm.pools.flatMap((pool) => pool.groups);
  const column = (amountOf: (group: MachineGroup) => number): Int32Array =>
    Int32Array.from(groups.flatMap((group) => Array<number>(group.count).fill(amountOf(group))));
  return {
    name: farm.name,
    count: ids.length,
    ids,
    coresMilli: column(({ coresMilli }) => coresMilli),
    memoryMiB: groups.every(({ memoryMiB }) => memoryMiB !== null)
      ? column(({ memoryMiB }) => memoryMiB!)
      : null,
    gpuMilli: groups.some(({ gpuMilli }) => gpuMilli !== null && gpuMilli > 0)
      ? column(({ gpuMilli }) => gpuMilli ?? 0)
      : null,
  };
});

function namesOf({ pools }: Farm): string[] {
  const byPool = pools.map(({ name, groups }) => {
    let number = 0;
    return groups.flatMap(({ count, names }) =>
      Array.from({ length: count }, (_, i) => {
        number++;
        return names?.[i] ?? `${name}-${number}`;
      }),
    );
  });
  const used = new Set<string>();
  const shared = new Set<string>();
  for (const name of byPool.flat()) (used.has(name) ? shared : used).add(name);
  return byPool.flatMap((names, pool) =>
    names.map((name) => (shared.has(name) ? `${pools[pool].name}/${name}` : name)),
  );
}
