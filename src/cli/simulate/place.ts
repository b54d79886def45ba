import {
  farmChecks,
  machinesOfFarm,
  requirementCheck,
  scaleFarm,
  scaleMachines,
  type Preset,
} from "../../simulation/index.ts";
import {
  farmOfMachines,
  InputError,
  readFarm,
  type Farm,
  type Machines,
  type ReadOptions,
  type Workload,
} from "../../workload/index.ts";
import { areInferred, inferMachines, loadMachines, sayMachinesNotes } from "../input.ts";
import type { SimulateFlags } from "./flags.ts";

/** What runs are made on: a list of machines, or a farm of pools. */
export type Place = Machines | Farm;

export function isFarm(place: Place): place is Farm {
  return "pools" in place;
}

/** All machines of a place as one list. */
export function machinesOf(place: Place): Machines {
  return isFarm(place) ? machinesOfFarm(place) : place;
}

/**
 * What to run on; null where it is to be inferred from the log: see `inferPlace`.
 *
 * @throws InputError where not exactly one is given, or what is given cannot be read
 */
export async function loadPlace(flags: SimulateFlags, preset: Preset): Promise<Place | null> {
  const { machines, farm, scaleCores = 1, scaleMemory = 1 } = flags;
  if (machines !== undefined && farm !== undefined)
    throw new InputError("--machines and --farm both say what to run on: give one of them");
  if (farm !== undefined)
    return scaleFarm(
      await readFarm(farm, { ...farmChecks, machines: sayMachinesNotes }),
      scaleCores,
      scaleMemory,
    );
  if (machines === undefined)
    throw new InputError("say what to run on: --machines, or --farm for several pools");
  if (areInferred(flags)) return null;
  return scaleMachines(await loadMachines({ ...flags, machines }, preset.machines), scaleCores, scaleMemory);
}

/** The machines that the log shows. */
export function inferPlace(workload: Workload, { scaleCores = 1, scaleMemory = 1 }: SimulateFlags): Machines {
  return scaleMachines(inferMachines(workload), scaleCores, scaleMemory);
}

/**
 * Checks for the reader of a workload, so that it can name the line of a requirement that no machine of the farm
 * meets.
 */
export function checksOf(place: Place): ReadOptions {
  return { checkRequirement: requirementCheck(isFarm(place) ? place : farmOfMachines(place)) };
}
