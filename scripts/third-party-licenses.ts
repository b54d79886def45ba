import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import type { Plugin } from "rolldown";

import { foldersOf } from "./external-packages.ts";

const FILE = "third-party-licenses.txt";

/**
 * Writes the licences of all packages whose code is in the bundle, or which it loads from `node_modules`, into a file
 * beside the bundle. Whoever passes the bundle on has to pass them on too.
 *
 * @param external packages that are not in the bundle
 */
export function thirdPartyLicenses(external: readonly string[]): Plugin {
  return {
    name: "third-party-licenses",
    generateBundle(_options, bundle) {
      const folders = new Set(foldersOf(external));
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const id of chunk.moduleIds)
          if (id.includes("/node_modules/")) folders.add(relative(".", packageFolder(id)));
      }
      const texts = [...folders].map(licenseText).sort();
      this.emitFile({ type: "asset", fileName: FILE, source: texts.join("\n\n") });
    },
  };
}

/** The nearest folder above a module with a package's name. */
function packageFolder(id: string): string {
  for (let folder = dirname(id); folder !== dirname(folder); folder = dirname(folder)) {
    const file = join(folder, "package.json");
    if (existsSync(file) && "name" in (JSON.parse(readFileSync(file, "utf8")) as object)) return folder;
  }
  throw new Error(`${id} is of no package`);
}

function licenseText(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly name: string;
    readonly version: string;
    readonly license: string;
  };
  const file = readdirSync(folder).find((each) => /^licen[sc]e(\.\w+)?$/i.test(each));
  const text =
    file === undefined
      ? "The package has no file with its licence; its package.json says the above."
      : readFileSync(join(folder, file), "utf8").trim();
  return `${"=".repeat(80)}\n${name} ${version} (${license})\n${"=".repeat(80)}\n\n${text}\n`;
}
