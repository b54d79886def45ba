import { gzipSync } from "node:zlib";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { damaged, survive } from "../input/damaged.fixture.ts";
import type { MachinesOptions } from "./format.ts";
import type { Machines } from "./machines.ts";
import { machinesFormats, readMachinesFile } from "./registry.ts";
import { samples, torque } from "./samples.fixture.ts";

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
  { leaveOutDown: fc.boolean(), memoryUnit: fc.constantFrom("B", "MiB", "TiB") },
  { requiredKeys: [] },
);

describe.each(machinesFormats)("whatever it is given, $name machines", (format) => {
  const texts = format.name === "pbsnodes" ? [samples[format.name], torque] : [samples[format.name]];

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

/** Fields on which a careless pattern would take hours: the test's time limit is what fails. */
const digits = "1".repeat(500_000);
const blanks = " ".repeat(500_000);
const longFields: readonly (readonly [string, string])[] = [
  ["csv", `id,a${blanks}x,cores\na,1,2`],
  ["csv", `id,cores,memory\na,1,${digits}!`],
  ["csv", `id,cores\n${"a[1,".repeat(100_000)},1`],
  ["scontrol", `NodeName=a CPUTot=4 State=${digits}A OS=${blanks}x`],
  ["scontrol", `NodeName=a CPUTot=4 Reason=${" [x".repeat(100_000)}`],
  ["sinfo", `NODELIST CPUS\n${"n[1]".repeat(100_000)} 4`],
  ["pbsnodes", `a\n  np = 4\n  resources_available.mem = ${digits}!`],
  ["lsf", `HOST_NAME ncpus maxmem RESOURCES\na 4 ${digits}! ()`],
  ["qhost", `HOSTNAME NCPU\na 4\n  all.q B 1/${digits} x y`],
  ["htcondor-long", `Cpus = ${digits}x\nName = "${"\\a".repeat(200_000)}`],
  ["kubernetes", JSON.stringify({ items: [{ status: { allocatable: { cpu: `${digits}x` } } }] })],
];

it.each(longFields)("long fields do not hold up %s", async (name, text) => {
  const format = machinesFormats.find((format) => format.name === name)!;
  await survive(() => format.read({ name: "log", bytes: bytesOf(text) }), expectConsistent);
});

/** Any JSON of the words that the formats look for, whatever stands where. */
const words = [
  "nodes",
  "sinfo",
  "items",
  "kind",
  "name",
  "cpus",
  "real_memory",
  "state",
  "gres",
  "features",
  "memory",
  "minimum",
  "status",
  "allocatable",
  "cpu",
  "metadata",
  "labels",
  "spec",
  "taints",
  "conditions",
  "type",
  "Machine",
  "Cpus",
  "Memory",
  "State",
  "Start",
  "resources_available",
  "ncpus",
  "mem",
  "host",
  "reason",
];
const leaf = fc.oneof(
  fc.constantFrom<unknown>(
    "n1",
    "n[1-3]",
    "64",
    "1Gi",
    "8gb",
    "Node",
    "IDLE",
    "Ready",
    4,
    0,
    -1,
    1e300,
    true,
    null,
  ),
  fc.string({ maxLength: 4 }),
);
const { anything } = fc.letrec((tie) => ({
  anything: fc.oneof(
    { depthSize: "medium", maxDepth: 6 },
    leaf,
    fc.array(tie("anything"), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...words), tie("anything"), { maxKeys: 6 }),
  ),
}));
const document = fc.oneof(
  anything,
  fc.array(anything, { maxLength: 3 }).map((items) => ({ nodes: items, kind: "List", items })),
  fc.dictionary(fc.constantFrom("n1", "n2"), anything).map((nodes) => ({ nodes })),
);

describe.each(machinesFormats.filter(({ name }) => /json|kubernetes/.test(name)))(
  "whatever JSON it is given, $name machines",
  (format) => {
    it("survive", async () => {
      await fc.assert(
        fc.asyncProperty(document, (json) =>
          survive(() => format.read({ name: "log", bytes: bytesOf(JSON.stringify(json)) }), expectConsistent),
        ),
        { numRuns: 500 },
      );
    });
  },
);

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
