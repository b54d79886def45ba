import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const croft = fileURLToPath(new URL("../../bin/croft.js", import.meta.url));
const failing = fileURLToPath(new URL("failing-farm.ts", import.meta.url));
const bare = fileURLToPath(new URL("bare-server.ts", import.meta.url));

/** A server as a process of its own, with a folder of its own. */
export class Server {
  readonly folder = mkdtempSync(join(tmpdir(), "croft-bench-live-"));
  readonly socket = join(this.folder, "s");
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });
  private readonly args: readonly string[];
  private processes: ChildProcess[] = [];

  private constructor(args: (folder: string, socket: string) => readonly string[]) {
    this.args = args(this.folder, this.socket);
  }

  /** A farm; without a file on this machine. */
  static farm(file: string | null = null): Server {
    return new Server((folder, socket) => {
      if (file !== null) writeFileSync(join(folder, "farm.yaml"), file);
      const farm = file === null ? [] : ["--farm", join(folder, "farm.yaml")];
      return [croft, "serve", "--data", join(folder, "data"), "--socket", socket, ...farm];
    });
  }

  /** A farm whose machines all fail at SIGUSR2. */
  static failing(file: string): Server {
    return new Server((folder, socket) => {
      writeFileSync(join(folder, "farm.yaml"), file);
      return [failing, join(folder, "farm.yaml"), join(folder, "data"), socket];
    });
  }

  static bare(): Server {
    return new Server((folder, socket) => [bare, socket, join(folder, "bare.db")]);
  }

  /** Seconds until it was ready. */
  async start(): Promise<number> {
    const begun = performance.now();
    const child = spawn(process.execPath, this.args, { stdio: ["ignore", "pipe", "inherit"] });
    this.processes = [child];
    const ready = once(createInterface({ input: child.stdout }), "line").then(() => true);
    if (!(await Promise.race([ready, once(child, "exit").then(() => false)])))
      throw new Error("the server does not start: run npm run build first");
    return (performance.now() - begun) / 1000;
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    for (const child of this.processes) {
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    }
    this.processes = [];
  }

  signal(signal: NodeJS.Signals): void {
    for (const child of this.processes) child.kill(signal);
  }

  async end(): Promise<void> {
    await this.kill("SIGTERM");
    this.agent.destroy();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  ask<Result>(method: string, path: string, body?: unknown): Promise<Result> {
    const text = body === undefined ? "" : JSON.stringify(body);
    const headers =
      text === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) };
    return new Promise((resolve, reject) => {
      request({ socketPath: this.socket, agent: this.agent, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const answer = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(JSON.parse(answer) as Result);
          else reject(new Error(answer));
        });
      })
        .on("error", reject)
        .end(text);
    });
  }

  /** Its memory in MiB, and the processor time that it has used, in seconds. */
  usage(): { residentMiB: number; processorSeconds: number } {
    const { pid } = this.processes[0];
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return {
      residentMiB: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
      // Fields 14 and 15 of the whole line, in hundredths.
      processorSeconds: (Number(stat[11]) + Number(stat[12])) / 100,
    };
  }
}
