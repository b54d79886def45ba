import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

import { afterAll } from "vitest";

import type { ExportedFile } from "./exporter.ts";

/** The first of these programs that is installed, or null. */
export function installed(...names: readonly string[]): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  for (const name of names)
    for (const folder of folders) if (existsSync(join(folder, name))) return join(folder, name);
  return null;
}

export const shellcheck = installed("shellcheck");
export const luac = installed("luac", "luac5.4", "luac5.3", "luac5.1");

/** Makes folders of files that are gone after the tests of the file that calls this. */
export function temporaryFolders(): (files: readonly ExportedFile[]) => string {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  return (files) => {
    const folder = mkdtempSync(join(tmpdir(), "croft-export-"));
    folders.push(folder);
    for (const { name, text, isExecutable } of files) {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), isExecutable ? 0o755 : 0o644);
    }
    return folder;
  };
}

/** @throws {Error} with what the program wrote, where it does not succeed. */
export function run(program: string, args: readonly string[], options: RunOptions = {}): string {
  const { cwd, env, input = "" } = options;
  try {
    return execFileSync(program, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...process.env, ...env },
      input,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
      timeout: 30_000,
    });
  } catch (error) {
    const { stdout, stderr, message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${message}\n${stdout ?? ""}${stderr ?? ""}`, { cause: error });
  }
}

export interface RunOptions {
  readonly cwd?: string;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}
