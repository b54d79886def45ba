import { Command } from "commander";

import type { MachineView } from "../../../live/service/farm-views.ts";
import { GPU_KIND } from "../../../workload/farm/farm.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { partOfMemory } from "../../live/memory-text.ts";
import { table, type Column } from "../../live/tables.ts";
import { print } from "../../terminal.ts";

const gpuColumn: Column<MachineView> = {
  title: "GPUs free",
  text: ({ attributes, gpus, gpusFree }) =>
    gpus === 0 ? "" : `${gpusFree} of ${gpus} ${String(attributes[GPU_KIND] ?? "")}`.trimEnd(),
  right: true,
};
const columns: readonly Column<MachineView>[] = [
  { title: "pool", text: ({ pool }) => pool },
  { title: "machine", text: ({ name }) => name },
  { title: "state", text: ({ state }) => state },
  { title: "cores free", text: ({ cores, coresFree }) => `${coresFree} of ${cores}`, right: true },
  {
    title: "memory free",
    text: ({ memoryMiB, memoryFreeMiB }) => partOfMemory(memoryFreeMiB, memoryMiB),
    right: true,
  },
  gpuColumn,
  { title: "jobs", text: ({ jobs }) => String(jobs.length), right: true },
  { title: "owner", text: ({ owner }) => owner ?? "" },
  { title: "", text: ({ reason }) => reason },
];

export function machinesCommand(): Command {
  const command = new Command("machines")
    .description("list the machines of a farm")
    .option("--json", "as a JSON array");
  return addFarmOptions(command).action(async (flags: JobsFlags) => {
    const machines = await farmOf(flags).get<MachineView[]>("/v1/machines");
    await print(
      flags.json === true ? JSON.stringify(machines, null, 2) : table(columnsFor(machines), machines),
    );
  });
}

function columnsFor(machines: readonly MachineView[]): readonly Column<MachineView>[] {
  return machines.some(({ gpus }) => gpus > 0) ? columns : columns.filter((column) => column !== gpuColumn);
}
