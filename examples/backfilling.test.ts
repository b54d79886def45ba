import * as fc from "fast-check";
import { expect, test } from "vitest";

import { readMachines, simulate, workloadOf, type PolicyKind, type Workload } from "croft";

import plugin, { backfilling } from "./backfilling.ts";

const [easyLxf] = plugin.policies;

/** Jobs of one task a row: submit, run time and estimate in seconds, cores. */
function workloadFrom(rows: readonly (readonly [number, number, number, number])[]): Workload {
  return workloadOf({
    submitSeconds: Float64Array.from(rows, ([submit]) => submit),
    runtimeSeconds: Float64Array.from(rows, ([, runtime]) => runtime),
    estimateSeconds: Float64Array.from(rows, ([, , estimate]) => estimate),
    coresMilli: Int32Array.from(rows, ([, , , cores]) => cores * 1000),
  });
}

async function run(workload: Workload, machines: string, policy: string | PolicyKind) {
  const { schedule, result } = simulate(
    workload,
    await readMachines(machines),
    { policy },
    { keepMachines: true },
  );
  const { startSeconds, promisedSeconds } = schedule;
  return { start: [...startSeconds], promised: [...promisedSeconds!], broken: result.promisesBroken };
}

test("the job that has waited longest for its length passes first", async () => {
  const workload = workloadFrom([
    [0, 100, 100, 3],
    [0, 50, 50, 1],
    // Needs all cores, and is promised the end of the first.
    [1, 100, 100, 4],
    // At 50 s: (40 + 50) ÷ 50, (30 + 10) ÷ 10 and (1 + 9) ÷ 9. At 60 s the first would end too late.
    [10, 50, 50, 1],
    [20, 10, 10, 1],
    [49, 9, 9, 1],
  ]);
  const own = await run(workload, "1x4c", easyLxf);
  expect(own.start).toEqual([0, 0, 100, 200, 50, 60]);
  expect(own.promised[2]).toBe(100);
  expect(own.broken).toEqual({});
  expect((await run(workload, "1x4c", "easy-sjbf")).start).toEqual([0, 0, 100, 200, 59, 50]);
});

test("a promise that a job breaks by running for longer than estimated is counted", async () => {
  const workload = workloadFrom([
    [0, 15, 10, 1],
    [1, 20, 20, 2],
  ]);
  expect(await run(workload, "1x2c", easyLxf)).toEqual({
    start: [0, 15],
    promised: [NaN, 10],
    broken: { overrun: 1 },
  });
});

const inOrder = backfilling("in-order", "", (jobs) => (a, b) => jobs.arrival[a] - jobs.arrival[b]);
const shortest = backfilling(
  "shortest",
  "",
  (jobs) => (a, b) => jobs.estimateSeconds[a] - jobs.estimateSeconds[b] || jobs.arrival[a] - jobs.arrival[b],
);

test.each([
  [inOrder, "easy"],
  [shortest, "easy-sjbf"],
])("with the order of arrival and of estimates it is Croft's %#", async (own, name) => {
  const job = fc.tuple(
    fc.nat(60),
    fc.integer({ min: 1, max: 40 }),
    fc.nat(30),
    fc.integer({ min: 1, max: 4 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(job, { minLength: 2, maxLength: 25 }),
      fc.constantFrom("1x4c", "3x4c", "1x4c+2x5c"),
      async (rows, machines) => {
        const sorted = rows.toSorted(([a], [b]) => a - b);
        const workload = workloadFrom(
          sorted.map(([at, runs, more, cores]) => [at, runs, runs + more, cores]),
        );
        const made = await run(workload, machines, own);
        expect(made.start).toEqual((await run(workload, machines, name)).start);
        // No job runs for longer than estimated, so no promise is broken.
        for (const [row, promised] of made.promised.entries())
          if (!Number.isNaN(promised)) expect(made.start[row]).toBeLessThanOrEqual(promised);
      },
    ),
  );
});
