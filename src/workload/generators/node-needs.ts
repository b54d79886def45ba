import { Random } from "./random.ts";

/**
 * The needs of a task of which nothing is known, as parts of a node (Stillwell et al. 2010 on nodes of four cores): a
 * job of one task can use a quarter of the CPU, the tasks of others all of it; memory is 10 % for 55 % of the jobs,
 * else 10 % times a number from 2 to 10.
 */
export class NodeNeedsRule {
  private readonly random: Random;

  constructor(seed: number) {
    this.random = new Random(seed);
  }

  /** Draws the needs, in parts of a node, for one job after the other. */
  next(tasks: number): { cpu: number; memory: number } {
    const random = this.random;
    const tenths = random.unit() < 0.55 ? 1 : 2 + random.index(9);
    return { cpu: tasks === 1 ? 0.25 : 1, memory: tenths / 10 };
  }
}
