import { fileURLToPath } from "node:url";

/** A file that comes with Croft. */
export function bundled(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
