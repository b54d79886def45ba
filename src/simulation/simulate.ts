import {
  durationName,
  farmOfMachines,
  InputError,
  nearest,
  type Farm,
  type Machines,
  type Workload,
} from "../workload/index.ts";
import { machinesOfFarm } from "./build/machines.ts";
import { checkPoolPolicies } from "./build/pool-policies.ts";
import { checkMachines, checkSettings } from "./settings/check-settings.ts";
import { policyKind, refuseCombinations } from "./settings/combinations.ts";
import { memoized } from "./memoized.ts";
import { betaFor, offeredLoad, stretched } from "./figures/offered-load.ts";
import { nodePolicies, nodePoliciesOf } from "./settings/node-policies.ts";
import { defaultSettings, type SimulationSettings } from "./settings/settings.ts";
import { simulateFarm } from "./simulate-farm.ts";
import type { FarmSimulation, Simulation, SimulationExtras } from "./simulation.ts";

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
  if (isFarm(on)) return simulateFarm(asked(workload, given), on, machinesOfFarm(on), false, given, extras);
  const { policy } = given;
  const kind = policyKind(given, workload.nodeCpu !== undefined);
  if (typeof policy !== "string" || kind === "pool")
    return simulateFarm(asked(onOnePool(workload), given), farmOf(on), on, true, given, extras);
  const family = nodePolicies.find((each) => each.kind === kind);
  if (family === undefined)
    throw new InputError(
      `the jobs of workload ${workload.name} ask for parts of nodes: such runs are made by "croft/research", which a program has to import`,
    );
  return family.simulate(workload, on, policy, given, extras);
}

/**
 * Refuses, before several runs begin, one whose policy needs what the workload or the machines do not tell.
 *
 * @throws InputError where that is so
 */
export function checkPolicy(workload: Workload, on: Machines | Farm, settings: GivenSettings): void {
  const given = withDefaults(workload, on, settings);
  const isOfPools =
    typeof given.policy !== "string" || policyKind(given, workload.nodeCpu !== undefined) === "pool";
  if (isFarm(on) || isOfPools) checkPoolPolicies(workload, isFarm(on) ? on : farmOf(on), given);
}

function withDefaults(workload: Workload, on: Machines | Farm, settings: GivenSettings): SimulationSettings {
  const other = Object.keys(settings).find((name) => !Object.hasOwn(defaultSettings, name));
  if (other !== undefined) {
    const near = nearest(other, Object.keys(defaultSettings)).join(", ");
    throw new InputError(`there is no setting "${other}"; did you mean ${near}?`);
  }
  const told = Object.entries(settings).filter(([, value]) => value !== undefined);
  const given: SimulationSettings = { ...defaultSettings, ...Object.fromEntries(told) };
  checkSettings(given);
  if (!isFarm(on)) checkMachines(on);
  const { policy } = given;
  if (typeof policy === "string") nodePoliciesOf(policy)?.check(policy, workload);
  refuseCombinations(on, given, workload.nodeCpu !== undefined);
  refuseEmptyWindow(workload, on, given);
  return given;
}

const DAY_SECONDS = 86_400;

/**
 * Refuses a warm-up and cool-down that leave no job to count.
 *
 * @throws InputError where that is so
 */
function refuseEmptyWindow(workload: Workload, on: Machines | Farm, settings: SimulationSettings): void {
  const { warmupSeconds, cooldownSeconds, clock } = settings;
  const { count } = workload;
  if (clock === "order" || warmupSeconds + cooldownSeconds === 0 || count === 0) return;
  const machines = isFarm(on) ? machinesOfFarm(on) : on;
  const beta = settings.load === null ? settings.beta : betaFor(settings, offeredLoad(workload, machines));
  const times = stretched(workload, beta);
  const from = times[0] + warmupSeconds;
  const until = times[count - 1] - cooldownSeconds;
  if (times.some((time) => time >= from && time <= until)) return;
  const left = [
    ...(warmupSeconds > 0 ? [`a warm-up of ${durationName(warmupSeconds)}`] : []),
    ...(cooldownSeconds > 0 ? [`a cool-down of ${durationName(cooldownSeconds)}`] : []),
  ];
  const spanSeconds = Math.round(times[count - 1] - times[0]);
  const days = spanSeconds < DAY_SECONDS ? "" : `${(spanSeconds / DAY_SECONDS).toFixed(1)} days, `;
  throw new InputError(
    `${left.join(" and ")} ${left.length > 1 ? "leave" : "leaves"} no job to count: ` +
      `the first and the last job are submitted ${days}${spanSeconds} s apart`,
  );
}

export function isFarm(on: Machines | Farm): on is Farm {
  return "pools" in on;
}

const farmOf = memoized(farmOfMachines);

/** The workload without what has no meaning in one pool: the site of submission, and the pools that a job names. */
function onOnePool(workload: Workload): Workload {
  const { restartPools, ...rest } = workload;
  return rest.site === null && rest.pools === null && restartPools === undefined
    ? workload
    : { ...rest, site: null, pools: null };
}

/**
 * The workload without what lets jobs suspend others, except where they can: under the time-driven clock with all
 * events of an instant at once.
 */
function asked(workload: Workload, { clock, eventOrder }: SimulationSettings): Workload {
  return clock === "time" && eventOrder === "instant"
    ? workload
    : { ...workload, priority: null, group: null };
}
