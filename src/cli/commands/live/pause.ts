import { Command } from "commander";

import type { PauseView, PoolView } from "../../../live/service/farm-views.ts";
import { FarmError } from "../../../live/client/farm-error.ts";
import { addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { pauseText } from "../../live/pause-text.ts";
import { print, say } from "../../terminal.ts";

interface PauseFlags extends JobsFlags {
  readonly reason?: string;
  readonly suspend?: true;
}

interface FarmAnswer {
  readonly name: string;
  readonly paused: PauseView | null;
}

export function pauseCommand(): Command {
  const command = new Command("pause")
    .description("let pools, or the whole farm, start nothing until croft unpause; what runs runs on")
    .argument("[pool...]", "pools; unless given, the whole farm")
    .option("--reason <text>", "why, for those who ask")
    .option("--suspend", "suspend what runs, where its pool can; it goes on with croft unpause")
    .option("--json", "print the pools as a JSON array, or the farm as an object");
  return addFarmOptions(command).action(async (pools: string[], flags: PauseFlags) => {
    const { reason, suspend = false } = flags;
    const paused = await toPools(pools, flags, "pause", {
      suspend,
      ...(reason === undefined ? {} : { reason }),
    });
    if (suspend)
      for (const { name, suspends, running } of paused)
        if (suspends === "none" && running > 0)
          say(`croft: pool ${name} cannot suspend its jobs: those that run there run on`);
  });
}

export function unpauseCommand(): Command {
  const command = new Command("unpause")
    .description("let pools, or the whole farm, start jobs again")
    .argument("[pool...]", "pools; unless given, the whole farm")
    .option("--json", "print the pools as a JSON array, or the farm as an object");
  return addFarmOptions(command).action(async (pools: string[], flags: JobsFlags) => {
    for (const { name, paused } of await toPools(pools, flags, "unpause"))
      if (paused !== null)
        say(
          `croft: pool ${name} stays ${pauseText(paused)}; ${paused.isOfFarm ? "croft unpause" : `croft unpause ${name}`} lets it start jobs`,
        );
  });
}

async function toPools(
  names: readonly string[],
  flags: JobsFlags,
  verb: "pause" | "unpause",
  body?: object,
): Promise<PoolView[]> {
  const farm = farmOf(flags);
  if (names.length === 0) {
    const answer = await farm.send<FarmAnswer>("POST", `/v1/farm/${verb}`, body);
    if (flags.json === true) await print(JSON.stringify(answer, null, 2));
    return farm.get<PoolView[]>("/v1/pools");
  }
  const pools: PoolView[] = [];
  // All are looked up before anything is done.
  const all = new Set((await farm.get<PoolView[]>("/v1/pools")).map(({ name }) => name));
  const unknown = names.find((name) => !all.has(name));
  if (unknown !== undefined)
    throw new FarmError(404, `there is no pool ${JSON.stringify(unknown)}: there are ${[...all].join(", ")}`);
  for (const name of names)
    pools.push(await farm.send<PoolView>("POST", `/v1/pools/${encodeURIComponent(name)}/${verb}`, body));
  if (flags.json === true) await print(JSON.stringify(pools, null, 2));
  return pools;
}
