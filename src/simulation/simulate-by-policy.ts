import { looksLikeOnlinePolicy } from "../fractional/index.ts";
import { InputError, type Machines, type Workload } from "../workload/index.ts";
import { simulateOnline } from "./fractional/online.ts";
import { resolveOnlinePolicy, wholeNodePolicies } from "./policy-names.ts";
import { defaultSettings, type SimulationSettings } from "./settings.ts";
import { checkPoolPolicy, checkSettings, simulatePool } from "./simulate.ts";
import { simulateWholeNodes } from "./simulate-whole-nodes.ts";
import type { Simulation, SimulationExtras } from "./simulation.ts";

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
  if (!runsOnEqualNodes(given.policy, workload)) checkPoolPolicy(workload, machines, given);
}
