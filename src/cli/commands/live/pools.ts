import { Command } from "commander";

import type { PoolView } from "../../../live/service/farm-views.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { printable } from "../../live/printable.ts";
import { pauseText } from "../../live/pause-text.ts";
import { partOfMemory } from "../../live/memory-text.ts";
import { table, type Column } from "../../live/tables.ts";
import { print } from "../../terminal.ts";

const gpuColumn: Column<PoolView> = {
  title: "GPUs free",
  text: ({ gpus, gpusFree }) => (gpus === 0 ? "" : `${gpusFree} of ${gpus}`),
  right: true,
};
const columns: readonly Column<PoolView>[] = [
  { title: "pool", text: ({ name }) => name },
  { title: "engine", text: ({ engine }) => engine },
  { title: "policy", text: ({ policy }) => policy },
  {
    title: "machines",
    text: ({ machines, machinesClosed }) =>
      machinesClosed === 0 ? String(machines) : `${machines} (${machinesClosed} closed)`,
    right: true,
  },
  { title: "cores free", text: ({ cores, coresFree }) => `${coresFree} of ${cores}`, right: true },
  {
    title: "memory free",
    text: ({ memoryMiB, memoryFreeMiB }) => partOfMemory(memoryFreeMiB, memoryMiB),
    right: true,
  },
  gpuColumn,
  { title: "waiting", text: ({ waiting }) => String(waiting), right: true },
  { title: "running", text: ({ running }) => String(running), right: true },
  { title: "suspended", text: ({ suspended }) => String(suspended), right: true },
  {
    title: "",
    text: ({ unreachable, paused }) =>
      [
        ...(paused === null ? [] : [pauseText(paused)]),
        ...(unreachable === null ? [] : [`unreachable: ${unreachable.reason}`]),
      ].join("; "),
  },
];

export function poolsCommand(): Command {
  const command = new Command("pools")
    .description("list the pools of a farm: what is free, who waits")
    .option("--json", "as a JSON array");
  return addFarmOptions(command).action(async (flags: JobsFlags) => {
    const pools = await farmOf(flags).get<PoolView[]>("/v1/pools");
    const hasGpus = pools.some(({ gpus }) => gpus > 0);
    const shown = hasGpus ? columns : columns.filter((column) => column !== gpuColumn);
    await print(flags.json === true ? JSON.stringify(pools, null, 2) : table(shown, pools));
    for (const { name, unreachable } of pools)
      if (unreachable !== null && flags.json !== true)
        await print(
          `${printable(name)}: unreachable since ${unreachable.since}; its jobs are assumed to run`,
        );
  });
}
