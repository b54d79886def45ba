import { join } from "node:path";

import type { Farm } from "../../workload/index.ts";
import { systemClock } from "../engines/system/clock.ts";
import { systemCommands } from "../engines/system/commands.ts";
import { systemDisk } from "../engines/system/disk.ts";
import { planPools, type PlannedPool } from "./farm-plan.ts";

/** The pools of a farm with engines that are not opened: to see what the farm would be. */
export function unopenedPools(farm: Farm, data: string): PlannedPool[] {
  return planPools(farm, (pool) => ({
    clock: systemClock(),
    disk: systemDisk,
    commands: systemCommands,
    folder: join(data, "engines", pool),
  }));
}

/**
 * Looks whether the engines can be what the farm's file says, and makes nothing.
 *
 * @throws InputError where they cannot
 */
export function checkPools(farm: Farm, data: string): void {
  unopenedPools(withoutCgroups(farm), data);
}

/** The engine of this machine makes its cgroup with itself. */
function withoutCgroups(farm: Farm): Farm {
  return {
    ...farm,
    pools: farm.pools.map((pool) => {
      const { kind, settings } = pool.engine ?? { kind: "local", settings: {} };
      const { cgroup = "auto" } = settings;
      // What is neither is refused, by the engine.
      const isPlace = cgroup === "auto" || (typeof cgroup === "string" && cgroup.startsWith("/"));
      return kind === "local" && isPlace
        ? { ...pool, engine: { kind, settings: { ...settings, cgroup: "none" } } }
        : pool;
    }),
  };
}
