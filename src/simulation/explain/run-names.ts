import { jobNumberOf, machineAttributes } from "../../workload/index.ts";
import type { BuiltEngine } from "../build/build-engine.ts";
import type { Driver } from "../run/driver.ts";
import { exceededLimit } from "../build/limits.ts";
import type { EngineNames } from "./reasons.ts";

/**
 * The names of a run: jobs have the numbers of the log.
 *
 * @param machineIds the machines' names, pool by pool
 */
export function runNames(built: BuiltEngine, driver: Driver, machineIds: readonly string[]): EngineNames {
  const { group, priority, project } = driver.workload;
  const { jobs } = built.port.view;
  const rowOf = (handle: number): number => driver.rowOfJob(handle);
  return {
    job: (handle) => jobNumberOf(driver.workload, rowOf(handle)),
    pool: (pool) => built.farm.pools[pool].name,
    machine: (pool, machine) => machineIds[built.machines[pool].first + machine],
    licence: (licence) => built.licences[licence],
    reservation: (_, booking) => built.farm.reservations![booking - 1].name,
    limit: (excess) => exceededLimit(built.farm.limits ?? [], (number) => built.accounts[number], excess),
    requirement: (handle) => built.requirements[jobs.requirementOf(handle)],
    attributes: (pool, number) => machineAttributes(built.farm.pools[pool].groups[number]),
    owner: (handle) => (group === null ? "" : group.names[group.codes[rowOf(handle)]]),
    priority: (handle) => priority?.[rowOf(handle)] ?? 0,
    project: (handle) => project?.names[project.codes[rowOf(handle)]] ?? "",
    hasProjects: project !== null,
  };
}
