import { looksLikeOnlinePolicy } from "../fractional/index.ts";
import { farmOfMachines, InputError, type Farm, type Machines, type Workload } from "../workload/index.ts";
import { checkPoolPolicies } from "./build/build-engine.ts";
import { machinesOfFarm } from "./build/machines.ts";
import { simulateOnline } from "./fractional/online.ts";
import { resolveOnlinePolicy } from "./policy-names.ts";
import { defaultSettings, type SimulationSettings } from "./settings.ts";
import { checkSettings, simulateFarm } from "./simulate-farm.ts";
import { simulateWholeNodes } from "./simulate-whole-nodes.ts";
import type { FarmSimulation, Simulation, SimulationExtras } from "./simulation.ts";
import { publishedNames, wholeNodePolicies } from "./whole-node-names.ts";

/**
 * Whether the machines of a run are equal nodes, which it shares in parts or hands out
 * whole; if not, they are a pool's, of which jobs get cores and memory.
 */
export function runsOnEqualNodes(policy: string, workload: Workload): boolean {
  return workload.nodeCpu !== undefined || wholeNodePolicies.has(policy) || looksLikeOnlinePolicy(policy);
}

/** What is given of a run's settings; the others have defaults. */
export type GivenSettings = Partial<SimulationSettings>;

/**
 * Replays a workload on a farm, on a list of machines (a farm of one pool), or on equal nodes that are shared in
 * parts, as the policy has it.
 *
 * The same workload, machines and settings give the same schedule, to the byte, on any machine.
 *
 * @throws InputError where the settings do not fit the workload or the machines
 */
export function simulate(
  workload: Workload,
  on: Farm,
  settings?: GivenSettings,
  extras?: SimulationExtras,
): FarmSimulation;
export function simulate(
  workload: Workload,
  on: Machines | Farm,
  settings?: GivenSettings,
  extras?: SimulationExtras,
): Simulation;
export function simulate(
  workload: Workload,
  on: Machines | Farm,
  settings: GivenSettings = {},
  extras: SimulationExtras = {},
): Simulation {
  const given = withDefaults(workload, on, settings);
  if (isFarm(on)) return simulateFarm(workload, on, machinesOfFarm(on), false, given, extras);
  const { policy } = given;
  if (typeof policy !== "string" || !runsOnEqualNodes(policy, workload))
    return simulateFarm(onOnePool(workload), farmOf(on), on, true, given, extras);
  const online = resolveOnlinePolicy(policy);
  return online === null
    ? simulateWholeNodes(workload, on, policy, given, extras)
    : simulateOnline(workload, on, online, given, extras);
}

/**
 * Refuses, before several runs begin, one whose policy needs what the workload or the machines do not tell.
 *
 * @throws InputError where that is so
 */
export function checkPolicy(workload: Workload, on: Machines | Farm, settings: GivenSettings): void {
  const given = withDefaults(workload, on, settings);
  if (isFarm(on) || typeof given.policy !== "string" || !runsOnEqualNodes(given.policy, workload))
    checkPoolPolicies(workload, isFarm(on) ? on : farmOf(on), given);
}

function withDefaults(workload: Workload, on: Machines | Farm, settings: GivenSettings): SimulationSettings {
  const given: SimulationSettings = { ...defaultSettings, ...settings };
  checkSettings(given);
  const { policy } = given;
  if (typeof policy === "string") refuseDoubtfulName(policy, workload);
  const isShared = typeof policy === "string" && runsOnEqualNodes(policy, workload);
  if (isShared && isFarm(on))
    throw new InputError(
      `policy ${policy} shares equal nodes: it runs on a list of machines, not on a farm of pools`,
    );
  if (isShared && (given.packing !== null || given.clock === "order" || given.failures !== null))
    throw new InputError(
      `policy ${policy} shares nodes in parts: it packs no families, has no order-driven clock, and no machines fail`,
    );
  if (isFarm(on) && on.pools.length > 1 && (given.clock === "order" || given.eventOrder === "single"))
    throw new InputError(
      `${given.clock === "order" ? "the order-driven clock" : "the event order of single events"} is for one pool; farm ${on.name} has ${on.pools.length}`,
    );
  if (given.failures !== null && (given.clock === "order" || given.eventOrder === "single"))
    throw new InputError(
      "machines fail on the time-driven clock only, with all events of an instant at once",
    );
  return given;
}

export function isFarm(on: Machines | Farm): on is Farm {
  return "pools" in on;
}

const farms = new WeakMap<Machines, Farm>();

function farmOf(machines: Machines): Farm {
  let farm = farms.get(machines);
  if (farm === undefined) farms.set(machines, (farm = farmOfMachines(machines)));
  return farm;
}

/** One pool is all there is: where a job may be submitted, and which pools it names, tells nothing. */
function onOnePool(workload: Workload): Workload {
  return workload.site === null && workload.pools === null
    ? workload
    : { ...workload, site: null, pools: null };
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
