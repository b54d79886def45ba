import { mkdtempSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { Command, Option } from "commander";

import { defaultData, defaultSocket } from "../../../live/client/places.ts";
import { demoFarm, replayLog } from "../../../live/demo.ts";
import { serve, type ServeOptions, type Serving } from "../../../live/serve.ts";
import { defaultFarm, withRoot } from "../../../live/service/farm-plan.ts";
import { farmChecks } from "../../../simulation/index.ts";
import { InputError, readFarm, readMachines, readWorkload, type Farm } from "../../../workload/index.ts";
import { sayMachinesNotes } from "../../input.ts";
import { address, names, type Address } from "../../options.ts";
import { beginService, onEndSignals } from "../../signals.ts";
import { say } from "../../terminal.ts";
import { bundled, version } from "../../package.ts";

interface ServeFlags {
  readonly farm?: string;
  readonly data?: string;
  readonly socket?: string;
  readonly listen?: Address;
  readonly users?: string;
  readonly publicName?: readonly string[];
  readonly tlsCert?: string;
  readonly tlsKey?: string;
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
    .option("--users <group>", "as root: members of this Unix group come in too, by sockets beside it")
    .option("--listen <host:port>", "listens there as well, for clients with tokens: 127.0.0.1:8470", address)
    .option("--public-name <names>", "further host names under which clients reach it", names)
    .option("--tls-cert <file>", "with --listen: a certificate, PEM")
    .option("--tls-key <file>", "with --listen: its key, PEM")
    .addOption(
      new Option(
        "--demo",
        `30 machines that only pretend, with a bundled log of jobs, at ${DEMO_SPEED} times its speed`,
      ).conflicts("farm"),
    )
    .option("--allow-root", "jobs of the user root may run, as root; they may without --farm and --listen")
    .addOption(
      new Option("--log-level <level>", "what it writes to standard error")
        .choices(["debug", "info", "warn", "error"])
        .default("warn"),
    )
    .action(run);
}

async function run(flags: ServeFlags): Promise<void> {
  const isReloadAsked = beginService();
  const { logLevel, demo } = flags;
  const isDemo = demo === true;
  const socket = resolve(flags.socket ?? (process.env["CROFT_SOCKET"] || defaultSocket(process.env)));
  const temporary = isDemo && flags.data === undefined ? mkdtempSync(join(tmpdir(), "croft-demo-")) : null;
  // A demonstration removes its data, however it ends.
  if (temporary !== null) process.on("exit", () => rmSync(temporary, { recursive: true, force: true }));
  const data = temporary ?? resolve(flags.data ?? defaultData(process.env));
  const serving = await serve({
    readFarm: () => farmOf(flags),
    data,
    socket,
    listen: listenOf(flags),
    ...(flags.users === undefined ? {} : { users: flags.users }),
    version,
    logLevel,
    speed: isDemo ? DEMO_SPEED : 1,
  });
  const ended = new Promise<void>((done) =>
    onEndSignals(done, "croft: a second signal: stopped at once; jobs run on", () => void reload(serving)),
  );
  const { pools } = serving.service;
  const machines = pools.reduce((sum, { plan }) => sum + plan.machines.length, 0);
  announce(
    `croft serves ${serving.name}: ${counted(pools.length, "pool")}, ${counted(machines, "machine")}; socket ${socket}${serving.address === null ? "" : ` and ${serving.address}`}, data ${data}`,
  );
  // The file may have been changed after it was read.
  if (isReloadAsked()) void reload(serving);
  if (isDemo)
    replayLog(serving, await readWorkload(bundled("examples/data/synthetic-farm.parquet")), DEMO_SPEED);
  try {
    await Promise.race([ended, serving.failed]);
  } finally {
    await serving.stop();
  }
}

/** Says that it serves. That nobody reads it, or that it cannot be written, is no reason not to. */
function announce(text: string): void {
  try {
    writeSync(1, `${text}\n`);
  } catch {
    // The farm serves all the same.
  }
}

const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

function listenOf({ listen, publicName = [], tlsCert, tlsKey }: ServeFlags): ServeOptions["listen"] {
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new InputError("TLS needs both a certificate and its key: give --tls-cert and --tls-key");
  if (listen === undefined) {
    if (tlsCert !== undefined || publicName.length > 0)
      throw new InputError("--tls-cert, --tls-key and --public-name are for --listen: give it too");
    return null;
  }
  if (tlsCert === undefined || tlsKey === undefined) {
    if (!LOOPBACK.includes(listen.host))
      say(
        `croft: traffic to ${listen.host} is not encrypted, tokens included: give --tls-cert and --tls-key, or put a proxy before it`,
      );
    return { ...listen, names: publicName };
  }
  return { ...listen, names: publicName, tls: { cert: contentOf(tlsCert), key: contentOf(tlsKey) } };
}

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new InputError(`it cannot be read: ${(error as Error).message}`, { file });
  }
}

async function farmOf({ farm, demo, allowRoot, listen, users }: ServeFlags): Promise<Farm> {
  if (demo === true) return demoFarm(await readMachines(bundled("examples/data/thirty-machines.csv")));
  // Without a farm file and a network, only root can open the socket, so root's jobs are allowed.
  if (farm === undefined)
    return allowRoot === true || (listen === undefined && users === undefined)
      ? withRoot(defaultFarm())
      : defaultFarm();
  const read = await readFarm(farm, { ...farmChecks, enginesTellMachines: true, machines: sayMachinesNotes });
  return allowRoot === true ? withRoot(read) : read;
}

async function reload(serving: Serving): Promise<void> {
  await serving.reload().catch((error: unknown) => say(`croft: ${(error as Error).message}`));
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
