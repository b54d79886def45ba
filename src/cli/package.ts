import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What comes with Croft: its version, and files by their path in the package. */
export const { version } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
) as {
  version: string;
};

/** A file that comes with Croft. */
export function bundled(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
