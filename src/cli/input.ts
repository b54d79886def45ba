import { existsSync } from "node:fs";

import { Option, type Command } from "commander";

import {
  inferredMachines,
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
import { columnPairs, systemAmong } from "./options.ts";
import { say } from "./terminal.ts";

/** The options that say how a workload is read. */
export interface WorkloadFlags {
  readonly format?: string;
  readonly jobShape?: JobShape;
  readonly memoryUnit?: string;
  readonly memoryScope?: MemoryScope;
  readonly overrun?: "keep" | "cap";
  readonly timeZone?: string;
  readonly strict?: true;
  readonly columns?: Readonly<Record<string, string>>;
}

export function addWorkloadOptions(command: Command): Command {
  const formats = workloadFormats.map(({ name }) => name);
  return command
    .addOption(
      new Option("--format <name>", "the workload's format; guessed unless given")
        .choices(formats)
        .argParser(systemAmong(formats)),
    )
    .addOption(
      new Option(
        "--job-shape <shape>",
        "a job of p processors is p one-core tasks, or one task of p cores on one machine",
      ).choices(["tasks", "machine"]),
    )
    .option("--memory-unit <unit>", "the unit of the log's memory: B, KiB, MiB, GiB")
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
    )
    .option(
      "--columns <pairs>",
      "the columns of a CSV or of Parquet, with units: submit=queued_at,cores=ncpus,memory=mem_gb:GiB",
      columnPairs,
    )
    .option("--time-zone <zone>", "of times that name none: Europe/Berlin, +02:00, local (UTC)")
    .option("--strict", "refuse a log with a row that is not a job, instead of dropping and counting it");
}

/** Reads a workload, and prints on standard error what its reader repaired or dropped. */
export async function loadWorkload(
  path: string,
  flags: WorkloadFlags,
  defaults: ReadOptions = {},
): Promise<Workload> {
  const { format, jobShape, memoryUnit, memoryScope, overrun, timeZone, strict, columns } = flags;
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
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(strict === undefined ? {} : { strict }),
    ...(columns === undefined ? {} : { columns }),
  });
  for (const { what, count, firstLine, example } of workload.notes) {
    const shown = example === undefined ? "" : `: "${example}"`;
    const first = firstLine === undefined ? "" : ` (first in line ${firstLine}${shown})`;
    say(`${workload.name}: ${what}: ${formatCount(count)}${first}`);
  }
  return workload;
}

/** The options for the farm's machines. */
export interface MachinesFlags {
  readonly machines: string;
  readonly machineMemoryUnit?: string;
  readonly leaveOutDown?: true;
}

export const machinesHelp =
  "a file, - for standard input, a shorthand such as 1024x8c12g, a known farm's name, or inferred from the log";
export const machineMemoryUnitHelp = "the unit of the file's memory, where it does not say: MiB";

export function leaveOutDownOption(): Option {
  return new Option("--leave-out-down", "leave out the machines that the list says are down or drained");
}

/** Reads a list of machines, and prints on standard error what its reader left out or doubts. */
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

/**
 * The machines of a study, whose list is read before the log is; undefined where none are given.
 *
 * @returns a function that gives them once the log is read, from which they may be inferred
 */
export async function loadGivenMachines(
  { machines, ...flags }: Partial<MachinesFlags>,
  defaults: MachinesOptions = {},
): Promise<((workload: Workload) => Machines) | undefined> {
  if (machines === undefined) {
    if (flags.leaveOutDown === true)
      throw new InputError("--leave-out-down is for a list of machines: give --machines");
    return undefined;
  }
  if (areInferred({ ...flags, machines })) return inferMachines;
  const list = await loadMachines({ ...flags, machines }, defaults);
  return () => list;
}

/**
 * Whether the machines are to be inferred from the log. A file of that name takes precedence.
 *
 * @throws InputError for options that only apply to a list of machines
 */
export function areInferred({ machines, machineMemoryUnit, leaveOutDown }: Partial<MachinesFlags>): boolean {
  if (machines !== "inferred" || existsSync(machines)) return false;
  const idle = [
    ...(machineMemoryUnit === undefined ? [] : ["--machine-memory-unit"]),
    ...(leaveOutDown === undefined ? [] : ["--leave-out-down"]),
  ];
  if (idle.length > 0)
    throw new InputError(
      `the machines are inferred from the log, and no list of them is read: leave out ${idle.join(", ")}`,
    );
  return true;
}

/** Infers the machines from the log, and says so on standard error. */
export function inferMachines(workload: Workload): Machines {
  const machines = inferredMachines(workload);
  const { count, coresMilli, jobsWithoutPlace } = machines;
  const cores = coresMilli.reduce((sum, milli) => sum + milli, 0) / 1000;
  say(
    `${workload.name}: machines inferred from where jobs ran: ${formatCount(count)} with ${formatCount(cores)} cores, ` +
      "each with the most that jobs held on it at once; the real ones have at least that",
  );
  if (jobsWithoutPlace > 0) {
    say(
      `${workload.name}: jobs that do not say where they ran, or when they started: ${formatCount(jobsWithoutPlace)}`,
    );
  }
  return machines;
}
