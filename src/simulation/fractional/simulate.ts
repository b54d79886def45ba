import { looksLikeOnlinePolicy } from "../../fractional/index.ts";
import type { Machines, Workload } from "../../workload/index.ts";
import { boundedSlowdown } from "../job-figures.ts";
import type { FractionalFigures } from "../result.ts";
import type { SimulationSettings } from "../settings.ts";
import { endOf, type Schedule } from "../schedule.ts";
import type { Simulation, SimulationExtras } from "../simulate.ts";
import { betaFor, offeredLoad } from "../offered-load.ts";
import { resolveOnlinePolicy, wholeNodePolicies } from "../policy-names.ts";
import { nodeNeeds, type NodeNeeds } from "./node-needs.ts";
import { simulateOnline } from "./online.ts";
import { stretchBound } from "./stretch-bound.ts";
import { asNodes, inNodes } from "./whole-nodes.ts";

/** Whether a run shares nodes in parts, or hands them out whole: then `simulateFractional` makes it. */
export function isFractional(policy: string, workload: Workload): boolean {
  return workload.nodeCpu !== undefined || wholeNodePolicies.has(policy) || looksLikeOnlinePolicy(policy);
}

type SimulatePool = (
  workload: Workload,
  machines: Machines,
  settings: SimulationSettings,
  extras: SimulationExtras,
) => Simulation;

/**
 * Makes a run of equal nodes: an online policy shares their CPU in parts; a pool's
 * policy gives each task a whole node, with perfect estimates.
 *
 * @param simulatePool makes a run of a pool
 */
export function simulateFractional(
  workload: Workload,
  machines: Machines,
  settings: SimulationSettings,
  extras: SimulationExtras,
  simulatePool: SimulatePool,
): Simulation {
  const needs = nodeNeeds(workload, machines);
  const policy = resolveOnlinePolicy(settings.policy);
  const run =
    policy !== null
      ? simulateOnline(workload, machines, needs, policy, settings, extras)
      : simulateWholeNodes(workload, machines, needs, settings, extras, simulatePool);
  const { result, schedule, costs } = run;
  const figures: FractionalFigures = {
    ...stretches(workload, schedule),
    stretchBound: stretchBound(schedule, workload.runtimeSeconds, needs, machines.count),
    ...costs,
  };
  return { result: { ...result, policy: policy?.name ?? settings.policy, ...figures }, schedule };
}

/** One run of a policy that gives every task a whole node; all but the figures of stretch. */
function simulateWholeNodes(
  workload: Workload,
  machines: Machines,
  needs: NodeNeeds,
  settings: SimulationSettings,
  extras: SimulationExtras,
  simulatePool: SimulatePool,
): ReturnType<typeof simulateOnline> {
  const nodes = asNodes(machines);
  // By what the jobs need, not by what they are given: policies are compared over the same arrivals.
  const baseLoad = offeredLoad(inNodes(workload, needs.tasks, needs.cpu), nodes);
  const beta = betaFor(settings, baseLoad);
  const { result, schedule } = simulatePool(
    inNodes(workload, needs.tasks),
    nodes,
    {
      ...settings,
      beta,
      load: null,
      policy: wholeNodePolicies.get(settings.policy) ?? settings.policy,
      estimates: "exact",
    },
    extras,
  );
  return {
    result: { ...result, offeredLoad: baseLoad / beta },
    schedule,
    costs: {
      needs: needs.source,
      pauses: 0,
      migrations: 0,
      pauseGBPerSecondMean: 0,
      migrationGBPerSecondMean: 0,
    },
  };
}

/** The bounded slowdown, by its name in this field; of all jobs that ran, as their bound is. */
function stretches(
  { runtimeSeconds, count }: Workload,
  schedule: Schedule,
): Pick<FractionalFigures, "stretchMean" | "stretchMax"> {
  let sum = 0;
  let ran = 0;
  let most = 1;
  for (let row = 0; row < count; row++) {
    const flow = endOf(schedule, runtimeSeconds, row) - schedule.submitSeconds[row];
    if (Number.isNaN(flow)) continue;
    const stretch = boundedSlowdown(flow, runtimeSeconds[row]);
    sum += stretch;
    ran++;
    if (stretch > most) most = stretch;
  }
  return { stretchMean: ran === 0 ? 0 : sum / ran, stretchMax: most };
}
