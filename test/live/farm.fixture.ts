import { execFileSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { onTestFinished } from "vitest";

import { Client } from "../../src/live/client/client.ts";
import { finished, startShell, start, type Finished } from "../cli/croft.fixture.ts";

/** A farm as a process of its own, in a folder that is gone after the test. */
export class TestFarm {
  readonly folder = mkdtempSync(join(tmpdir(), "croft-live-"));
  readonly socket = join(this.folder, "s");
  readonly client = new Client({ socket: this.socket });
  /** None, or one. */
  private processes: ChildProcess[] = [];
  private ending: Promise<Finished> | null = null;
  private readonly args: readonly string[];

  /** @param args beside where it keeps its data and listens; they may name files in its folder */
  constructor(args: readonly string[] | ((folder: string) => readonly string[]) = []) {
    this.args = typeof args === "function" ? args(this.folder) : args;
    onTestFinished(async () => {
      await this.kill("SIGTERM");
      rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    });
  }

  /** Starts the service; resolves with the line that says that it is ready. */
  async serve(environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const child = start(
      ["serve", "--data", join(this.folder, "data"), "--socket", this.socket, ...this.args],
      this.folder,
      "ignore",
      environment,
    );
    this.processes = [child];
    const end = finished(child);
    this.ending = end;
    const lines = createInterface({ input: child.stdout! });
    const ready = await Promise.race([once(lines, "line"), end]);
    if (Array.isArray(ready)) return String(ready[0]);
    throw new Error(`croft serve has ended: ${ready.stderr}`);
  }

  /** Ends the service and resolves with its status; null where a signal ended it, or it had ended before. */
  async kill(signal: NodeJS.Signals): Promise<number | null> {
    const [child] = this.processes;
    this.processes = [];
    if (child === undefined) return null;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const closed = once(child, "exit");
    child.kill(signal);
    await closed;
    return child.exitCode;
  }

  /** How the service ends, once it has. */
  async end(): Promise<Finished> {
    if (this.ending === null) throw new Error("it does not serve");
    return this.ending;
  }

  /** Lets the service write no file beyond so many bytes: what it meets is an error of the disk. */
  limitFiles(bytes: number | "unlimited"): void {
    for (const { pid } of this.processes)
      execFileSync("prlimit", ["--pid", String(pid), `--fsize=${bytes}:`]);
  }

  signal(signal: NodeJS.Signals): void {
    for (const child of this.processes) child.kill(signal);
  }

  /** Begins a script in a shell, in which `croft` asks this farm. */
  begin(script: string, environment: Readonly<Record<string, string>> = {}): ChildProcess {
    return startShell(script, this.folder, { CROFT_SOCKET: this.socket, ...environment });
  }

  /** What such a script prints, and how it ends. */
  shell(script: string): Promise<Finished> {
    return finished(this.begin(script));
  }

  /** A command that asks this farm. */
  croft(command: string, ...args: string[]): Promise<Finished> {
    // What it says on a machine that is too busy to answer soon is of no test.
    return finished(start([command, "--socket", this.socket, ...args], this.folder)).then((end) => ({
      ...end,
      stderr: end.stderr.replaceAll(
        /^croft: the farm (takes long to|does not) answer: still waiting\n/gm,
        "",
      ),
    }));
  }
}
