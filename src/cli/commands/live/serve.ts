import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { Command, Option } from "commander";

import { defaultData, defaultSocket } from "../../../live/client/places.ts";
import { demoFarm, replayLog } from "../../../live/demo.ts";
import { serve, type Serving } from "../../../live/serve.ts";
import { defaultFarm, withRoot } from "../../../live/service/farm-plan.ts";
import { farmChecks } from "../../../simulation/index.ts";
import { readFarm, readMachines, readWorkload, type Farm } from "../../../workload/index.ts";
import { bundled } from "../../bundled.ts";
import { sayMachinesNotes } from "../../input.ts";
import { onEndSignals } from "../../signals.ts";
import { print, say } from "../../terminal.ts";
import { version } from "../../version.ts";

interface ServeFlags {
  readonly farm?: string;
  readonly data?: string;
  readonly socket?: string;
  readonly demo?: true;
  readonly allowRoot?: true;
  readonly logLevel: string;
}

const DEMO_SPEED = 600;

export function serveCommand(): Command {
  return new Command("serve")
    .description("run a farm: take jobs, decide, run them; without a farm file on this machine")
    .option("--farm <file>", "the farm's pools, priorities and rules, YAML or JSON (this machine)")
    .option("--data <folder>", "where the farm keeps what it knows ($XDG_STATE_HOME/croft)")
    .option("--socket <path>", "where it listens ($XDG_RUNTIME_DIR/croft/croft.sock)")
    .addOption(
      new Option(
        "--demo",
        `30 machines that only pretend, with a bundled log of jobs, at ${DEMO_SPEED} times its speed`,
      ).conflicts("farm"),
    )
    .option("--allow-root", "jobs of the user root may run, as root; without a farm file they may")
    .option("--log-level <level>", "what it writes to standard error: debug, info, warn, error", "warn")
    .action(run);
}

async function run(flags: ServeFlags): Promise<void> {
  const { logLevel, demo } = flags;
  const isDemo = demo === true;
  const socket = resolve(flags.socket ?? (process.env["CROFT_SOCKET"] || defaultSocket(process.env)));
  const temporary = isDemo && flags.data === undefined ? mkdtempSync(join(tmpdir(), "croft-demo-")) : null;
  // Whatever ends it: a demonstration leaves nothing behind.
  if (temporary !== null) process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
  const data = temporary ?? resolve(flags.data ?? defaultData(process.env));
  const serving = await serve({
    readFarm: () => farmOf(flags),
    data,
    socket,
    version,
    logLevel,
    speed: isDemo ? DEMO_SPEED : 1,
  });
  const ended = new Promise<void>((done) => onEndSignals(done, () => void reload(serving)));
  const { pools } = serving.service;
  const machines = pools.reduce((sum, { plan }) => sum + plan.machines.length, 0);
  await print(
    `croft serves ${serving.name}: ${counted(pools.length, "pool")}, ${counted(machines, "machine")}; socket ${socket}, data ${data}`,
  );
  if (isDemo)
    replayLog(serving, await readWorkload(bundled("examples/data/synthetic-farm.parquet")), DEMO_SPEED);
  await ended;
  await serving.stop();
}

async function farmOf({ farm, demo, allowRoot }: ServeFlags): Promise<Farm> {
  if (demo === true) return demoFarm(await readMachines(bundled("examples/data/thirty-machines.csv")));
  if (farm === undefined) return defaultFarm();
  const read = await readFarm(farm, { ...farmChecks, enginesTellMachines: true, machines: sayMachinesNotes });
  return allowRoot === true ? withRoot(read) : read;
}

async function reload(serving: Serving): Promise<void> {
  await serving.reload().catch((error: unknown) => say(`croft: ${(error as Error).message}`));
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
