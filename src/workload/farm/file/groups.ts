import { resolve } from "node:path";

import { InputError } from "../../errors.ts";
import { MAX_MACHINES } from "../../machines/machine-list.ts";
import { readMachinesFile } from "../../machines/registry.ts";
import { parseShorthand } from "../../machines/shorthand.ts";
import { milliOffered } from "../../units.ts";
import type { MachineGroup } from "../farm.ts";
import { alikeMachines } from "../of-machines.ts";
import type { FarmChecks } from "./checks.ts";
import type { MachinesEntry, PoolEntry } from "./farm-shape.ts";

/**
 * The machines of a pool, group by group.
 *
 * @param folder the folder of the farm file: paths of lists of machines are relative to it
 * @throws InputError if they cannot belong to one pool
 */
export async function groupsOf(
  { name, machines }: PoolEntry,
  folder: string,
  checks: FarmChecks,
): Promise<MachineGroup[]> {
  const groups: MachineGroup[] = [];
  let total = 0;
  for (const entry of machines ?? []) {
    for (const group of await groupsOfEntry(entry, folder, checks)) {
      if ((group.memoryMiB === null) !== ((groups[0] ?? group).memoryMiB === null)) {
        entry.at.refuse(`give memory for every group of pool "${name}", or for none`);
      }
      groups.push(group);
      total += group.count;
    }
    if (total > MAX_MACHINES) entry.at.refuse(`pool "${name}" has more than ${MAX_MACHINES} machines`);
  }
  // If one group has GPUs, the groups that list none have 0.
  const gpus = groups.some(({ gpuMilli }) => gpuMilli !== null);
  return gpus ? groups.map((group) => ({ ...group, gpuMilli: group.gpuMilli ?? 0 })) : groups;
}

async function groupsOfEntry(
  entry: MachinesEntry,
  folder: string,
  checks: FarmChecks,
): Promise<MachineGroup[]> {
  if ("value" in entry) {
    return placed(entry, () => alikeMachines(parseShorthand(entry.value))).map((alike) => ({
      ...alike,
      speed: 1,
      owner: null,
    }));
  }
  const { speed, owner } = entry;
  const attributes = Object.fromEntries(entry.attributes);
  if ("file" in entry) {
    const { file, leaveOutDown, at } = entry;
    if (checks.noLists !== undefined) at.refuse(checks.noLists);
    const list = await readMachinesFile(resolve(folder, file), { leaveOutDown }).catch((error: unknown) =>
      placed({ at }, () => {
        throw error;
      }),
    );
    checks.machines?.(list);
    // What the farm file says of the group has precedence over what the list says of each machine.
    let first = 0;
    return alikeMachines(list).map((alike) => ({
      ...alike,
      names: list.ids.slice(first, (first += alike.count)),
      speed,
      owner,
      attributes: { ...alike.attributes, ...attributes },
    }));
  }
  const { count, cores, memory, gpus } = entry;
  return [
    {
      count,
      coresMilli: milliOffered(cores),
      memoryMiB: memory,
      gpuMilli: gpus === null ? null : milliOffered(gpus),
      speed,
      owner,
      attributes,
    },
  ];
}

/** Calls `read`. If it refuses its input, the error names the place in the farm file. */
function placed<T>({ at }: Pick<MachinesEntry, "at">, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError) return at.refuse(error.message);
    throw error;
  }
}
