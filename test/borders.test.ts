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

test("the store of a live farm imports nothing of what is built on it", () => {
  const below = /^src\/(?!live\/)|^src\/live\/(store|engines)\/|^src\/live\/[^/]+\.ts$/;
  const found = sources
    .filter((file) => file.startsWith("src/live/store/") && !/\.(test|fixture)\.ts$/.test(file))
    .flatMap((file) => importsOf(file, readFileSync(file, "utf8")).map((imported) => `${file}: ${imported}`))
    .filter((each) => !below.test(each.split(": ")[1]));
  expect(found).toEqual([]);
});
