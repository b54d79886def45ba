import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, expect, test, vi } from "vitest";

// Here "croft" means `src/index.ts`, so that no example runs on what was built yesterday.

afterEach(() => vi.restoreAllMocks());

/** Runs an example and returns the lines it prints. */
async function linesOf(load: () => Promise<unknown>): Promise<string[]> {
  const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
  await load();
  return log.mock.calls.flatMap(([text]) => String(text).split("\n"));
}

test("compare-policies prints a row a policy", async () => {
  const lines = await linesOf(() => import("./compare-policies.ts"));
  expect(lines[0]).toContain("50% load");
  for (const policy of ["first-fit", "best-fit-cores", "worse-fit-cores"]) {
    expect(lines.some((line) => line.startsWith(`${policy} `))).toBe(true);
  }
});

test("own-workload makes the third job wait for the first two", async () => {
  expect(await linesOf(() => import("./own-workload.ts"))).toEqual([
    "job 1 starts at 0 s on m1",
    "job 2 starts at 10 s on m1",
    "job 3 starts at 600 s on m1",
    "mean wait 193 s",
  ]);
});

test("own-heuristic places all jobs of the thesis's Figure 3.1, of which best-fit places six", async () => {
  expect(await linesOf(() => import("./own-heuristic.ts"))).toEqual([
    "best-fit-cores: 6 of 8 jobs start",
    "most-headroom: 8 of 8 jobs start",
  ]);
});

test("study counts buckets won and judges every claim", async () => {
  const lines = await linesOf(() => import("./study.ts"));
  expect(lines[0]).toBe("20 buckets of synthetic jobs");
  expect(lines.filter((line) => / wins +\d+ %$/.test(line))).toHaveLength(5);
  expect(
    lines.filter((line) => /^(holds|does not hold|cannot be judged): /.test(line)).length,
  ).toBeGreaterThan(4);
});

test("report writes a page with a verdict", async () => {
  const file = join(tmpdir(), "croft-example-report.html");
  rmSync(file, { force: true });
  expect(await linesOf(() => import("./report.ts"))).toEqual([`report: ${file}`]);
  expect(readFileSync(file, "utf8")).toMatch(/On a synthetic workload, not a real log: at 50.% load, /);
  rmSync(file);
});

test("live-engine decides the same again from its journal and from its snapshot", async () => {
  expect(await linesOf(() => import("./live-engine.ts"))).toEqual([
    "0 s: START job 1 on machine 0",
    "2 s: START job 2 on machine 1",
    "4 s: SUSPEND job 2",
    "5 s: START job 3 on machine 1",
    "7 s: started is ignored: the event does not fit the state of the job",
    "8 s: RESUME job 2",
    "replayed from the journal: the same decisions",
    "restored from the snapshot: the same state",
  ]);
});

test("pool starts the jobs that there is room for, and the others when one has ended", async () => {
  expect(await linesOf(() => import("./pool.ts"))).toEqual([
    "0 s: no machine can hold 9 cores: cores",
    "0 s: job 0 starts on machine 0; 1 wait",
    "0 s: job 1 starts on machine 1; 1 wait",
    "600 s: job 2 starts on machine 0; 0 wait",
  ]);
});
