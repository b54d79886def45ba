import type { Farm, Machines } from "../../workload/index.ts";

/** Memory of a machine that tells none, on a farm where others do. */
const NO_LIMIT_MIB = 2 ** 31 - 1;

/** The machines of one pool, group by group. */
export interface PoolMachines {
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

export function machinesOfPools({ pools }: Farm): PoolMachines[] {
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

const lists = new WeakMap<Farm, Machines>();

/**
 * All machines of a farm as one list, pool by pool: what offered load and reports are reckoned with. They have the
 * names of the lists that they come from; one that machines of several pools have gets its pool's before it.
 */
export function machinesOfFarm(farm: Farm): Machines {
  let list = lists.get(farm);
  if (list === undefined) lists.set(farm, (list = listMachines(farm)));
  return list;
}

function listMachines(farm: Farm): Machines {
  const ids = namesOf(farm);
  const cores: number[] = [];
  const memory: number[] = [];
  const gpu: number[] = [];
  const isKnown = farm.pools.every(({ groups }) => groups.every(({ memoryMiB }) => memoryMiB !== null));
  for (const pool of farm.pools) {
    for (const group of pool.groups) {
      for (let i = 0; i < group.count; i++) {
        cores.push(group.coresMilli);
        memory.push(group.memoryMiB ?? 0);
        gpu.push(group.gpuMilli ?? 0);
      }
    }
  }
  return {
    name: farm.name,
    count: ids.length,
    ids,
    coresMilli: Int32Array.from(cores),
    memoryMiB: isKnown ? Int32Array.from(memory) : null,
    gpuMilli: gpu.some((each) => each > 0) ? Int32Array.from(gpu) : null,
  };
}

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
