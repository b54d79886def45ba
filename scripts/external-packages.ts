import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Packages that are not put into the bundle: HiGHS finds its WebAssembly beside itself, and what only a service needs
 * loads parts of itself by name.
 */
export const externalPackages: readonly string[] = [
  "highs",
  "fastify",
  "@fastify/swagger",
  "pino",
  "prom-client",
  "ajv",
  "pdfkit",
  "svg-to-pdfkit",
];

/** The folders of packages and of all that they depend on, from the folder of this project. */
export function foldersOf(names: readonly string[]): string[] {
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    const folder = folderOf(name, from);
    // An optional package may be missing.
    if (folder === null || found.has(folder)) return;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    ) as {
      readonly dependencies?: Readonly<Record<string, string>>;
      readonly optionalDependencies?: Readonly<Record<string, string>>;
    };
    for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) add(each, folder);
  };
  for (const name of names) add(name, ".");
  return [...found].sort();
}

/** Looks in the `node_modules` of the folder and of each folder above it, as Node.js does. */
function folderOf(name: string, from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (folder === ".") return null;
  }
}
