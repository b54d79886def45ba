import type { PlainRequest } from "../../core/index.ts";
import { coversProject, ownersOf } from "../../simulation/index.ts";
import type { JobRequest } from "../store/job-request.ts";
import { placeOf } from "./place.ts";
import { countsAccounts, projectsOf, type PlainFarm } from "./plain-farm.ts";

/** The numbers by which the decision engine knows texts of a request; 0: it has none. */
export interface Numbers {
  readonly requirement: number;
  readonly licences: number;
  readonly account: number;
}

/** @throws Refusal where there is no pool of the name that a request gives */
export type AskedOf = (request: JobRequest, numbers: Numbers) => PlainRequest;

/** Makes what turns a job's request into one that the decision engine of a farm takes. */
export function asking(farm: PlainFarm): AskedOf {
  const owners = ownersOf(farm);
  const projects = projectsOf(farm);
  /** The project itself, or the nearest above it that has a share; else jobs count together, as those of no project do. */
  const shareOf = (project: string): number => {
    const own = projects.indexOf(project);
    if (own >= 0 || project === "") return Math.max(0, own);
    let nearest = 0;
    for (const [number, name] of projects.entries())
      if (number > 0 && coversProject(name, project) && name.length > projects[nearest]!.length)
        nearest = number;
    return nearest;
  };
  return (request, { requirement, licences, account }) => {
    const { cores, memoryMiB, gpus, retries, priority, timeSeconds, project, group, pool } = request;
    return {
      cores: Math.round(cores * 1000),
      memory: memoryMiB,
      gpu: Math.round(gpus * 1000),
      tasks: 1,
      project: shareOf(project),
      heuristic: -1,
      estimateSeconds: timeSeconds,
      requirement,
      ...(licences === 0 ? {} : { licences }),
      ...(!countsAccounts(farm) || account === 0 ? {} : { account }),
      owner: owners.indexOf(group) + 1,
      ...placeOf(farm, pool),
      priority,
      retries,
    };
  };
}
