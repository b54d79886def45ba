import {
  dueParts,
  IN_TRANSFER,
  RESUMING,
  RUNNING,
  shareTree,
  STARTING,
  WAITING,
  type Share,
  type UsageSettings,
  type UseMeasure,
  type View,
} from "../../core/index.ts";

/** Fair share in a pool. */
export interface SharesView {
  readonly pool: string;
  /** By the cores in use now, or by what was used. */
  readonly fairShare: "running" | "usage";
  /** Null under `running`. */
  readonly halfLifeSeconds: number | null;
  readonly of: UseMeasure | null;
  /** The one that has used most first; under `running`, that has most cores. */
  readonly projects: readonly ProjectView[];
}

export interface ProjectView {
  /** Its path; empty: the jobs of no project. */
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

/** A pool by its name, with what fair share goes by there; null: there is none. */
interface SharedPool {
  readonly name: string;
  readonly shares: readonly Share[] | null;
  readonly usage?: UsageSettings | undefined;
}

/**
 * The pools that have shares.
 *
 * @param paths of the projects, by number
 */
export function shareViews(
  view: View,
  pools: readonly SharedPool[],
  paths: readonly string[],
  now: number,
): SharesView[] {
  return pools.flatMap(({ name, shares, usage }, number) => {
    if (shares === null) return [];
    const tree = shareTree(paths, shares);
    const due = dueParts(tree);
    const counts = countJobs(view, number, tree.leafOf);
    const perHour = 3600 * (usage?.of === "memory" ? 1024 : 1000);
    const used = view.pools[number].usage?.usedByProject(now).map((amount) => amount / perHour);
    // Two spellings of a path are one project.
    const projects = [...paths.keys()].filter((at) => tree.leafOf.indexOf(tree.leafOf[at]) === at);
    const sum = projects.reduce((total, at) => total + (used?.[at] ?? 0), 0);
    const views = projects.map((at) => ({
      project: paths[at],
      due: due[at],
      usedHours: used?.[at] ?? null,
      usedPart: used === undefined || sum === 0 ? null : used[at] / sum,
      ...(counts.get(tree.leafOf[at]) ?? nothing),
    }));
    return {
      pool: name,
      fairShare: usage === undefined ? "running" : "usage",
      halfLifeSeconds: usage?.halfLifeSeconds ?? null,
      of: usage?.of ?? null,
      projects: views.sort((a, b) => mostOf(b) - mostOf(a)),
    };
  });
}

function mostOf({ usedHours, coresRunning }: ProjectView): number {
  return usedHours ?? coresRunning;
}

type Counts = Pick<ProjectView, "coresRunning" | "running" | "waiting">;

const nothing: Counts = { coresRunning: 0, running: 0, waiting: 0 };

/** By leaf of the share tree: the jobs that run in a pool, and those that wait there or are on their way to it. */
function countJobs({ jobs }: View, number: number, leafOf: Int32Array): Map<number, Counts> {
  const counts = new Map<number, Counts>();
  for (const job of jobs) {
    if (jobs.poolOf(job) !== number) continue;
    const state = jobs.stateOf(job);
    const leaf = leafOf[jobs.projectOf(job)];
    const { coresRunning, running, waiting } = counts.get(leaf) ?? nothing;
    if (state === WAITING || state === IN_TRANSFER)
      counts.set(leaf, { coresRunning, running, waiting: waiting + 1 });
    else if ([STARTING, RUNNING, RESUMING].includes(state)) {
      const cores = (jobs.coresOf(job) * jobs.tasksOf(job)) / 1000;
      counts.set(leaf, { coresRunning: coresRunning + cores, running: running + 1, waiting });
    }
  }
  return counts;
}
