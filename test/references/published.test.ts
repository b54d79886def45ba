import { describe, expect, it } from "vitest";

import { traceLines, tracesAreMissing, whereTraces } from "../published/traces.fixture.ts";
import { conservative } from "./conservative.fixture.ts";
import type { Farm } from "./farm.fixture.ts";
import { heuristics } from "./place.fixture.ts";
import { replay } from "./replay.fixture.ts";

/** A published schedule: its first jobs, and when each starts. */
function readSchedule(
  log: string,
  processors: number,
  count: number,
): { farm: Farm; starts: number[]; untilSeconds: number } {
  const lines = traceLines(`oracle/${log}-conservative-res.swf.gz`)
    .filter((line) => !line.startsWith(";"))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .sort((a, b) => a[0] - b[0]);
  const jobs = lines.slice(0, count).map(([, submit, , runtime, cores, , , , estimate], row) => ({
    number: row + 1,
    submit,
    runtime,
    estimate,
    tasks: 1,
    task: { cores, memory: 0, gpus: 0 },
  }));
  const machines = [{ cores: processors, memory: 0, gpus: 0 }];
  return {
    farm: { machines, hasMemory: false, jobs },
    starts: lines.slice(0, count).map(([, submit, wait]) => submit + wait),
    untilSeconds: lines[count]?.[1] ?? Infinity,
  };
}

describe.skipIf(tracesAreMissing)(`conservative schedules by pyss ${whereTraces}`, () => {
  // Of the second the first part, which takes seconds: what starts before the next job comes depends on no later job.
  it.each([
    ["KTH-SP2", 100, Infinity, 28_476],
    ["SDSC-SP2", 128, 12_000, 11_900],
  ] as const)("%s: every start is equal if each end lets jobs move", (log, processors, count, atLeast) => {
    const { farm, starts, untilSeconds } = readSchedule(log, processors, count);
    const runs = replay(farm, conservative(heuristics["first-fit"], { placedAgainAfter: "each end" }));
    const before = runs.filter(({ job }) => starts[job.number - 1] < untilSeconds);
    expect(before.length).toBeGreaterThanOrEqual(atLeast);
    expect(before.filter(({ job, start }) => start !== starts[job.number - 1])).toEqual([]);
  });
});
