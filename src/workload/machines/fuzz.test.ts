import { gzipSync } from "node:zlib";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { damaged, survive } from "../input/damaged.fixture.ts";
import type { MachinesOptions } from "./format.ts";
import type { Machines } from "./machines.ts";
import { machinesFormats, readMachinesFile } from "./registry.ts";
import { samples } from "./samples.fixture.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function expectConsistent(machines: Machines): void {
  const { count, ids, coresMilli, memoryMiB, gpuMilli, attributes, notes } = machines;
  expect(count).toBeGreaterThan(0);
  expect(new Set(ids).size).toBe(count);
  expect(coresMilli).toHaveLength(count);
  expect(coresMilli.every((cores) => cores >= 1)).toBe(true);
  for (const column of [memoryMiB, gpuMilli]) {
    expect(column?.length ?? count).toBe(count);
    expect(column?.every((amount) => amount >= 0) ?? true).toBe(true);
  }
  if (attributes !== undefined) {
    expect(attributes.codes).toHaveLength(count);
    expect(attributes.codes.every((code) => attributes.sets[code] !== undefined)).toBe(true);
    for (const [name, value] of attributes.sets.flatMap((set) => Object.entries(set))) {
      expect(name).toMatch(/^[A-Za-z_][\w.-]{0,99}$/);
      expect(["string", "number", "boolean"]).toContain(typeof value);
    }
  }
  for (const note of notes ?? []) {
    expect(note.count).toBeGreaterThanOrEqual(note.examples.length);
    expect(note.examples.join("")).not.toMatch(/\p{Cc}/u);
  }
}

const options: fc.Arbitrary<MachinesOptions> = fc.record(
  { memoryUnit: fc.constantFrom("B", "MiB", "TiB") },
  { requiredKeys: [] },
);

describe.each(machinesFormats)("whatever it is given, $name machines", (format) => {
  const texts = [samples[format.name]];

  it("survive damaged lists", async () => {
    const text = fc.oneof(...texts.map(damaged));
    await fc.assert(
      fc.asyncProperty(text, options, (text, options) =>
        survive(() => format.read({ name: "log", bytes: bytesOf(text) }, options), expectConsistent),
      ),
      { numRuns: 400 },
    );
  });

  it("survive lists whose lines are in disorder", async () => {
    const lines = texts.flatMap((text) => text.split("\n"));
    const disorder = fc.array(fc.constantFrom(...lines), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(disorder, (lines) =>
        survive(() => format.read({ name: "log", bytes: bytesOf(lines.join("\n")) }), expectConsistent),
      ),
    );
  });

  it("survive random bytes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) =>
        survive(() => format.read({ name: "log", bytes }), expectConsistent),
      ),
    );
  });
});

describe("whatever it is given, the guess of the format of machines", () => {
  it("survives, packed or not", async () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      ...Object.values(samples).map((text) => damaged(text).map(bytesOf)),
    );
    await fc.assert(
      fc.asyncProperty(anything, fc.boolean(), (bytes, pack) =>
        survive(
          () => readMachinesFile({ name: "log", bytes: pack ? gzipSync(bytes) : bytes }),
          expectConsistent,
        ),
      ),
      { numRuns: 400 },
    );
  });
});
