import { looksLikeOnlinePolicy } from "../fractional/index.ts";
import { InputError, type Machines, type Workload } from "../workload/index.ts";
import { simulateOnline } from "./fractional/online.ts";
import { resolveOnlinePolicy } from "./policy-names.ts";
import { defaultSettings, type SimulationSettings } from "./settings.ts";
import { checkPoolPolicy, checkSettings, simulatePool } from "./simulate.ts";
import { simulateWholeNodes } from "./simulate-whole-nodes.ts";
import type { Simulation, SimulationExtras } from "./simulation.ts";
import { publishedNames, wholeNodePolicies } from "./whole-node-names.ts";

/**
 * Whether the machines of a run are equal nodes, which it shares in parts or hands out
 * whole; if not, they are a pool's, of which jobs get cores and memory.
 */
export function runsOnEqualNodes(policy: string, workload: Workload): boolean {
  return workload.nodeCpu !== undefined || wholeNodePolicies.has(policy) || looksLikeOnlinePolicy(policy);
}

/**
 * Replays a workload on the machines of one pool, or on equal nodes, under one policy.
 *
 * The same workload, machines and settings give the same schedule, to the byte,
 * on any machine.
 *
 * @throws InputError where the settings do not fit the workload or the machines
 */
export function simulate(
  workload: Workload,
  machines: Machines,
  settings: Partial<SimulationSettings> & Pick<SimulationSettings, "policy">,
  extras: SimulationExtras = {},
): Simulation {
  const given: SimulationSettings = { ...defaultSettings, ...settings };
  checkSettings(given);
  refuseDoubtfulName(given.policy, workload);
  if (!runsOnEqualNodes(given.policy, workload)) return simulatePool(workload, machines, given, extras);
  if (given.packing !== null || given.clock === "order")
    throw new InputError(
      `policy ${given.policy} shares nodes in parts: it packs no families, and has no order-driven clock`,
    );
  const online = resolveOnlinePolicy(given.policy);
  return online === null
    ? simulateWholeNodes(workload, machines, given, extras)
    : simulateOnline(workload, machines, online, given, extras);
}

/**
 * Refuses, before several runs begin, one whose policy needs what the workload or the machines do not tell.
 *
 * @throws InputError where that is so
 */
export function checkPolicy(
  workload: Workload,
  machines: Machines,
  settings: Partial<SimulationSettings> & Pick<SimulationSettings, "policy">,
): void {
  const given: SimulationSettings = { ...defaultSettings, ...settings };
  refuseDoubtfulName(given.policy, workload);
  if (!runsOnEqualNodes(given.policy, workload)) checkPoolPolicy(workload, machines, given);
}

/**
 * On a log that counts cores, `EASY` may be meant as `easy` as well as by its published meaning. Where needs are
 * parts of nodes both are the same.
 *
 * @throws InputError where it cannot be told which is meant
 */
function refuseDoubtfulName(policy: string, { nodeCpu }: Workload): void {
  const wholeNode = publishedNames.get(policy);
  if (wholeNode === undefined || nodeCpu !== undefined) return;
  throw new InputError(
    `policy "${policy}" can mean two: write ${wholeNodePolicies.get(wholeNode)} for jobs that get the cores they ask for, ` +
      `or ${wholeNode} for tasks that get a whole node each`,
  );
}
