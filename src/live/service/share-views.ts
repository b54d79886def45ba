import { dueParts, shareTree, type UseMeasure } from "../../core/index.ts";
import { projectsOf } from "./plain-farm.ts";
import type { Service } from "./service.ts";

/** Fair share in a pool, as clients see it. */
export interface SharesView {
  readonly pool: string;
  /** By the cores in use now, or by what was used. */
  readonly fairShare: "running" | "usage";
  /** Null under `running`. */
  readonly halfLifeSeconds: number | null;
  readonly of: UseMeasure | null;
  readonly projects: readonly ProjectView[];
}

export interface ProjectView {
  /** Its path; empty: the jobs of projects without a share. */
  readonly project: string;
  /** The part of the pool that it is due. */
  readonly due: number;
  /** What counts of what it has used: core-hours, of memory GiB-hours. Null under `running`. */
  readonly usedHours: number | null;
  /** That as a part of all that counts; null where nothing does. */
  readonly usedPart: number | null;
  /** The cores of its jobs that run. */
  readonly coresRunning: number;
  readonly running: number;
  readonly waiting: number;
}

/** The pools with shares. */
export function shareViews(service: Service): SharesView[] {
  const { farm, journal } = service;
  const paths = projectsOf(farm);
  const now = service.farmTime();
  return farm.pools.flatMap(({ name, shares, usage }, number) => {
    if (shares === null) return [];
    const tree = shareTree(paths, shares);
    const due = dueParts(tree);
    const counts = countJobs(service, number, tree.leafOf);
    const use = journal.port.engine.pools[number]!.pool.usage;
    const perHour = 3600 * (usage?.of === "memory" ? 1024 : 1000);
    const used = use?.usedByProject(now).map((amount) => amount / perHour);
    // Two spellings of a path are one project.
    const projects = [...paths.keys()].filter((at) => tree.leafOf.indexOf(tree.leafOf[at]!) === at);
    const sum = projects.reduce((total, at) => total + (used?.[at] ?? 0), 0);
    return {
      pool: name,
      fairShare: usage === undefined ? "running" : "usage",
      halfLifeSeconds: usage?.halfLifeSeconds ?? null,
      of: usage?.of ?? null,
      projects: projects.map((at) => ({
        project: paths[at]!,
        due: due[at]!,
        usedHours: used?.[at] ?? null,
        usedPart: used === undefined || sum === 0 ? null : used[at]! / sum,
        ...(counts.get(tree.leafOf[at]!) ?? nothing),
      })),
    };
  });
}

type Counts = Pick<ProjectView, "coresRunning" | "running" | "waiting">;

const nothing: Counts = { coresRunning: 0, running: 0, waiting: 0 };

/** By leaf of the share tree: the jobs that run and wait in a pool. */
function countJobs({ journal, books }: Service, pool: number, leafOf: Int32Array): Map<number, Counts> {
  const counts = new Map<number, Counts>();
  const { port } = journal;
  const { jobs } = port.engine.engineJobs;
  for (const { number, twins, state } of books.jobs.values())
    for (const each of [number, ...twins]) {
      if (port.poolOf(each) !== pool) continue;
      const handle = port.handleOf(each);
      const leaf = leafOf[jobs.project[handle]!]!;
      const { coresRunning, running, waiting } = counts.get(leaf) ?? nothing;
      const attempt = books.current.get(each);
      if (attempt === undefined) {
        if (state === "waiting") counts.set(leaf, { coresRunning, running, waiting: waiting + 1 });
      } else if (attempt.state !== "suspended") {
        const cores = (jobs.coresOf(handle) * jobs.tasksOf(handle)) / 1000;
        counts.set(leaf, { coresRunning: coresRunning + cores, running: running + 1, waiting });
      }
    }
  return counts;
}
