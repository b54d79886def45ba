import { generalPools, ownedPools, powerOf, weekPools } from "./pools.ts";

/**
 * Projects whose jobs have low priority, and the pools that each may run in. Round-robin
 * gives every pool of a list as many jobs (Zhang 2010, section 2.1), so lists are of pools
 * of like size, and what a pool is still short of comes from a project of its own.
 */
export interface Project {
  readonly name: string;
  /** Numbers of pools. */
  readonly pools: readonly number[];
  /** Its part of the low-priority work. */
  readonly part: number;
  /** The largest job, in cores: the largest pool has two a machine. */
  readonly coresMost: number;
}

export interface ProjectSettings {
  /** The work offered to the pools over what they can do, on average. */
  readonly load: number;
  /** The part of an owned pool that others' jobs fill while its owner is quiet. */
  readonly borrowed: number;
}

/** Pools of like size in a shared list, beside the largest. */
const alike = 4;
/** Of a pool's work, what comes from shared lists; the rest comes from a project of its own. */
const sharedPart = 0.6;
const borrowers = 4;

/** @returns the projects, with parts that add up to 1 */
export function projectsOf({ load, borrowed }: ProjectSettings): Project[] {
  const wanted = weekPools.map((pool) => powerOf(pool) * (pool.owner === null ? load : borrowed));
  const given = new Float64Array(weekPools.length);
  const projects: { name: string; pools: readonly number[]; work: number; coresMost: number }[] = [];
  const [largest, ...others] = generalPools as [number, ...number[]];
  const add = (name: string, pools: readonly number[], work: number): void => {
    for (const pool of pools) given[pool]! += work / pools.length;
    projects.push({ name, pools, work, coresMost: pools.every((pool) => pool === largest) ? 2 : 4 });
  };

  // Borrowers run where the owner lets them, or in one pool that nobody owns.
  const lent = ownedPools.reduce((sum, pool) => sum + wanted[pool]!, 0);
  for (let i = 0; i < borrowers; i++) {
    const pools = [...ownedPools, others[i]!];
    add(`/borrower/${i + 1}`, pools, (lent / borrowers) * (pools.length / ownedPools.length));
  }
  // Each list brings as much as its smallest pool can take.
  for (let first = 0; first + alike <= others.length; first++) {
    const list = others.slice(first, first + alike);
    const least = Math.min(...list.map((pool) => wanted[pool]!));
    add(`/shared/${first + 1}`, [...list, largest], sharedPart * least * ((alike + 1) / alike));
  }
  for (const pool of generalPools) {
    const missing = wanted[pool]! - given[pool]!;
    if (missing > 0) add(`/own/${weekPools[pool]!.name}`, [pool], missing);
  }
  const total = projects.reduce((sum, { work }) => sum + work, 0);
  return projects.map(({ work, ...project }) => ({ ...project, part: work / total }));
}
