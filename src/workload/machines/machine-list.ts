import { InputError } from "../errors.ts";
import type { MachineAttributes } from "../farm/farm.ts";
import { sharedInt32Array } from "../shared-arrays.ts";
import { attributeColumn } from "./attributes.ts";
import type { Machines, MachinesNote } from "./machines.ts";

export const MAX_MACHINES = 1_000_000;
const MAX_INT32 = 2 ** 31 - 1;

/** One machine, as a reader found it. */
export interface Machine {
  readonly id: string;
  readonly coresMilli: number;
  /** Null if the list does not tell memory. */
  readonly memoryMiB: number | null;
  readonly gpuMilli: number | null;
  readonly attributes?: MachineAttributes;
}

/** The place of an error in the list: the file, if it is one, and the line. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
}

/** Collects machines and checks each. Every reader of machines uses it. */
export class MachineList {
  private readonly machines: Machine[] = [];
  private readonly ids = new Set<string>();

  /** @throws InputError if the machine is not valid, or its id is taken */
  add(machine: Machine, where: Place): void {
    const { id, coresMilli, memoryMiB, gpuMilli } = machine;
    const refuse = (problem: string): never => {
      throw new InputError(problem, where);
    };
    if (this.machines.length >= MAX_MACHINES) refuse(`more than ${MAX_MACHINES} machines`);
    if (id === "") refuse("a machine without an id");
    if (this.ids.has(id)) refuse(`a second machine called ${id}`);
    if (!isAmount(coresMilli, 1)) {
      refuse(
        `machine ${id} has ${coresMilli / 1000} cores: give more than 0 and at most ${MAX_INT32 / 1000}`,
      );
    }
    if (memoryMiB !== null && !isAmount(memoryMiB, 0)) {
      refuse(`machine ${id} has ${memoryMiB} MiB of memory: give 0 to ${MAX_INT32}`);
    }
    if (gpuMilli !== null && !isAmount(gpuMilli, 0)) {
      refuse(`machine ${id} has ${gpuMilli / 1000} GPUs: give 0 to ${MAX_INT32 / 1000}`);
    }
    this.ids.add(id);
    this.machines.push(machine);
  }

  /** @throws InputError if there is no machine */
  finish(name: string, where: Place, notes: readonly MachinesNote[] = []): Machines {
    const machines = this.machines;
    if (machines.length === 0) throw new InputError("there is no machine in it", where);
    const attributes = attributeColumn(machines.map(({ attributes }) => attributes));
    return {
      name,
      count: machines.length,
      ids: machines.map(({ id }) => id),
      coresMilli: column(machines.map(({ coresMilli }) => coresMilli))!,
      memoryMiB: column(machines.map(({ memoryMiB }) => memoryMiB)),
      gpuMilli: column(machines.map(({ gpuMilli }) => gpuMilli)),
      ...(attributes === undefined ? {} : { attributes }),
      ...(notes.length === 0 ? {} : { notes }),
    };
  }
}

function isAmount(value: number, least: number): boolean {
  return value >= least && value <= MAX_INT32;
}

/** Null if the first machine, and so every machine of the list, has no value. */
function column(values: readonly (number | null)[]): Int32Array | null {
  if (values[0] === null) return null;
  const array = sharedInt32Array(values.length);
  values.forEach((value, row) => (array[row] = value ?? 0));
  return array;
}
