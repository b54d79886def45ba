import { NONE, type Port } from "../../core/index.ts";
import type { PlainFarm } from "../service/plain-farm.ts";

/**
 * Why waiting jobs start nowhere as the farm is: the machines that could hold them are gone, too small, or closed. Jobs
 * that ask for the same are looked at once.
 */
export class Nowhere {
  private readonly port: Port;
  private readonly farm: PlainFarm;
  private readonly known = new Map<string, string | null>();

  constructor(port: Port, farm: PlainFarm) {
    this.port = port;
    this.farm = farm;
  }

  /** @returns null where there is a machine for the job */
  whyOf(handle: number): string | null {
    const { port, known } = this;
    const { jobs, pools } = port.view;
    const { cores, memory, gpu } = jobs.requestOf(handle);
    const at = jobs.poolOf(handle);
    const candidates = at === NONE ? port.view.poolsFor(handle) : [at];
    const asked = [
      cores,
      memory,
      gpu,
      jobs.requirementOf(handle),
      jobs.ownerOf(handle),
      jobs.familyOf(handle),
    ];
    const key = `${asked.join(" ")} ${candidates.join(",")}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let [large, suitable, usedByOthers] = [0, 0, 0];
    let isOpen = false;
    for (const number of candidates) {
      const pool = pools[number]!;
      const { machines } = pool;
      for (let machine = 0; machine < machines.count && !isOpen; machine++) {
        const { capacityCores, capacityMemory, capacityGpu } = machines;
        const isLarge =
          capacityCores[machine]! >= cores &&
          capacityMemory[machine]! >= memory &&
          (gpu === 0 || (capacityGpu?.[machine] ?? 0) >= gpu);
        if (!isLarge) {
          if (machines.couldHold(machine, cores, memory, gpu)) usedByOthers++;
          continue;
        }
        large++;
        // One that has refused it is tried again.
        if (!pool.meets(handle, machine)) continue;
        suitable++;
        isOpen = machines.isInService(machine);
      }
    }
    const names = candidates.map((pool) => this.farm.pools[pool]!.name).join(", ");
    const why = isOpen
      ? null
      : large === 0
        ? usedByOthers > 0
          ? `others than the farm use what it would need of ${usedByOthers === 1 ? "the one machine" : `the ${usedByOthers} machines`} of ${names} that ${usedByOthers === 1 ? "is" : "are"} as large as it asks for`
          : `no machine of ${names} is as large as it asks for`
        : suitable === 0
          ? `no machine of ${names} that is large enough meets what it requires`
          : `${suitable === 1 ? "the one machine" : `all ${suitable} machines`} of ${names} on which it could run ${suitable === 1 ? "is" : "are"} closed: drained, down, paused or not reached`;
    known.set(key, why);
    return why;
  }
}
