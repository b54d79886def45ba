import { WHOLE_NODE } from "../fractional/index.ts";
import { Random } from "../../workload/index.ts";

/** What each row's tasks need of a node, in whole percents of it. */
export interface NodeNeeds {
  /** The log's columns, or the rule for logs that lack them. */
  readonly source: "log" | "synthetic";
  readonly tasks: Int32Array;
  readonly cpu: Int32Array;
  readonly memory: Int32Array;
}

/** The same rows get the same needs in every run. */
const SEED = 1;

/** Needs by the rule for logs that do not tell them. */
export function syntheticNeeds(tasks: Int32Array): NodeNeeds {
  const rule = new NodeNeedsRule(SEED);
  const cpu = new Int32Array(tasks.length);
  const memory = new Int32Array(tasks.length);
  for (let row = 0; row < tasks.length; row++) {
    const needs = rule.next(tasks[row]);
    cpu[row] = Math.round(WHOLE_NODE * needs.cpu);
    memory[row] = Math.round(WHOLE_NODE * needs.memory);
  }
  return { source: "synthetic", tasks, cpu, memory };
}

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
