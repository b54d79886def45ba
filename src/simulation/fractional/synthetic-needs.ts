import { WHOLE_NODE } from "../../research/fractional/index.ts";
import { NodeNeedsRule } from "../../workload/index.ts";

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
