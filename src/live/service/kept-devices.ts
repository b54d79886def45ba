import type { Connection } from "../store/database.ts";
import type { Placement } from "../engines/engine.ts";
import { JobsInTheWay } from "./jobs-in-the-way.ts";
import type { PlainFarm } from "./plain-farm.ts";

/**
 * A device that an attempt has stays its own until it is over, whatever the farm's file says: another pool's engine
 * knows nothing of it.
 *
 * @throws JobsInTheWay where a pool is to give its jobs a device that a job of another one has
 */
export function refuseTakenDevices(connection: Connection, before: PlainFarm | null, to: PlainFarm): void {
  const givenBy = new Map(
    to.pools.flatMap(({ name, gpus }) => (gpus?.devices ?? []).map((device) => [device, name] as const)),
  );
  if (givenBy.size === 0) return;
  const rows = connection.all("SELECT job, pool, placement, gpus FROM attempt WHERE outcome IS NULL");
  for (const { job, pool, placement, gpus } of rows) {
    if (!(JSON.parse(String(placement)) as Placement[]).some(({ gpuMilli }) => gpuMilli > 0)) continue;
    const old = before?.pools.find(({ name }) => name === pool);
    // Of one that is just being started it is not known yet: it may have any.
    const devices =
      gpus === null ? (old?.gpus?.devices ?? []) : (JSON.parse(String(gpus)) as readonly string[]);
    for (const device of devices) {
      const other = givenBy.get(device);
      if (other !== undefined && other !== pool)
        throw new JobsInTheWay(
          `job ${Number(job)} in pool ${String(pool)} ${gpus === null ? "may have" : "has"} GPU ${device}, which pool ${other} is to give to others: let it end, or cancel it`,
        );
    }
  }
}
