import { InvalidArgumentError } from "commander";

import { farmChecks } from "../../simulation/index.ts";
import { InputError, readFarm, type Farm, type MachineGroup } from "../../workload/index.ts";
import { sayMachinesNotes } from "../input.ts";
import { counted } from "../../report/index.ts";

/** So many machines more in a pool; null: in the only one. */
export interface Added {
  readonly pool: string | null;
  readonly count: number;
}

const MOST_ADDED = 100_000;

/** `10`, or `north=10,south=4`. */
export function addedMachines(text: string, earlier: readonly Added[] = []): Added[] {
  const added = text.split(",").map((part): Added => {
    const [, pool, number] = /^\s*(?:([^=]+)=)?(\d{1,6})\s*$/.exec(part) ?? [];
    const count = Number(number);
    if (number === undefined || count === 0 || count > MOST_ADDED)
      throw new InvalidArgumentError(`Give a number of machines from 1 to ${MOST_ADDED}, or POOL=NUMBER.`);
    return { pool: pool?.trim() ?? null, count };
  });
  return [...earlier, ...added];
}

/** A file's farm. Pools whose machines it does not say have those of the pool of that name, as they are. */
export async function otherFarm(file: string, own: Farm): Promise<Farm> {
  const farm = await readFarm(file, { ...farmChecks, enginesTellMachines: true, machines: sayMachinesNotes });
  return {
    ...farm,
    name: file,
    pools: farm.pools.map((pool) => {
      const known = own.pools.find(({ name }) => name === pool.name);
      const groups = pool.groups.length > 0 ? pool.groups : known?.groups;
      if (groups === undefined)
        throw new InputError(`pool ${pool.name} is new and the file says no machines: give it some`, {
          file,
        });
      // As the live farm, which decides at once where no interval is given.
      return { ...pool, groups, intervalSeconds: pool.intervalSeconds ?? 0 };
    }),
  };
}

/** The farm with more machines, each like most of its pool's. */
export function withMachines(farm: Farm, added: readonly Added[]): Farm {
  const more = new Map<number, number>();
  for (const { pool, count } of added) {
    if (pool === null && farm.pools.length > 1)
      throw new InputError(
        `--add-machines: say in which pool, such as ${farm.pools[0]!.name}=${count}: there are ${farm.pools.map(({ name }) => name).join(", ")}`,
      );
    const number = pool === null ? 0 : farm.pools.findIndex(({ name }) => name === pool);
    if (number < 0)
      throw new InputError(
        `--add-machines: there is no pool ${pool}: there are ${farm.pools.map(({ name }) => name).join(", ")}`,
      );
    more.set(number, (more.get(number) ?? 0) + count);
  }
  const text = [...more].map(
    ([pool, count]) => `${counted(count, "machine")} more in ${farm.pools[pool]!.name}`,
  );
  return {
    ...farm,
    name: `${farm.name} with ${text.join(", ")}`,
    pools: farm.pools.map((pool, number) => {
      const count = more.get(number);
      return count === undefined
        ? pool
        : { ...pool, groups: [...pool.groups, { ...usual(pool.groups), count }] };
    }),
  };
}

function usual(groups: readonly MachineGroup[]): MachineGroup {
  const counts = new Map<string, { readonly group: MachineGroup; count: number }>();
  for (const { names: _names, ...group } of groups) {
    const { count, ...traits } = group;
    const key = JSON.stringify(traits);
    const known = counts.get(key) ?? { group, count: 0 };
    known.count += count;
    counts.set(key, known);
  }
  const [most] = [...counts.values()].sort((a, b) => b.count - a.count);
  if (most === undefined)
    throw new InputError("--add-machines: the pool has no machines that more could be like");
  return most.group;
}
