import { gzipSync } from "node:zlib";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { damaged, survive } from "../input/damaged.fixture.ts";
import { expectConsistent } from "./consistent.fixture.ts";
import type { ReadOptions } from "./format.ts";
import { readWorkload, workloadFormats } from "./registry.ts";

/** A valid log of every text format, to be damaged. */
const validLogs: Readonly<Record<string, string>> = {
  swf: `; MaxProcs: 100 (all)
; Queue: 1 short
1 0 5 60 4 59.5 1024 4 90 2048 1 3 2 -1 1 -1 -1 -1
2 10 -1 0 -1 -1 -1 8 -1 -1 1 4 -1 -1 2 -1 -1 -1
3 5 2 100 1 -1 300 -1 50 -1 5 4 2 -1 1 -1 -1 -1 {1,2} q
`,
  netbatch: `0,0,0,0,0,0,0,0,0,79.5,79,0,0,0,/q,/a/b,0,0,1002,0,1,cores=8;memory=8
1:2,0,0,0,0,1050,0,0,0,16594,16594,0,0,0,/q,/a/c,0,0,1001,0,1,"cores=1;memory=4"
`,
  csv: `submit,runtime,cores,memory,tasks,project,user,priority,queue,estimate,policy,job,gpu,requires,pools,site,group
0,10,0.25,100,2,/a,ann,1,q,20,best-fit-cores,7,0.5,cores > 4,p1;p2,s,g
5,2.5,4,,,"/b, c",bob,,,,,8,,,,,
`,
  tasks: `; synthetic
0 977 1 0.25 0.6 368
1 1885 64 1.0 0.4 412.5
`,
  accounting: `start,end,queue,user,cores
100,160.5,ams,ann,1
90,95,"cms, too",,2
`,
  openb: `name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
openb-pod-0000,12000,16384,1,1000,,LS,Running,0,12537496,0
openb-pod-0001,6000,12288,1,460,G2|T4,BE,Pending,427061,12902960,
`,
};

const readOptions: fc.Arbitrary<ReadOptions> = fc.record(
  {
    jobShape: fc.constantFrom("tasks", "machine"),
    memoryUnit: fc.constantFrom("B", "KiB", "MiB", "GiB"),
    memoryScope: fc.constantFrom("per-processor", "per-job"),
    overrun: fc.constantFrom("keep", "cap"),
    minimumRuntimeSeconds: fc.constantFrom(0, 1),
    minimumMemoryMiB: fc.constantFrom(0, 1024),
  },
  { requiredKeys: [] },
);

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe.each(workloadFormats.filter(({ name }) => name in validLogs))(
  "whatever it is given, $name",
  (format) => {
    const valid = validLogs[format.name];

    it("reads the valid log that the others are made from", async () => {
      const workload = await readWorkload({ name: "log", bytes: bytesOf(valid) });
      expectConsistent(workload);
      expect(workload.count).toBeGreaterThanOrEqual(2);
    });

    it("survives damaged logs", async () => {
      await fc.assert(
        fc.asyncProperty(damaged(valid), readOptions, (text, options) =>
          survive(() => format.read({ name: "log", bytes: bytesOf(text) }, options), expectConsistent),
        ),
        { numRuns: 400 },
      );
    });

    it("survives random bytes", async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), (bytes) =>
          survive(() => format.read({ name: "log", bytes }), expectConsistent),
        ),
      );
    });

    it("survives packed logs that are cut short or damaged", async () => {
      const packed = gzipSync(valid);
      const cut = fc.nat(packed.length).map((length) => packed.subarray(0, length));
      const flipped = fc
        .tuple(fc.nat(packed.length - 1), fc.integer({ min: 1, max: 255 }))
        .map(([at, bits]) => packed.map((byte, i) => (i === at ? byte ^ bits : byte)));
      await fc.assert(
        fc.asyncProperty(fc.oneof(cut, flipped), (bytes) =>
          survive(() => readWorkload({ name: "log", bytes }, { format: format.name }), expectConsistent),
        ),
      );
    });
  },
);

describe("whatever it is given, the guess of the format", () => {
  it("survives", async () => {
    const anything = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      ...Object.values(validLogs).map((text) => damaged(text).map(bytesOf)),
    );
    await fc.assert(
      fc.asyncProperty(anything, (bytes) =>
        survive(() => readWorkload({ name: "log", bytes }), expectConsistent),
      ),
      { numRuns: 400 },
    );
  });
});
