import { resolve } from "node:path";

import { Command } from "commander";

import { defaultData, defaultSocket } from "../../../live/client/places.ts";
import { serve } from "../../../live/serve.ts";
import { defaultFarm } from "../../../live/service/farm-plan.ts";
import { farmChecks } from "../../../simulation/index.ts";
import { readFarm } from "../../../workload/index.ts";
import { sayMachinesNotes } from "../../input.ts";
import { onEndSignals } from "../../signals.ts";
import { print } from "../../terminal.ts";
import { version } from "../../version.ts";

interface ServeFlags {
  readonly farm?: string;
  readonly data?: string;
  readonly socket?: string;
  readonly logLevel: string;
}

export function serveCommand(): Command {
  return new Command("serve")
    .description("run a farm: take jobs, decide, run them; without a farm file on this machine")
    .option("--farm <file>", "the farm's pools, priorities and rules, YAML or JSON (this machine)")
    .option("--data <folder>", "where the farm keeps what it knows ($XDG_STATE_HOME/croft)")
    .option("--socket <path>", "where it listens ($XDG_RUNTIME_DIR/croft/croft.sock)")
    .option("--log-level <level>", "what it writes to standard error: debug, info, warn, error", "warn")
    .action(run);
}

async function run(flags: ServeFlags): Promise<void> {
  const { logLevel } = flags;
  const data = resolve(flags.data ?? defaultData(process.env));
  const socket = resolve(flags.socket ?? (process.env["CROFT_SOCKET"] || defaultSocket(process.env)));
  const farm =
    flags.farm === undefined
      ? defaultFarm()
      : await readFarm(flags.farm, { ...farmChecks, enginesTellMachines: true, machines: sayMachinesNotes });
  const serving = await serve({ farm, data, socket, version, logLevel });
  const ended = new Promise<void>((done) => onEndSignals(done));
  const { pools } = serving.service;
  const machines = pools.reduce((sum, { plan }) => sum + plan.machines.length, 0);
  await print(
    `croft serves ${farm.name}: ${pools.length} ${pools.length === 1 ? "pool" : "pools"}, ${machines} ${machines === 1 ? "machine" : "machines"}; socket ${socket}, data ${data}`,
  );
  await ended;
  await serving.stop();
}
