import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

import { expect, test } from "vitest";

/** The files outside of research that may import it: those that add its commands. */
const allowed = ["src/cli/commands.ts"];

const IMPORT = /(?:\bfrom|\bimport|\bimport\(|\bURL\()\s*"(\.[^"]+)"/g;

function programsOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith(".ts"));
}

const sources = programsOf("src");

const isOfTests = (file: string): boolean => /\.(test|fixture)\.ts$/.test(file);

/** The files of the project that a text imports, types and modules loaded later among them. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, specifier]) => normalize(join(dirname(file), specifier)));
}

/** The folder, or the file without its ending, that a file of a folder is in. */
function placeIn(folder: string, file: string): string {
  return file
    .slice(folder.length + 1)
    .split("/")[0]
    .replace(/\.ts$/, "");
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

/** The files of the core that others import beside its door, `core/index.ts`. */
const besideTheDoor: readonly { readonly who: string; readonly what: readonly string[] }[] = [
  // As pure as the core is, without the rest of it.
  { who: "src/research/fractional/", what: ["arrays.ts", "jobs/placements.ts", "none.ts"] },
  // Policies of studies: they try schedules, and drop them.
  { who: "src/research/study/buckets/contest.ts", what: ["policies/matching-pass.ts", "pool/plan.ts"] },
  { who: "src/research/study/optimum/offer-cycles.ts", what: ["pool/plan.ts"] },
  // Runs a test of the core for longer.
  { who: "scripts/try-engine.ts", what: ["port/any-engine.fixture.ts", "port/faulty-driver.fixture.ts"] },
];

/** Who has to do with the inside of a single pool, beside the core: all others tell a `Port` what happens. */
const insiders: Readonly<Record<string, string>> = {
  "bench/benchmarks/placement.ts": "times heuristics on machines alone",
  "examples/backfilling.ts": "a policy of one's own",
  "examples/pool.ts": "a pool driven by hand",
  "src/index.ts": "types for policies of one's own",
  "src/research/fractional/online/nodes.ts": "the chains of placements, of jobs that share nodes",
  "src/research/fractional/online/state.ts": "the same",
  "src/research/study/buckets/buckets.ts": "drives a pool by itself: each bucket on empty machines",
  "src/research/study/buckets/contest.ts": "a policy",
  "src/research/study/optimum/offer-cycles.ts": "a policy",
  "src/research/study/optimum/snapshot.ts": "what that policy has before it",
  "src/simulation/figures/offered-load.ts": "asks which jobs empty machines could hold",
  "src/simulation/settings/checked-policy.ts": "checks policies of one's own",
};

const inside =
  /^(\*|Eligibility|FairShareQueue|FamilyMachines|Indexes|Jobs|MachineState|MatchingPass|Placements|Placer|Plan|PolicyContext|Pool)$/;

/** The files of the core beside its door that a text names in any way. */
function pastTheDoor(file: string, text: string): string[] {
  return Array.from(text.matchAll(/["'`](\.\.?\/[^"'`\n]*)/g), ([, path]) =>
    normalize(join(dirname(file), path)),
  )
    .filter((path) => path.startsWith("src/core/") && path !== "src/core/index.ts")
    .map((path) => path.slice("src/core/".length));
}

/** What a text imports of the core, or hands on, that is the inside of a pool; `*`: everything. */
function insideNamesOf(text: string): string[] {
  const names =
    /(?:\{([^{}]*)\}|(\*)[\w ]*)\s*(?:from|=\s*await import\()\s*"(?:[^"]*\/)?(?:core\/[^"]*|croft|croft\/core)"/g;
  return [...text.matchAll(names)]
    .flatMap(([, listed = "", all = ""]) => [...listed.split(","), all])
    .map((name) =>
      name
        .trim()
        .replace(/^type /, "")
        .replace(/(:| as ).*$/, ""),
    )
    .filter((name) => inside.test(name));
}

const outsiders = ["bench", "examples", "scripts", "src"]
  .flatMap(programsOf)
  .filter((file) => !isOfTests(file) && !file.startsWith("src/core/"))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));

test("a planted way past the door of the core is found", () => {
  const paths = (line: string): string[] => pastTheDoor("src/cli/live/x.ts", line);
  expect(paths('import { Pool } from "../../core/pool/pool.ts";')).toEqual(["pool/pool.ts"]);
  expect(paths('const { Engine } = await import("../../core/engine/engine.ts");')).toEqual([
    "engine/engine.ts",
  ]);
  expect(paths("await import(`../../core/policies/${name}.ts`);")).toEqual(["policies/${name}.ts"]);
  expect(paths('type Kind = import("../../core/pool/policy.ts").PolicyKind;')).toEqual(["pool/policy.ts"]);
  expect(paths('export * from "../../core/index.ts"; import "../../score/x.ts";')).toEqual([]);

  expect(insideNamesOf('import { NONE, type Jobs, Pool as P } from "../core/index.ts";')).toEqual([
    "Jobs",
    "Pool",
  ]);
  expect(insideNamesOf('const { Pool: P } = await import("../core/index.ts");')).toEqual(["Pool"]);
  expect(insideNamesOf('export type {\n  Plan,\n} from "./core/index.ts";')).toEqual(["Plan"]);
  expect(insideNamesOf('import * as core from "croft/core";')).toEqual(["*"]);
  expect(insideNamesOf('import { Port } from "../core/index.ts"; import { Plan } from "./plan.ts";')).toEqual(
    [],
  );
});

test("the core is imported by its door", () => {
  const used = new Set<string>();
  const found = outsiders.flatMap(({ file, text }) =>
    pastTheDoor(file, text)
      .filter((path) => {
        const known = besideTheDoor.find(({ who, what }) => file.startsWith(who) && what.includes(path));
        if (known !== undefined) used.add(`${known.who}: ${path}`);
        return known === undefined;
      })
      .map((path) => `${file}: ${path}`),
  );
  expect(found).toEqual([]);
  expect([...used].toSorted()).toEqual(
    besideTheDoor.flatMap(({ who, what }) => what.map((path) => `${who}: ${path}`)).toSorted(),
  );
});

test("nobody has to do with the inside of a pool but those listed", () => {
  const found = outsiders.filter(({ text }) => insideNamesOf(text).length > 0).map(({ file }) => file);
  expect(found.toSorted()).toEqual(Object.keys(insiders));
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

test("a folder of the live farm imports only what its line has", () => {
  const found = sources
    .filter((file) => file.startsWith("src/live/") && !isOfTests(file))
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

const page = readFileSync("docs/architecture.md", "utf8");

/** By layer: what the table of the page says that it may import. */
function layersOfThePage(): Map<string, readonly string[]> {
  const table = page.slice(page.indexOf("## Layers"), page.indexOf("## Vocabulary"));
  const layers = new Map<string, readonly string[]>();
  for (const [, layer, may] of table.matchAll(/^\| `([\w/.]+)` +\|[^|]*\| ([^|]*) \|$/gm)) {
    const above = may.startsWith("all above") ? [...layers.keys()] : [];
    layers.set(layer, [...above, ...Array.from(may.matchAll(/`([\w/.]+)`/g), ([, name]) => name)]);
  }
  return layers;
}

test("a layer imports only what the page of the architecture says", () => {
  const layers = layersOfThePage();
  const smaller = [...layers.keys()].filter((layer) => layer.includes("/"));
  const layerOf = (file: string): string =>
    smaller.find((layer) => file === layer || file.startsWith(`src/${layer}/`)) ?? placeIn("src", file);
  const files = sources.filter((file) => !isOfTests(file));
  expect([...layers.keys()].toSorted()).toEqual([...new Set(files.map(layerOf))].toSorted());
  const found = files.flatMap((file) => {
    const layer = layerOf(file);
    return importsOf(file, readFileSync(file, "utf8"))
      .filter((imported) => imported.startsWith("src/"))
      .filter((imported) => ![layer, ...layers.get(layer)!].includes(layerOf(imported)))
      .map((imported) => `${file} imports ${imported}`);
  });
  expect(found).toEqual([]);
});

/** By folder of a layer, or file that is in none: what of the layer its files import. */
function importsWithin(layer: string): Map<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  for (const file of sources.filter((each) => each.startsWith(`${layer}/`) && !isOfTests(each))) {
    const place = placeIn(layer, file);
    const known = places.get(place) ?? new Set();
    places.set(place, known);
    for (const imported of importsOf(file, readFileSync(file, "utf8")))
      if (imported.startsWith(`${layer}/`) && placeIn(layer, imported) !== place)
        known.add(placeIn(layer, imported));
  }
  return places;
}

test("a folder of the core imports only those below it in the page's picture", () => {
  const start = page.indexOf("┌─ core ─");
  const order = Array.from(
    page.slice(start, page.indexOf("└", start)).matchAll(/\b([a-z]+)\//g),
    ([, folder]) => folder,
  );
  const isFolder = (name: string): boolean => sources.some((file) => file.startsWith(`src/core/${name}/`));
  const places = importsWithin("src/core");
  expect(order.toSorted()).toEqual([...places.keys()].filter(isFolder).toSorted());
  // Small files that are in no folder are below all; the door is above.
  const depthOf = (place: string): number =>
    order.includes(place) ? order.indexOf(place) : place === "index" ? -1 : Infinity;
  const found = [...places].flatMap(([place, imported]) =>
    [...imported].filter((each) => depthOf(each) < depthOf(place)).map((each) => `${place}: ${each}`),
  );
  expect(found).toEqual([]);
});

/** Those that import in a circle, or what does. */
function circling(imports: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const left = new Map(imports);
  for (;;) {
    const free = [...left].filter(([, imported]) => ![...imported].some((each) => left.has(each)));
    if (free.length === 0) return [...left.keys()];
    for (const [place] of free) left.delete(place);
  }
}

test("folders of the simulator import in no circle", () => {
  const circle = new Map([
    ["a", new Set(["b"])],
    ["b", new Set(["a"])],
    ["c", new Set<string>()],
  ]);
  expect(circling(circle)).toEqual(["a", "b"]);
  const folders = [...importsWithin("src/simulation")].filter(([place]) =>
    sources.some((file) => file.startsWith(`src/simulation/${place}/`)),
  );
  expect(folders.length).toBeGreaterThan(9);
  expect(circling(new Map(folders))).toEqual([]);
});
