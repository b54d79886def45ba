import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";

import { InputError } from "../../workload/errors.ts";
import { generateInstance, generatorDefaults } from "./generate.ts";
import { readInstance } from "./read.ts";
import { writeInstance } from "./write.ts";

const folder = mkdtempSync(join(tmpdir(), "croft-instance-"));
afterAll(() => rmSync(folder, { recursive: true }));

const SMALL = "2\n1\n2\n0.5 1 1 1\n0 0.1 0.25 0 0 0.1 0.5 0\n0 0.2 0.25 0 0 0.2 0.25 0\n";

function read(text: string): ReturnType<typeof readInstance> {
  return readInstance({ name: "x.prob", bytes: Buffer.from(text) });
}

function complaint(text: string): Promise<string> {
  return read(text).then(
    () => "none",
    (error: unknown) => {
      expect(error).toBeInstanceOf(InputError);
      return (error as Error).message;
    },
  );
}

describe("readInstance", () => {
  it("reads hosts' capacities and services' requirements and needs", async () => {
    expect(await read(SMALL)).toEqual({
      dimensions: 2,
      hosts: 1,
      services: 2,
      elementaryCapacity: Float64Array.of(0.5, 1),
      aggregateCapacity: Float64Array.of(1, 1),
      elementaryRequirement: Float64Array.of(0, 0.1, 0, 0.2),
      elementaryNeed: Float64Array.of(0.25, 0, 0.25, 0),
      aggregateRequirement: Float64Array.of(0, 0.1, 0, 0.2),
      aggregateNeed: Float64Array.of(0.5, 0, 0.25, 0),
    });
  });

  it("accepts any blanks and line breaks between numbers, and compressed files", async () => {
    const expected = await read(SMALL);
    expect(await read(SMALL.replaceAll("\n", "\t "))).toEqual(expected);
    expect(await read(SMALL.replaceAll(" ", "\r\n"))).toEqual(expected);
    expect(await read(`\uFEFF${SMALL}`)).toEqual(expected);
    expect(await readInstance({ name: "x.gz", bytes: gzipSync(SMALL) })).toEqual(expected);
  });

  it.each([
    ["", "x.prob:1: the file ends before the number of dimensions"],
    ["2\n3\n", "x.prob:3: the file ends before the number of services"],
    ["2\n0\n5", "x.prob:2: the number of hosts is to be a whole number above 0, not 0"],
    ["2.5 1 1", "x.prob:1: the number of dimensions is to be a whole number above 0, not 2.5"],
    ["2 1 many", "x.prob:1: the number of services is to be a whole number above 0, not many"],
    ["2 99999999999 1", "x.prob:1: 99999999999 hosts: more than 1000000 are not supported"],
    [
      "64 1000000 10000000",
      "x.prob:1: 1000000 hosts and 10000000 services in 64 dimensions take 2688000000 numbers: more than 100000000 are not supported",
    ],
    [
      SMALL.replace("0.5 1 1 1", "0.5 1 1 NaN"),
      "x.prob:4: host 1, aggregate capacity of dimension 2: NaN is not a finite number",
    ],
    [
      SMALL.replace("0.5 1 1 1", "0.5 -1 1 1"),
      "x.prob:4: host 1, elementary capacity of dimension 2: -1 is negative",
    ],
    [
      SMALL.replace("0 0.2 0.25", "0 Infinity 0.25"),
      "x.prob:6: service 2, elementary requirement of dimension 2: Infinity is not a finite number",
    ],
    [
      SMALL.replace("0.5 1 1 1", "0.5 1 1 2e100"),
      "x.prob:4: host 1, aggregate capacity of dimension 2: 2e100 is more than 1e+100",
    ],
    [
      SMALL.slice(0, -5),
      "x.prob:6: the file ends after 19 of the 20 numbers that 1 hosts and 2 services in 2 dimensions take: it is cut short at service 2, aggregate need of dimension 2",
    ],
    [`${SMALL}7\n`, "x.prob:7: more than the 20 numbers that 1 hosts and 2 services in 2 dimensions take: 7"],
    [
      `1 1 1 ${"9".repeat(500)}`,
      "x.prob:1: a word that is too long for a number: this is not an instance file",
    ],
  ])("says what is wrong with %j", async (text, message) => {
    expect(await complaint(text)).toBe(message);
  });

  it("reads what was written", async () => {
    const instance = generateInstance({
      ...generatorDefaults,
      shape: "varied",
      dimensions: 3,
      constrained: 0.5,
    });
    const path = join(folder, "written.prob.gz");
    await writeInstance(instance, path);
    expect(await readInstance(path)).toEqual(instance);
  });

  it("reads or refuses damaged files, and never fails otherwise", async () => {
    const damage = fc.array(
      fc.tuple(
        fc.nat(SMALL.length - 1),
        fc.constantFrom("0", " ", "9", "\n", ".", "-", "e", "+", "x", "\u00e9"),
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(damage, fc.nat(SMALL.length), async (changes, length) => {
        const letters = SMALL.split("");
        for (const [at, letter] of changes) letters[at] = letter;
        const instance = await read(letters.join("").slice(0, length)).catch((error: unknown) => {
          expect(error).toBeInstanceOf(InputError);
          return null;
        });
        if (instance === null) return;
        for (const column of [instance.aggregateCapacity, instance.aggregateNeed])
          expect(column.every((value) => value >= 0 && Number.isFinite(value))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
