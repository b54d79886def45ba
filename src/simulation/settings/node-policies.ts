import type { Machines, Workload } from "../../workload/index.ts";
import type { Simulation, SimulationExtras } from "../simulation.ts";
import type { SimulationSettings } from "./settings.ts";

/**
 * A family of policies for equal nodes, which give out nodes, not the cores and memory of a pool: how their names are
 * read, and what makes a run of one. None is built in; `addNodePolicies` adds them.
 */
export interface NodePolicies {
  /** Their kind of run in the table of combinations. */
  readonly kind: "whole" | "shared";
  /** What such a policy does, in messages: `gives every task a whole node`. */
  readonly what: string;
  /** Names to offer to those who mistype one of a pool's policies. */
  readonly names: readonly string[];
  /** How their names are made, in lines, and the parts of names that the lines do not list. */
  readonly notation: readonly string[];
  readonly parts: readonly { readonly name: string; readonly summary: string }[];
  /** Whether a name is meant for one of these, right or wrong. */
  isMeant(name: string): boolean;
  /**
   * The name as it is printed.
   *
   * @throws InputError where it is wrong, with the nearest right ones
   */
  printed(name: string): string;
  /** The policy of a pool that comes nearest. */
  poolPolicy(name: string): string;
  /** @throws InputError where the name could mean something else on this workload */
  check(name: string, workload: Workload): void;
  /** Why an option of `croft simulate` has no effect under a policy; null if it has one. */
  withoutEffect(option: string, name: string): string | null;
  /** The settings that only these policies have, in words. */
  describe(settings: SimulationSettings): readonly (readonly [name: string, value: string])[];
  /** Makes one run. */
  simulate(
    workload: Workload,
    machines: Machines,
    policy: string,
    settings: SimulationSettings,
    extras: SimulationExtras,
  ): Simulation;
}

const added: NodePolicies[] = [];
const addedBy = new Set<string>();

/** The families of this thread. */
export const nodePolicies: readonly NodePolicies[] = added;

/** The URLs of the modules that have added them, for further threads. */
export const nodePolicyModules: ReadonlySet<string> = addedBy;

/**
 * Adds families in this thread, each once.
 *
 * @param module the URL of a module whose `register()` does so: worker threads load it
 */
export function addNodePolicies(families: readonly NodePolicies[], module: string): void {
  added.push(...families.filter((family) => !added.includes(family)));
  addedBy.add(module);
}

/** The family that a name is meant for; undefined for policies of a pool. */
export function nodePoliciesOf(name: string): NodePolicies | undefined {
  return added.find((family) => family.isMeant(name));
}
