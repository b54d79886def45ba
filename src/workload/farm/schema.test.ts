import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv } from "ajv";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

import { InputError } from "../errors.ts";
import { textSource } from "../input/text.fixture.ts";
import { farmShape } from "./file/farm-shape.ts";
import { readYaml } from "../input/yaml.ts";
import { readFarm } from "./read-farm.ts";
import { farmSchema } from "./schema.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const isValid = new Ajv({ strict: true, allowUnionTypes: true }).compile(farmSchema);

test("the published schema is that of the reader: node scripts/make-farm-schema.ts writes it", () => {
  expect(JSON.parse(readFileSync(join(root, "schemas/farm.schema.json"), "utf8"))).toEqual(farmSchema);
});

test.each(readdirSync(join(root, "examples/farms")))("the schema lets the example %s pass", (file) => {
  const farm: unknown = parse(readFileSync(join(root, "examples/farms", file), "utf8"));
  expect(isValid(farm) ? null : isValid.errors).toBeNull();
});

/** A farm with everything in it, to be damaged. */
const whole = {
  name: "whole",
  sites: ["a", "b"],
  transferDelay: "90s",
  transfers: [{ from: "a", to: "b", delay: 60 }],
  pools: [
    {
      name: "p1",
      site: "a",
      machines: [
        {
          count: 3,
          cores: 2.5,
          memory: "1.5 GiB",
          gpus: 1,
          speed: 1.25,
          owner: "cpu",
          attributes: { os: "linux", rack: 7, ssd: true },
        },
        "2x8c12g",
      ],
      policy: "max-jobs",
      maxJobs: ["mix-fit"],
      interval: "30s",
      reservations: "all",
      shares: { "/cpu": 2 },
      fairShare: "usage",
      halfLife: "7d",
      fairShareOf: "dominant",
    },
    { name: "p2", site: "b", machines: [{ count: 1, cores: 4, memory: 100 }], reservations: 3 },
  ],
  virtualPools: [
    { name: "v", site: "a", pools: ["p1", "p2"], routing: "utilization", viewAge: 0, queue: true },
  ],
  preemption: { victim: "rule", keepsMemory: false },
  rescheduling: {
    strategy: "NoRes",
    waitThreshold: "30m",
    check: 60,
    maxRestarts: 3,
    candidates: ["p2"],
    checkpoint: "1h",
  },
  groups: {
    g: { users: ["ann"], unixGroups: ["staff"], maxPriority: 80, projects: ["/cpu"], role: "operator" },
  },
  notify: { ops: { webhook: "https://ops.example/x" }, mail: { command: ["/bin/m", "a"] } },
  output: { most: "2 GiB" },
  retention: "30d",
};

const scrap: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    "",
    " ",
    "a",
    "b",
    "p1",
    "v",
    "none",
    "all",
    "30m",
    "1.5h",
    "64 GiB",
    "64g",
    "1x1c",
    "1x1c2g + 3x4c",
    "0x",
    "__proto__",
    "cores",
    [],
    {},
    [[]],
    [null],
  ),
  fc.constantFrom<unknown>(0, -1, 1, 0.5, 0.0005, 1e9, 1e10, 1e300, 5e-324, 2 ** 31, 1_000_000, 1_000_001),
  fc.jsonValue({ maxDepth: 1 }),
  fc.string({ unit: "binary", maxLength: 5 }),
);
const key = fc.constantFrom(
  "name",
  "site",
  "sites",
  "pools",
  "count",
  "cores",
  "memory",
  "file",
  "attributes",
  "owner",
  "colour",
  "__proto__",
  "constructor",
);

/** Puts scrap in some places of a value, leaves entries out, adds others. */
function damaged(
  value: unknown,
  choose: (below: number) => number,
  scrapAt: () => unknown,
  keyAt: () => string,
): unknown {
  if (choose(60) === 0) return scrapAt();
  if (Array.isArray(value)) {
    const items = value.flatMap((item: unknown) =>
      choose(60) === 0 ? [] : choose(60) === 0 ? [item, item] : [damaged(item, choose, scrapAt, keyAt)],
    );
    return items;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] =>
    choose(60) === 0 ? [] : [[name, damaged(inner, choose, scrapAt, keyAt)]],
  );
  if (choose(60) === 0) entries.push([keyAt(), scrapAt()]);
  return Object.fromEntries(entries);
}

/**
 * Damaged farms as JSON, and not as objects: fast-check gives an object that is mapped from `fc.gen` a method to copy
 * it, which generates it again. On an object of `scrap` itself, that would run whenever the same one is drawn, and
 * draw it, without end.
 */
const damagedFarms = fc.gen().map((draw) =>
  JSON.stringify(
    damaged(
      whole,
      (below) => draw(fc.nat, { max: below - 1 }),
      () => draw(() => scrap),
      () => draw(() => key),
    ),
  ),
);

/** What a file holds that JSON Schema cannot say: how large text makes an amount. */
const beyondSchema = /is too (long|short): |are supported$/;

async function shapeProblem(text: string): Promise<string | null> {
  try {
    farmShape.read(await readYaml(textSource("farm.json", text)));
    return null;
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

describe("schema and reader agree", () => {
  test("on farms that were damaged", async () => {
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(damagedFarms, async (text) => {
        const problem = await shapeProblem(text);
        if (
          problem !== null &&
          (beyondSchema.test(problem) || /file is empty|stands here twice/.test(problem))
        )
          return;
        const ok = isValid(JSON.parse(text));
        if (ok) valid++;
        expect(problem ?? "valid").toBe(ok ? "valid" : problem);
        if (!ok) expect(problem).not.toBeNull();
      }),
      { numRuns: 400 },
    );
    expect(valid).toBeGreaterThan(0);
  });

  test("on one value in one place", async () => {
    const pool = { name: "p", machines: ["1x1c"] };
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(
          (value: unknown) => ({ pools: [{ name: value, machines: ["1x1c"] }] }),
          (value: unknown) => ({ pools: [{ name: "p", machines: [value] }] }),
          (value: unknown) => ({ pools: [{ name: "p", machines: [{ count: 1, cores: value }] }] }),
          (value: unknown) => ({ pools: [{ name: "p", machines: [{ count: 1, cores: 1, memory: value }] }] }),
          (value: unknown) => ({
            pools: [{ name: "p", machines: ["1x1c"], interval: value, reservations: value }],
          }),
          (value: unknown) => ({ pools: [{ ...pool, halfLife: value }] }),
          (value: unknown) => ({ pools: [{ ...pool, hooks: { limit: value } }] }),
          (value: unknown) => ({ pools: [pool], rescheduling: { check: value, checkpoint: value } }),
          (value: unknown) => ({
            pools: [{ name: "p", machines: [{ count: 1, cores: 1, attributes: value }] }],
          }),
        ),
        scrap,
        async (place, value) => {
          const text = JSON.stringify(place(value));
          const problem = await shapeProblem(text);
          if (problem === null || !beyondSchema.test(problem))
            expect(isValid(JSON.parse(text))).toBe(problem === null);
        },
      ),
      { numRuns: 400 },
    );
  });
});

test("whatever the text, it is a farm or refused with the file's name", async () => {
  const piece = fc.constantFrom(
    "pools",
    ":",
    " ",
    "\n",
    "  ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "&a",
    "*a",
    "!x",
    "|",
    ">",
    "#",
    '"',
    "'",
    "name",
    "machines",
    "1x1c",
    "p",
    "?",
    "---",
    "...",
    "%YAML 1.1",
    "\t",
    "<<",
    "~",
    "0x1f",
    "\u0000",
    "\u{1f600}",
  );
  const source = JSON.stringify(whole, null, 1);
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join("")),
    fc.string({ unit: "binary" }),
    fc
      .record({ at: fc.nat({ max: source.length }), skip: fc.nat({ max: 5 }), put: piece })
      .map(({ at, skip, put }) => source.slice(0, at) + put + source.slice(at + skip)),
  );
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      try {
        await readFarm(textSource("farm.yaml", text));
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        expect(error.message).toMatch(/^farm\.yaml: |^farm\.yaml:\d+:\d+: /);
      }
    }),
    { numRuns: 800 },
  );
});
