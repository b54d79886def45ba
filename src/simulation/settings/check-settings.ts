import { packingPolicies, useMeasures } from "../../core/index.ts";
import { InputError, type Machines } from "../../workload/index.ts";
import { familyFields } from "./families.ts";
import type { PackingChoice } from "./families.ts";
import type { SimulationSettings } from "./settings.ts";

/**
 * Refuses settings that would make a run meaningless or endless. They may come from a program, whatever their types say.
 *
 * @throws InputError naming the first that is wrong
 */
export function checkSettings(settings: SimulationSettings): void {
  const { beta, load, intervalSeconds, examined, reserving, estimates, clock, eventOrder } = settings;
  const { packing, queuedJobs, seed, power, pictures, fairShare, usage, leastFree } = settings;
  const { penaltySeconds, periodSeconds, minimumVirtualSeconds, minimumFlowSeconds, nodeMemoryGiB } =
    settings;
  const checks: [boolean, string][] = [
    [isPositive(beta), `beta is ${beta}: it must be more than 0`],
    [load === null || isPositive(load), `load is ${load}: it must be more than 0`],
    [load === null || beta === 1, "a load is reached by choosing beta: give one of the two"],
    [
      intervalSeconds === null || isNotNegative(intervalSeconds),
      `the interval is ${intervalSeconds}: it must be 0 or more seconds`,
    ],
    [examined >= 1, `${examined} jobs are examined in a cycle: it must be 1 or more`],
    [
      queuedJobs === null || (Number.isInteger(queuedJobs) && queuedJobs >= 1),
      `${queuedJobs} jobs wait at a time: it must be a whole number from 1`,
    ],
    [
      queuedJobs === null || clock === "order",
      "how many jobs wait at a time (--queue) is for the order-driven clock: --clock order",
    ],
    [reserving === null || reserving >= 0, `${reserving} jobs may reserve in a cycle: it must be 0 or more`],
    [
      estimates === "log" || estimates === "exact" || estimates === "predicted" || isPositive(estimates),
      `estimates must be "log", "exact", "predicted" or a factor of the run times more than 0, not ${String(estimates)}`,
    ],
    [clock === "time" || clock === "order", `clock must be "time" or "order", not ${clock}`],
    [
      eventOrder === "instant" || eventOrder === "single",
      `eventOrder must be "instant" or "single", not ${eventOrder}`,
    ],
    [Number.isSafeInteger(seed), `seed is ${seed}: it must be a whole number`],
    [
      isNotNegative(leastFree.cores) && isNotNegative(leastFree.memory),
      "leastFree has cores and memory, each 0 or more",
    ],
    [isWhole(penaltySeconds), `the penalty is ${penaltySeconds}: it must be whole seconds, 0 or more`],
    [
      isWhole(periodSeconds) && periodSeconds > 0,
      `the period is ${periodSeconds}: it must be whole seconds, 1 or more`,
    ],
    [
      minimumVirtualSeconds >= 0,
      `the minimum virtual time is ${minimumVirtualSeconds}: it must be 0 or more`,
    ],
    [minimumFlowSeconds >= 0, `the minimum flow time is ${minimumFlowSeconds}: it must be 0 or more`],
    [
      nodeMemoryGiB === null || nodeMemoryGiB > 0,
      `a node's memory is ${nodeMemoryGiB}: it must be more than 0`,
    ],
    [power === null || packing !== null, "power is measured where jobs are packed: give packing with it"],
    [!pictures || packing !== null, "pictures are made where jobs are packed: give packing with them"],
    ...(["warmupSeconds", "cooldownSeconds"] as const).map((name): [boolean, string] => [
      isNotNegative(settings[name]),
      `${name} is ${settings[name]}: it must be 0 or more`,
    ]),
    ...(fairShare ?? []).map(({ path, share }): [boolean, string] => [
      typeof path === "string" && isPositive(share),
      `the share of ${path} is ${share}: it must be more than 0`,
    ]),
    [usage === null || fairShare !== null, "usage is what fair share goes by: give fairShare with it"],
    [
      usage === null || (isPositive(usage.halfLifeSeconds) && usage.halfLifeSeconds >= 1),
      `the half-life of what was used is ${usage?.halfLifeSeconds} s: it must be 1 s or more`,
    ],
    [
      usage === null || useMeasures.includes(usage.of),
      `fair share is of ${useMeasures.join(", ")}, not of ${usage?.of}`,
    ],
  ];
  for (const [isRight, problem] of checks) if (!isRight) throw new InputError(problem);
  if (packing !== null) checkPacking(packing);
}

function checkPacking({ policy, families, ttlSeconds }: PackingChoice): void {
  if (!packingPolicies.includes(policy))
    throw new InputError(`packing must be one of ${packingPolicies.join(", ")}, not ${policy}`);
  if (!(ttlSeconds >= 0))
    throw new InputError(`the time to live is ${ttlSeconds}: it must be 0 or more seconds`);
  const other = families.find(({ field, values }) => !familyFields.includes(field) || !Array.isArray(values));
  if (other !== undefined)
    throw new InputError(`a family has a field, ${familyFields.join(", ")}, and values: a list of texts`);
}

/** @throws InputError where columns differ in length, or a machine has no core */
export function checkMachines({ count, ids, coresMilli, memoryMiB, gpuMilli }: Machines): void {
  for (const [name, column] of Object.entries({ ids, coresMilli, memoryMiB, gpuMilli }))
    if (column !== null && column.length !== count)
      throw new InputError(
        `${name} of the machines has ${column.length} rows, and there are ${count} machines`,
      );
  const machine = coresMilli.findIndex((cores) => !(cores >= 1));
  if (machine >= 0) throw new InputError(`machine ${ids[machine]} must have a thousandth of a core at least`);
}

function isPositive(value: unknown): boolean {
  return typeof value === "number" && value > 0 && value < Infinity;
}

function isNotNegative(value: unknown): boolean {
  return typeof value === "number" && value >= 0 && value < Infinity;
}

function isWhole(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}
