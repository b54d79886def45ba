import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, inject } from "vitest";

/** Made by `test/cli-bundle.setup.ts`. */
const croft = inject("cliBundle");

export interface Finished {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command line as a process, with no terminal. */
export function start(
  args: readonly string[],
  cwd: string,
  stdin: "ignore" | "pipe" | number = "ignore",
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const env = { ...process.env, ...environment };
  return spawn(process.execPath, [croft, ...args], { cwd, env, stdio: [stdin, "pipe", "pipe"] });
}

/** Starts a script in a shell, where `croft` is the command line. */
export function startShell(
  script: string,
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): ChildProcess {
  const env = {
    ...process.env,
    PATH: `${join(dirname(croft), "bin")}:${process.env["PATH"]}`,
    ...environment,
  };
  return spawn("/bin/sh", ["-c", script], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
}

/** What a process wrote, and how it ended. */
export function finished(child: ChildProcess): Promise<Finished> {
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => resolve({ status, signal, stdout, stderr }));
  });
}

export function croftIn(cwd: string): (...args: (string | string[])[]) => Promise<Finished> {
  return (...args) => finished(start(args.flat(), cwd));
}

/** A folder that is gone after the file's tests. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "croft-cli-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A CSV log of jobs that come faster than 8 machines of 8 cores and 32 GiB can
 * run them; the arithmetic makes sizes and run times vary.
 */
export function busyLog(jobs: number): string {
  const lines = ["submit,runtime,cores,memory,estimate,project"];
  for (let i = 0; i < jobs; i++) {
    const runtime = ((i * 7919) % 1500) + 1;
    const cores = [1, 1, 1, 2, 4][(i * 31) % 5];
    const memory = [1024, 4096, 8192, 2048, 30_000, 512, 6000][(i * 17) % 7];
    lines.push(`${i * 30},${runtime},${cores},${memory},${runtime * (1 + (i % 3))},/unit/p${i % 3}`);
  }
  return `${lines.join("\n")}\n`;
}
