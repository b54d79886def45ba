import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { InputError } from "../errors.ts";
import type { NamedBytes } from "./bytes.ts";

/** A source made of text. */
export function textSource(name: string, ...lines: readonly string[]): NamedBytes {
  return { name, bytes: new TextEncoder().encode(lines.join("\n")) };
}

/** Calls `use` with the path of a file of that content, which is gone afterwards. */
export async function withFile<T>(
  name: string,
  content: Uint8Array,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "croft-test-"));
  try {
    const path = join(folder, name);
    writeFileSync(path, content);
    return await use(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a call fails with; anything but an InputError, or no failure at all, fails the test. */
export async function inputErrorOf(call: () => Promise<unknown>): Promise<InputError> {
  try {
    await call();
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
  throw new Error("no InputError was thrown");
}

/** Real logs, kept beside the repository where they may be had. */
export const traces = fileURLToPath(new URL("../../../../shared/traces", import.meta.url));
export const tracesAreMissing = !existsSync(traces);
