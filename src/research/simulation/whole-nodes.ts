import { farmOfMachines, InputError, type Machines, type Workload } from "../../workload/index.ts";
import { resolvePolicy, type NodePolicies } from "../../simulation/index.ts";
import { nodeNeeds } from "./node-needs.ts";
import { stretchFigures } from "./stretch-figures.ts";
import { asNodes } from "../../simulation/node-units.ts";
import { inNodes } from "./node-units.ts";
import { betaFor, offeredLoad } from "../../simulation/figures/offered-load.ts";
import type { FractionalFigures } from "../../simulation/result.ts";
import type { SimulationSettings } from "../../simulation/settings/settings.ts";
import { simulateFarm } from "../../simulation/simulate-farm.ts";
import type { Simulation, SimulationExtras } from "../../simulation/simulation.ts";
import { behindWholeNodes, publishedNames, wholeNodePolicies } from "./whole-node-names.ts";

/** The policies that give every task a whole one of equal nodes, beside those that share nodes in parts. */
export const wholeNodes: NodePolicies = {
  kind: "whole",
  what: "gives every task a whole node",
  names: [...wholeNodePolicies.keys()],
  notation: [`Beside them ${[...wholeNodePolicies.keys()].join(" and ")} give every task a whole node.`],
  parts: [],
  isMeant: (name) => behindWholeNodes(name) !== undefined,
  printed(name) {
    resolvePolicy(behindWholeNodes(name)!);
    return name;
  },
  poolPolicy: (name) => behindWholeNodes(name)!,
  check: refuseDoubtfulName,
  withoutEffect: () => null,
  describe: () => [],
  simulate: simulateWholeNodes,
};

/**
 * Refuses `EASY` and the like on a log that counts cores: it could mean the pool's policy `easy` or the published
 * policy of whole nodes. Where needs are parts of nodes the two are the same.
 *
 * @throws InputError where the name is ambiguous
 */
function refuseDoubtfulName(policy: string, { nodeCpu }: Workload): void {
  const wholeNode = publishedNames.get(policy);
  if (wholeNode === undefined || nodeCpu !== undefined) return;
  throw new InputError(
    `policy "${policy}" is ambiguous: write ${wholeNodePolicies.get(wholeNode)} for jobs that get the cores they ask for, ` +
      `or ${wholeNode} for tasks that get a whole node each`,
  );
}

/**
 * One run of a pool's policy that gives every task a whole one of equal nodes, with
 * perfect estimates: the baselines of the policies that share nodes in parts.
 */
function simulateWholeNodes(
  log: Workload,
  machines: Machines,
  policy: string,
  settings: SimulationSettings,
  extras: SimulationExtras,
): Simulation {
  const workload = ofAlikeNodes(log);
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

/** The workload without all that jobs ask of a farm: equal nodes serve them in order of arrival. */
function ofAlikeNodes({ restartPools: _pools, ...workload }: Workload): Workload {
  return { ...workload, site: null, pools: null, priority: null, group: null, requires: null };
}
