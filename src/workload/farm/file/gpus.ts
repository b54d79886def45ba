import { GPU_KIND, gpuPartOf, type MachineGroup, type PoolGpus } from "../farm.ts";
import type { FarmFile, PoolEntry } from "./farm-shape.ts";

/** The devices that a pool gives its jobs; null: the file says nothing of them. */
export function gpusOf({ gpus }: PoolEntry): PoolGpus | null {
  if (gpus === null) return null;
  const { value } = gpus;
  if (typeof value === "string") return { devices: null, kind: null, parts: 1 };
  const { devices, kind, parts } = value;
  return { devices: devices === null ? null : devices.map((each) => each.value), kind, parts };
}

/** No device may be given to jobs of two pools, or twice. */
export function refuseSharedDevices({ pools }: FarmFile): void {
  const found = pools.filter((pool) => pool.gpus !== null && gpusOf(pool)!.devices === null);
  const given = new Map<string, string>();
  for (const pool of pools) {
    const { gpus, name } = pool;
    if (gpus === null) continue;
    const finder = found.find((other) => other !== pool);
    if (finder !== undefined)
      gpus.at.refuse(`pool "${finder.name}" takes all GPUs that are found: name the devices of each pool`);
    for (const { value, at } of typeof gpus.value === "string" ? [] : (gpus.value.devices ?? [])) {
      const other = given.get(value);
      if (other !== undefined)
        at.refuse(
          other === name ? `device ${value} stands here twice` : `device ${value} belongs to pool "${other}"`,
        );
      given.set(value, name);
    }
  }
}

/** The pool's machine, with the devices that the file names. */
export function withGpus(
  { gpus: entry }: PoolEntry,
  gpus: PoolGpus | null,
  groups: MachineGroup[],
): MachineGroup[] {
  if (entry === null || gpus === null || groups.length === 0) return groups;
  const [group, ...others] = groups as [MachineGroup, ...MachineGroup[]];
  if (others.length > 0 || group.count > 1)
    entry.at.refuse("these are the devices of one machine, and the pool has more: make a pool of it alone");
  if (group.gpuMilli !== null)
    entry.at.refuse("how many GPUs the machine has follows from this: leave gpus out of its machines");
  if (gpus.kind !== null && group.attributes[GPU_KIND] !== undefined)
    entry.at.refuse(`the kind is told here: leave ${GPU_KIND} out of the machine's attributes`);
  const { devices, kind, parts } = gpus;
  return [
    {
      ...group,
      gpuMilli: devices === null ? null : devices.length * parts * gpuPartOf(gpus),
      attributes: kind === null ? group.attributes : { ...group.attributes, [GPU_KIND]: kind },
    },
  ];
}
