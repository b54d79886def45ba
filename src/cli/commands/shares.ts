import { Command } from "commander";

import { sharesAt, type SharesView } from "../../simulation/index.ts";
import { InputError, timeOnLog } from "../../workload/index.ts";
import { addFarmOptions, farmOf } from "../live/farm.ts";
import { exitStatuses, runOptions, type SimulateFlags } from "../simulate/flags.ts";
import { sharesText } from "../shares-text.ts";
import { print, say } from "../terminal.ts";
import { prepare } from "./simulate.ts";

interface SharesFlags extends SimulateFlags {
  readonly at?: string;
  readonly server?: string;
  readonly socket?: string;
}

export function sharesCommand(): Command {
  const command = new Command("shares")
    .description(
      "tell what each project is due by fair share, has used and uses: in a run of a log at a time, or on a farm that runs",
    )
    .argument("[workload]", "the log, as `croft simulate` takes it; without one a farm that runs is asked")
    .option("--at <time>", "when: seconds on the run's clock, or a date (when the last job is submitted)")
    .option("--json", "print JSON instead of the tables");
  addFarmOptions(command);
  command.optionsGroup("The run:");
  return runOptions(command, true).optionsGroup("Settings:").addHelpText("after", afterHelp).action(shares);
}

const afterHelp = `
Examples:
  croft shares --socket /run/croft.sock
  croft shares jobs.csv --machines 64x8c64g --fair-share usage --half-life 7d --at 86400

At length: docs/choosing-a-policy.md
${exitStatuses}`;

async function shares(path: string | undefined, flags: SharesFlags): Promise<void> {
  if (path === undefined) {
    const { json, server: _server, socket: _socket, ...run } = flags;
    if (Object.keys(run).length > 0)
      throw new InputError("give the log as well: without one a farm that runs is asked");
    const pools = await farmOf(flags).get<SharesView[]>("/v1/shares");
    await print(json === true ? JSON.stringify(pools, null, 2) : sharesText(pools));
    return;
  }
  if (flags.server !== undefined || flags.socket !== undefined)
    throw new InputError("--server and --socket are for a farm that runs: leave out the log");
  const one = flags.policy !== undefined || flags.farm !== undefined || flags.packing !== undefined;
  const { place, workload, planned, remarks } = await prepare(
    path,
    one ? flags : { ...flags, policy: ["first-fit"] },
  );
  if (planned.length > 1)
    throw new InputError(
      `shares tells of one run, and these options make ${planned.length}: give one policy, load, strategy and way of packing`,
    );
  for (const remark of remarks) say(remark);
  const at = flags.at === undefined ? null : timeOnLog(flags.at, workload);
  const { atSeconds, pools } = sharesAt(at, workload, place, planned[0]!.settings);
  await print(
    flags.json === true
      ? JSON.stringify({ atSeconds, pools }, null, 2)
      : `${Math.round(atSeconds * 1000) / 1000} s on the run's clock\n\n${sharesText(pools)}`,
  );
}
