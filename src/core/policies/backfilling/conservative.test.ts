import { expect, it } from "vitest";

import { DRAINED } from "../../machines/machine-state.ts";
import { aJob, aPool, equalMachines, startedOf } from "../../pool/pool.fixture.ts";

it("promises nothing to a job that only a drained machine has room for, and delays no job for it", () => {
  const pool = aPool("conservative", equalMachines(2, { cores: 4000 }));
  pool.machines.close(1, DRAINED);
  const wide = pool.submit(aJob({ tasks: 8, estimateSeconds: 10 }));
  const narrow = Array.from({ length: 5 }, () => pool.submit(aJob({ estimateSeconds: 1000 })));
  pool.cycle(0);
  expect(startedOf(pool)).toEqual(narrow.slice(0, 4));
  pool.machines.open(1, DRAINED);
  // The fifth holds a promise, which is made sooner, and the wide one comes after it.
  pool.cycle(1);
  expect(startedOf(pool)).toEqual(narrow.slice(4));
  for (const job of narrow) pool.finish(job);
  pool.cycle(2);
  expect(startedOf(pool)).toEqual([wide]);
});
