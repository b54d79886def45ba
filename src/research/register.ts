import { addNodePolicies } from "../simulation/index.ts";
import { addGenerators } from "../workload/index.ts";
import { researchGenerators } from "./generators/registry.ts";
import { sharedNodes, wholeNodes } from "./simulation/index.ts";

/** This module, as it is found from the sources, the built modules and the bundle. */
const module = new URL(import.meta.url.endsWith(".ts") ? "./register.ts" : "./register.js", import.meta.url)
  .href;

/**
 * Lets the simulator know of the policies that give out nodes, and adds the generators of the studies; in this thread,
 * and once, however often it is called.
 */
export function register(): void {
  addNodePolicies([sharedNodes, wholeNodes], module);
  addGenerators(researchGenerators);
}
