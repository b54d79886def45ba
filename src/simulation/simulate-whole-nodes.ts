import { farmOfMachines, type Machines, type Workload } from "../workload/index.ts";
import { nodeNeeds } from "./fractional/node-needs.ts";
import { stretchFigures } from "./fractional/stretch-figures.ts";
import { asNodes, inNodes } from "./node-units.ts";
import { betaFor, offeredLoad } from "./figures/offered-load.ts";
import type { FractionalFigures } from "./result.ts";
import type { SimulationSettings } from "./settings/settings.ts";
import { simulateFarm } from "./simulate-farm.ts";
import type { Simulation, SimulationExtras } from "./simulation.ts";
import { behindWholeNodes } from "./settings/whole-node-names.ts";

/**
 * One run of a pool's policy that gives every task a whole one of equal nodes, with
 * perfect estimates: the baselines of the policies that share nodes in parts.
 */
export function simulateWholeNodes(
  workload: Workload,
  machines: Machines,
  policy: string,
  settings: SimulationSettings,
  extras: SimulationExtras,
): Simulation {
  const needs = nodeNeeds(workload, machines);
  const nodes = asNodes(machines);
  // The load counts what jobs need, not the whole nodes that they get: so all policies are compared on the same
  // arrivals.
  const baseLoad = offeredLoad(inNodes(workload, needs.tasks, needs.cpu), nodes);
  const beta = betaFor(settings, baseLoad);
  const { result, schedule } = simulateFarm(
    inNodes(workload, needs.tasks),
    farmOfMachines(nodes),
    nodes,
    true,
    {
      ...settings,
      beta,
      load: null,
      policy: behindWholeNodes(policy) ?? policy,
      estimates: "exact",
      // A task has a whole node, whatever else it asks for.
      usage: settings.usage === null ? null : { ...settings.usage, of: "cores" },
    },
    extras,
  );
  const figures: FractionalFigures = {
    ...stretchFigures(workload, schedule, needs, machines.count),
    needs: needs.source,
    pauses: 0,
    migrations: 0,
    pauseGBPerSecondMean: 0,
    migrationGBPerSecondMean: 0,
  };
  return {
    result: { ...result, offeredLoad: baseLoad / beta, policy, ...figures },
    schedule,
  };
}
