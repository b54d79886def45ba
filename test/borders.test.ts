import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

import { expect, test } from "vitest";

/** The files outside of research that may import it: those that add its commands. */
const allowed = ["src/cli/commands.ts"];

const IMPORT = /(?:\bfrom|\bimport|\bimport\(|\bURL\()\s*"(\.[^"]+)"/g;

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .map((name) => join("src", name))
  .filter((name) => name.endsWith(".ts"));

/** The files of the project that a text imports, types and modules loaded later among them. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, specifier]) => normalize(join(dirname(file), specifier)));
}

const isOfResearch = (file: string): boolean => file.startsWith("src/research/");

test("an import is found however it is written", () => {
  const text = [
    'import { a } from "./a.ts";',
    'import type {\n  B,\n} from "../b.ts";',
    'export * from "../c/c.ts";',
    'import "./d.ts";',
    'const { e } = await import("../e.ts");',
    'new URL("./f.ts", import.meta.url)',
    'import { g } from "node:fs";',
  ].join("\n");
  expect(importsOf("src/x/y.ts", text)).toEqual([
    "src/x/a.ts",
    "src/b.ts",
    "src/c/c.ts",
    "src/x/d.ts",
    "src/e.ts",
    "src/x/f.ts",
  ]);
});

test("nothing outside of research imports it but what adds its commands", () => {
  const found = sources.filter(
    (file) => !isOfResearch(file) && importsOf(file, readFileSync(file, "utf8")).some(isOfResearch),
  );
  expect(found).toEqual(allowed);
});

/**
 * What each folder of `src/live` may import of the others. The compiler sees to what the layer as a whole may
 * (`src/live/tsconfig.json`). The service asks the reader, and knows its questions by their type.
 */
const floors: Readonly<Record<string, readonly string[]>> = {
  engines: [],
  client: [],
  pods: ["engines"],
  store: ["engines"],
  notify: ["engines", "store"],
  service: ["engines", "store", "notify", "reader"],
  replica: ["store", "service"],
  forecasting: ["store", "service", "replica"],
  why: ["store", "service", "replica"],
  reader: ["store", "replica", "forecasting", "why"],
  api: ["client", "engines", "store", "service", "replica", "forecasting", "why", "reader"],
  doctor: ["client", "engines", "pods", "store", "service", "api"],
};
/** What every folder may know; they import none of them. */
const ground = ["identity", "limits", "process-metrics", "refusal"];

test("a folder of the live farm imports only those below it", () => {
  const found = sources
    .filter((file) => file.startsWith("src/live/") && !/\.(test|fixture)\.ts$/.test(file))
    .flatMap((file) => {
      const folder = placeIn("src/live", file);
      // What is in no folder puts the others together.
      const below = ground.includes(folder) ? [] : floors[folder];
      if (below === undefined) return [];
      return importsOf(file, readFileSync(file, "utf8"))
        .filter((imported) => imported.startsWith("src/live/"))
        .filter((imported) => ![folder, ...ground, ...below].includes(placeIn("src/live", imported)))
        .map((imported) => `${file}: ${imported}`);
    });
  expect(found).toEqual([]);
});

/** The folder, or the file without its ending, that a file of a folder is in. */
function placeIn(folder: string, file: string): string {
  return file
    .slice(folder.length + 1)
    .split("/")[0]
    .replace(/\.ts$/, "");
}

/** By layer: what `docs/architecture.md` says that it may import; those that may import nearly all are left out. */
function layersOfThePage(): Map<string, readonly string[]> {
  const page = readFileSync("docs/architecture.md", "utf8");
  const table = page.slice(page.indexOf("## Layers"), page.indexOf("## Vocabulary"));
  const rows = [...table.matchAll(/^\| `([\w/]+)` +\|[^|]*\| ([^|]*) \|$/gm)];
  return new Map(
    rows
      .filter(([, layer]) => !["research", "cli"].includes(layer))
      .map(([, layer, may]) => [layer, [...may.matchAll(/`([\w/]+)`/g)].map(([, name]) => name)]),
  );
}

test("a layer imports only what the page of the architecture says", () => {
  const layers = layersOfThePage();
  const layerOf = (file: string): string =>
    ["live/engines", "live/client"].find((layer) => file.startsWith(`src/${layer}/`)) ?? placeIn("src", file);
  expect(layers.size).toBeGreaterThan(9);
  const found = sources
    .filter((file) => !/\.(test|fixture)\.ts$/.test(file))
    .flatMap((file) => {
      const layer = layerOf(file);
      const may = layers.get(layer);
      if (may === undefined) return [];
      return importsOf(file, readFileSync(file, "utf8"))
        .filter((imported) => imported.startsWith("src/") && ![layer, ...may].includes(layerOf(imported)))
        .map((imported) => `${file} imports ${imported}`);
    });
  expect(found).toEqual([]);
});
