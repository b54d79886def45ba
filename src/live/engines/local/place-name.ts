import { createHash } from "node:crypto";

/** What an engine calls what it has outside of its own folder: engines with other folders have other names. */
export function placeName(folder: string): string {
  return `croft-${createHash("sha256").update(folder).digest("hex").slice(0, 12)}`;
}
