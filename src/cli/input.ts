import { Option, type Command } from "commander";

import {
  InputError,
  parseMemoryUnit,
  readMachines,
  readWorkload,
  workloadFormats,
  type JobShape,
  type Machines,
  type MachinesOptions,
  type MemoryScope,
  type ReadOptions,
  type Workload,
} from "../workload/index.ts";
import { formatCount } from "../report/index.ts";
import { readRequirement } from "../simulation/index.ts";
import { say } from "./terminal.ts";

/** The options that say how a workload is read. */
export interface WorkloadFlags {
  readonly format?: string;
  readonly jobShape?: JobShape;
  readonly memoryUnit?: string;
  readonly memoryScope?: MemoryScope;
  readonly overrun?: "keep" | "cap";
}

export function addWorkloadOptions(command: Command): Command {
  const formats = workloadFormats.map(({ name }) => name);
  return command
    .addOption(new Option("--format <name>", "the workload's format; guessed unless given").choices(formats))
    .addOption(
      new Option(
        "--job-shape <shape>",
        "a job of p processors is p one-core tasks, or one task of p cores on one machine",
      ).choices(["tasks", "machine"]),
    )
    .option("--memory-unit <unit>", "the unit of the log's memory: B, KiB, MiB, GiB, TiB")
    .addOption(
      new Option(
        "--memory-scope <scope>",
        "whether the log's memory is a processor's or a whole job's",
      ).choices(["per-processor", "per-job"]),
    )
    .addOption(
      new Option("--overrun <how>", "a run time beyond its estimate: keep it, or cap it there").choices([
        "keep",
        "cap",
      ]),
    );
}

/** Reads a workload; what its reader repaired or dropped is said on standard error. */
export async function loadWorkload(
  path: string,
  flags: WorkloadFlags,
  defaults: ReadOptions = {},
): Promise<Workload> {
  const { format, jobShape, memoryUnit, memoryScope, overrun } = flags;
  const workload = await readWorkload(path, {
    checkRequirement: (text) => {
      if (text.trim() !== "") readRequirement(text, null);
    },
    ...defaults,
    ...(format === undefined ? {} : { format }),
    ...(jobShape === undefined ? {} : { jobShape }),
    ...(memoryUnit === undefined ? {} : { memoryUnit: parseMemoryUnit(memoryUnit) }),
    ...(memoryScope === undefined ? {} : { memoryScope }),
    ...(overrun === undefined ? {} : { overrun }),
  });
  for (const { what, count, firstLine } of workload.notes) {
    say(
      `${workload.name}: ${what}: ${formatCount(count)}${firstLine === undefined ? "" : ` (first in line ${firstLine})`}`,
    );
  }
  return workload;
}

/** The options that say what the farm consists of. */
export interface MachinesFlags {
  readonly machines: string;
  readonly machineMemoryUnit?: string;
  readonly leaveOutDown?: true;
}

export const machinesHelp =
  "a file, - for standard input, a shorthand such as 1024x8c12g, or a known farm's name";
export const machineMemoryUnitHelp = "the unit of the file's memory, where it does not say: MiB";

export function addMachinesOptions(command: Command, isRequired = true): Command {
  return command
    .addOption(new Option("--machines <spec>", machinesHelp).makeOptionMandatory(isRequired))
    .option("--machine-memory-unit <unit>", machineMemoryUnitHelp)
    .addOption(leaveOutDownOption());
}

export function leaveOutDownOption(): Option {
  return new Option("--leave-out-down", "leave out the machines that the list says are down or drained");
}

/** Reads a list of machines; what its reader left out or doubts is said on standard error. */
export async function loadMachines(flags: MachinesFlags, defaults: MachinesOptions = {}): Promise<Machines> {
  const { machines: spec, machineMemoryUnit, leaveOutDown } = flags;
  const machines = await readMachines(spec, {
    ...defaults,
    ...(machineMemoryUnit === undefined ? {} : { memoryUnit: parseMemoryUnit(machineMemoryUnit) }),
    ...(leaveOutDown === undefined ? {} : { leaveOutDown }),
  });
  sayMachinesNotes(machines);
  return machines;
}

export function sayMachinesNotes({ name, notes = [] }: Machines): void {
  for (const { what, count, examples } of notes) {
    const more = count > examples.length ? "; …" : "";
    say(`${name}: ${what}: ${formatCount(count)} (${examples.join("; ")}${more})`);
  }
}

/** The machines, where a command can do without a list of them. */
export async function loadGivenMachines(
  { machines, ...flags }: Partial<MachinesFlags>,
  defaults: MachinesOptions = {},
): Promise<Machines | undefined> {
  if (machines !== undefined) return loadMachines({ ...flags, machines }, defaults);
  if (flags.leaveOutDown === true) {
    throw new InputError("--leave-out-down is for a list of machines: give --machines");
  }
  return undefined;
}
