import { resolve } from "node:path";
import { isSea } from "node:sea";

import { Option } from "commander";

import { Client, serverOf } from "../../live/client/client.ts";
import type { Server } from "../../live/client/places.ts";
import { InputError } from "../../workload/errors.ts";
import { memory } from "../live/farm.ts";
import { defined } from "../live/request-options.ts";
import { duration } from "../options.ts";
import { say } from "../terminal.ts";
import { taskVariables } from "./task-server.ts";

/** Where runs are made that this machine does not make itself. */
export interface OnFarmFlags {
  readonly on?: string;
  readonly send?: true;
  readonly memory?: number;
  readonly time?: number;
  readonly onPool?: string | undefined;
  readonly croft?: string;
}

/** @param pool the option for the pool, where it is called otherwise */
export function onFarmOptions(pool = "--on-pool"): Option[] {
  const amount = "with --on: memory that a run takes at most, such as 4G (not counted, and not limited)";
  const time = "with --on: how long a run may take, such as 2h (as long as it takes)";
  return [
    new Option(
      "--on <server>",
      "make the runs as jobs of a farm: its address, with its token in CROFT_TOKEN, or its socket",
    ),
    new Option(
      "--send",
      "with --on: send logs, machines and farm files to the farm, for machines that do not see them",
    ),
    new Option("--memory <amount>", amount).argParser(memory),
    new Option("--time <time>", time).argParser(duration),
    new Option(`${pool} <name>`, "with --on: the pool, or virtual pool, to run in (the farm chooses)"),
    new Option("--croft <path>", "with --on: croft on the farm's machines (this one, where it is here)"),
  ];
}

export interface FarmAsked {
  readonly farm: Client;
  /** Its address, by which a later call knows it again. */
  readonly server: string;
  /** What each run asks for: fields of a job. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** Croft, as the farm's machines see it. */
  readonly croft: readonly string[];
  /** The variables by which tasks reach the farm, to fetch what was sent there; null: they see the files. */
  readonly sends: Readonly<Record<string, string>> | null;
}

/**
 * The farm that is to make the runs; null: this machine makes them.
 *
 * @param poolOption as `onFarmOptions` was told
 * @throws InputError where an option needs a farm, and there is none
 */
export function farmAsked(flags: OnFarmFlags, poolOption = "--on-pool"): FarmAsked | null {
  const { on, send, memory: memoryMiB, time: timeSeconds, onPool: pool, croft } = flags;
  if (on === undefined) {
    const needing = { "--send": send, "--memory": memoryMiB, "--time": timeSeconds, [poolOption]: pool };
    const idle = Object.entries({ ...needing, "--croft": croft }).find(([, value]) => value !== undefined);
    if (idle === undefined) return null;
    throw new InputError(`${idle[0]} is for runs on a farm: name it with --on, or leave ${idle[0]} out`);
  }
  const server = serverAt(on);
  return {
    farm: new Client(server, { say: (text) => say(`croft: ${text}`) }),
    server: "socket" in server ? server.socket : server.url.href,
    asked: defined({ memoryMiB, timeSeconds, pool }),
    croft: croft === undefined ? thisCroft() : [croft],
    sends: send === undefined ? null : taskVariables(server, process.env),
  };
}

function serverAt(address: string): Server {
  return serverOf(address.includes("://") ? { server: address } : { socket: resolve(address) }, process.env);
}

/** What runs this process: Node.js and its program, or the executable that is both. */
function thisCroft(): string[] {
  return isSea() ? [process.execPath] : [process.execPath, process.argv[1]!];
}
