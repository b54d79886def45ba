import type { Port } from "../../core/index.ts";
import { attributesOfMachine, groupsOf, ownersOf, type EngineNames } from "../../simulation/index.ts";
import { limitNamed } from "./accounts.ts";
import { licenceNames } from "./licence-requests.ts";
import { projectsOf, type PlainFarm } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";

export interface NamesParts {
  readonly port: Port;
  readonly farm: PlainFarm;
  readonly requirements: Requirements;
  /** The number that people know a job by, from the engine's: of a second attempt it is that of the first. */
  readonly jobOf: (engineJob: number) => number;
}

/** What people call what the decision engine of a live farm knows by numbers. */
export function engineNames({ port, farm, requirements, jobOf }: NamesParts): EngineNames {
  const { jobs } = port.view;
  const owners = ownersOf(farm);
  const projects = projectsOf(farm);
  const leaders = farm.pools.map(({ machines }) => groupsOf(machines).leaders);
  return {
    job: (handle) => jobOf(port.numberOf(handle)),
    pool: (pool) => farm.pools[pool]!.name,
    machine: (pool, machine) => farm.pools[pool]!.machines[machine]!.name,
    licence: (licence) => licenceNames(farm.pools, requirements.licences)[licence]!,
    reservation: (_, booking) => farm.reservations?.[booking - 1]?.name ?? String(booking),
    limit: (excess) => limitNamed(farm, requirements, excess),
    requirement: (handle) => requirements.expressions.of(jobs.requirementOf(handle)),
    attributes: (pool, group) => attributesOfMachine(leaders[pool]![group]!),
    owner: (handle) => owners[jobs.ownerOf(handle) - 1] ?? "",
    priority: (handle) => jobs.priorityOf(handle),
    project: (handle) => projects[jobs.projectOf(handle)]!,
    hasProjects: projects.length > 1,
  };
}
