import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");

function sourcesOf(pattern: string): { readonly file: string; readonly text: string }[] {
  return globSync(pattern, { cwd: root }).map((file) => ({
    file,
    text: readFileSync(join(root, file), "utf8"),
  }));
}

/** What the port and the engine keep to themselves. Rows of tables have a `state` too. */
const own = ["src/core/engine/engine.ts", "src/core/port/port.ts"]
  .flatMap(sourcesOf)
  .flatMap(({ text }) => Array.from(text.matchAll(/\b(?:private|protected)(?: readonly| get)? (\w+)/g)))
  .map(([, name]) => name)
  .filter((name) => name !== "state");

/**
 * What a line reaches for that is behind the port: the engine, its parts, its tables. `test/borders.test.ts` sees to
 * imports.
 */
const behind = [
  /\bengine\.pools\b/,
  /\bengineJobs\.\w+\[/,
  /\bport\[/,
  /\bport\.(pools|engineJobs|outcomes|requests|machines)\b/,
  /\b(PoolManager|JobMoves|EngineJobs)\b(?!Settings)/,
  // What is in brackets the compiler lets through. A `row` is one of a database.
  new RegExp(`(?:\\b(?!row\\b)[a-z]\\w*|\\))(?:\\?\\.|!)?\\[["'\`](?:${own.join("|")})["'\`]\\]`),
];

function reachesIn(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => !/^\s*(\*|\/\/)/.test(line) && behind.some((each) => each.test(line)));
}

it("finds a planted reach past the port", () => {
  expect(reachesIn("const { pool } = engine.pools[0];")).toHaveLength(1);
  expect(reachesIn("const state = engineJobs.state[job];")).toHaveLength(1);
  expect(reachesIn('const jobs = port["engineJobs"];')).toHaveLength(1);
  expect(reachesIn('const jobs = p["engineJobs"];')).toHaveLength(1);
  expect(reachesIn('const jobs = (p as unknown as Open)["engineJobs"];')).toHaveLength(1);
  expect(reachesIn('this.port?.["router"].move(job);')).toHaveLength(1);
  expect(reachesIn('const name: Machine["state"] = row["machines"];')).toEqual([]);
});

it("nothing outside of the core reaches past the port", () => {
  const found = ["src", "bench", "scripts", "examples"].flatMap((folder) =>
    sourcesOf(`${folder}/**/*.ts`)
      .filter(({ file }) => !file.startsWith("src/core/"))
      .flatMap(({ file, text }) => reachesIn(text).map((line) => `${file}: ${line.trim()}`)),
  );
  expect(found).toEqual([]);
});

it("only transition.ts writes the state or the pool of a job", () => {
  const writes = /\b(engineJobs|jobs)\.(state|pool)\[\w+\]\s*=[^=]|\b(state|poolOf)\[\w+\]\s*=[^=]/;
  const found = sourcesOf("src/core/**/*.ts")
    .filter(({ file }) => !/\.(test|fixture)\.ts$/.test(file) && !file.endsWith("jobs/transition.ts"))
    .flatMap(({ file, text }) => text.split("\n").map((line) => ({ file, line })))
    .filter(({ line }) => writes.test(line))
    .map(({ file, line }) => `${file}: ${line.trim()}`);
  expect(found).toEqual([]);
});

it("what a part of the engine saves, it saves by that name", () => {
  const others =
    /\b(get|set) (kept|lists|turns|freedMachines|history|reservations)\b|\b(snapshot|restore)\(\)/;
  const found = sourcesOf("src/core/**/*.ts")
    .filter(({ file, text }) => !/\.(test|fixture)\.ts$/.test(file) && others.test(text))
    .map(({ file }) => file);
  expect(found).toEqual([]);
});
