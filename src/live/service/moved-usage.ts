import { shareTree, type KeptUse, type Port } from "../../core/index.ts";
import { projectsOf, type PlainFarm } from "./plain-farm.ts";

/**
 * What projects have used in the pools of a new farm, by pool: what counts now in the pool of the same name goes on
 * counting, by the new half-life. A project that has no share any more counts with all that have none, as its jobs do.
 * Where a pool counts something else than before, or has not counted, all begin at nothing. Null: it does not count.
 *
 * @param port the engine of the old farm
 * @param now the time of its last event
 */
export function movedUsage(port: Port, from: PlainFarm, to: PlainFarm, now: number): (KeptUse | null)[] {
  const [oldProjects, projects] = [projectsOf(from), projectsOf(to)];
  return to.pools.map(({ name, shares, usage }) => {
    if (shares === null || usage === undefined) return null;
    const tree = shareTree(projects, shares);
    const used = new Float64Array(tree.size);
    const since = new Float64Array(tree.size).fill(Number.isFinite(now) ? now : 0);
    const number = from.pools.findIndex((pool) => pool.name === name);
    const old = port.view.pools[number]?.usage ?? null;
    if (old === null || old.settings.of !== usage.of) return { used, since };
    const oldLeaves = shareTree(oldProjects, from.pools[number]!.shares!).leafOf;
    oldProjects.forEach((path, project) => {
      const leaf = oldLeaves[project]!;
      // Two spellings of a path are one project.
      if (oldLeaves.indexOf(leaf) !== project) return;
      used[tree.leafOf[Math.max(0, projects.indexOf(path))]!]! += old.usedAt(leaf, now);
    });
    return { used, since };
  });
}
