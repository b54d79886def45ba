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
