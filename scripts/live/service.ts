import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { Client } from "../../src/live/client/client.ts";
import { within } from "./patience.ts";
import { planted } from "./plants.ts";
import { croft } from "./trial.ts";

/** `croft serve` as a process, with its data in a folder. */
export class Service {
  readonly client: Client;
  private readonly args: readonly string[];
  private readonly data: string;
  private readonly plant: string | null;
  private child: ChildProcess | null = null;

  private constructor(
    folder: string,
    args: (data: string, socket: string) => readonly string[],
    plant: string | null,
  ) {
    const socket = join(folder, "s");
    this.data = join(folder, "data");
    this.args = args(this.data, socket);
    this.client = new Client({ socket });
    this.plant = plant;
  }

  /** @param plant a fault that it has, of `plants.ts`; null: none */
  static of(
    folder: string,
    farm: string,
    more: readonly string[] = [],
    plant: string | null = null,
  ): Service {
    const file = written(folder, farm);
    const args = ["serve", "--farm", file, ...more];
    return new Service(folder, (data, socket) => [croft, ...args, "--data", data, "--socket", socket], plant);
  }

  /** How many times as fast as the clock its time runs. */
  static fast(folder: string, farm: string, speed: number, plant: string | null = null): Service {
    const file = written(folder, farm);
    const program = fileURLToPath(new URL("fast-service.ts", import.meta.url));
    return new Service(folder, (data, socket) => [program, file, data, socket, String(speed)], plant);
  }

  /**
   * @param environment more of it
   * @returns the line that it prints when it is ready
   */
  async start(environment: NodeJS.ProcessEnv = {}): Promise<string> {
    const child = spawn(process.execPath, this.args, {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...planted(this.plant), ...environment },
    });
    this.child = child;
    const line = once(createInterface({ input: child.stdout }), "line").then(([text]) => String(text));
    const ready = await within(
      "the service is ready",
      Promise.race([line, once(child, "exit").then(() => null)]),
    );
    if (ready === null)
      throw new Error(`croft serve does not start: ${child.signalCode ?? `status ${child.exitCode}`}`);
    return ready;
  }

  /** Resolves with true when it has ended without being asked to. */
  async died(): Promise<true> {
    const { child } = this;
    if (child !== null && child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return true;
  }

  /** @returns what ended it; null: it ended by itself, or has not been started */
  async end(signal: NodeJS.Signals): Promise<NodeJS.Signals | null> {
    const { child } = this;
    this.child = null;
    if (child === null) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, "exit");
      child.kill(signal);
      await within(`the service, process ${child.pid}, ends after ${signal}`, ended);
    }
    return child.signalCode;
  }

  residentMiB(): number {
    const status = readFileSync(`/proc/${this.child!.pid}/status`, "utf8");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  /** The processor time that it has used. */
  processorSeconds(): number {
    const stat = readFileSync(`/proc/${this.child!.pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    // Fields 14 and 15 of the whole line, in hundredths.
    return (Number(stat[11]) + Number(stat[12])) / 100;
  }

  databaseMiB(): number {
    return statSync(join(this.data, "croft.db")).size / 2 ** 20;
  }
}

function written(folder: string, farm: string): string {
  const file = join(folder, "farm.yaml");
  writeFileSync(file, farm);
  return file;
}
