import * as fc from "fast-check";
import { expect, it } from "vitest";

import { WaitingWork } from "./waiting-work.ts";

it("is the work of those that wait, whoever came and went before, in whatever order", () => {
  const cores = fc.integer({ min: 1, max: 2 ** 31 - 1 });
  const seconds = fc.oneof(
    fc.integer({ min: 0, max: 1e6 }),
    fc.double({ min: 0, max: 1e18, noNaN: true }),
    fc.constant(Number.MAX_VALUE),
  );
  const job = fc.record({ cores, seconds, leaves: fc.boolean(), rank: fc.nat() });
  fc.assert(
    fc.property(fc.array(job, { maxLength: 60 }), (jobs) => {
      const work = new WaitingWork();
      for (const each of jobs) work.count(each.cores, each.seconds, 1);
      const leaving = jobs.filter(({ leaves }) => leaves).sort((a, b) => a.rank - b.rank);
      for (const each of leaving) work.count(each.cores, each.seconds, -1);
      const staying = jobs.filter(({ leaves }) => !leaves);
      const plain = staying.reduce(
        (sum, each) => sum + BigInt(Math.round(each.cores * Math.min(each.seconds, 2 ** 31))),
        0n,
      );
      expect(work.total).toBe(Number(plain));
    }),
    { numRuns: 500 },
  );
});
