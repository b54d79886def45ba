import { createHash } from "node:crypto";
import { createReadStream, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import type { Workload } from "../workload/index.ts";
import type { Place } from "./simulate/place.ts";

/** SHA-256 of a value, written the same way wherever it was made. */
export function hashOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, plain)).digest("hex");
}

/**
 * SHA-256 of a log's bytes; of a folder, of the names and bytes of its files.
 *
 * @throws Error where it cannot be read: the log's reader has a better message
 */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  if (statSync(path).isDirectory()) {
    for (const name of readdirSync(path).sort())
      hash.update(`${name}\0${await hashOfFile(join(path, name))}\0`);
  } else for await (const bytes of createReadStream(path)) hash.update(bytes as Uint8Array);
  return hash.digest("hex");
}

/** SHA-256 of what a run uses of its machines or its farm: wherever they were read from, and without remarks on it. */
export function hashOfPlace(place: Place): string {
  const { notes: _notes, ...used } = place as Place & { readonly notes?: unknown };
  return hashOf(used);
}

/** SHA-256 of a log's jobs, wherever they were read from and without remarks on that. */
export function hashOfJobs({ notes: _notes, ...jobs }: Workload): string {
  const hash = createHash("sha256");
  const add = (value: unknown): void => {
    if (ArrayBuffer.isView(value)) hash.update(value as Uint8Array);
    else hash.update(JSON.stringify(value, plain) ?? "");
  };
  for (const [field, value] of Object.entries(jobs)) {
    hash.update(`\0${field}\0`);
    const isCoded = typeof value === "object" && value !== null && "codes" in value;
    for (const part of isCoded ? [value.codes, value.names] : [value]) add(part);
  }
  return hash.digest("hex");
}

/** JSON has neither of these, and would write all of them as {} or null. */
function plain(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  if (value instanceof Map) return [...(value as Map<unknown, unknown>)];
  if (value instanceof Set) return [...(value as Set<unknown>)];
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
