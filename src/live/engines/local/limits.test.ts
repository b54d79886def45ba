import { describe, expect, it } from "vitest";

import type { Limits } from "../engine.ts";
import { newAttempt, type LocalAttempt } from "./attempt.ts";
import { exceeded } from "./limits.ts";
import type { Process } from "./processes.ts";

const NONE: Limits = { memoryMiB: null, coresMilli: null, seconds: null, graceSeconds: 0 };
const watched = { memory: true, cores: true };

function attempt(limits: Partial<Limits>): LocalAttempt {
  const id = { job: "00000000-0000-4000-8000-000000000000", attempt: 1 };
  const claim = {
    kind: "claim",
    pid: 1,
    startTicks: 1,
    boot: "b",
    monotonicSeconds: 100,
    slurmJob: null,
    machine: "m",
  } as const;
  return { ...newAttempt(id, { ...NONE, ...limits }, null), claim };
}

function process(pid: number, change: Partial<Process>): Process {
  return { pid, parent: 1, session: 1, state: "S", startTicks: 1, cpuSeconds: 0, residentMiB: 0, ...change };
}

const shares = (parts: Record<number, number | null>) => ({
  proportionalMiB: async (pid: number) => parts[pid] ?? null,
});

describe("watched limits", () => {
  it("of memory count shared memory once, and what cannot be told in full", async () => {
    const members = [process(1, { residentMiB: 60 }), process(2, { residentMiB: 60 })];
    const one = attempt({ memoryMiB: 100 });
    expect(await exceeded(one, members, 101, watched, shares({ 1: 35, 2: 35 }))).toBeNull();
    expect(one.memoryPeakMiB).toBe(70);
    expect(await exceeded(one, members, 101, watched, shares({ 1: 35 }))).toBeNull();
    expect(await exceeded(one, members, 101, watched, shares({ 1: 45 }))).toBe("memory");
    expect(await exceeded(one, members, 101, { ...watched, memory: false }, shares({}))).toBeNull();
    expect(one.memoryPeakMiB).toBe(120);
  });

  it("of time leave out what it was suspended", async () => {
    const one = attempt({ seconds: 50 });
    expect(await exceeded(one, [], 150, watched, shares({}))).toBeNull();
    expect(await exceeded(one, [], 150.1, watched, shares({}))).toBe("time");
    one.suspension = { totalSeconds: 20, since: 160, until: null };
    expect(await exceeded(one, [], 180, watched, shares({}))).toBeNull();
    one.suspension = { totalSeconds: 40, since: null, until: null };
    expect(await exceeded(one, [], 189, watched, shares({}))).toBeNull();
    expect(await exceeded(one, [], 191, watched, shares({}))).toBe("time");
  });

  it("of cores are over a minute, not for a moment", async () => {
    const use = async (one: LocalAttempt, cores: (second: number) => number, until: number) => {
      let cpuSeconds = 0;
      for (let second = 0; second <= until; second++) {
        const members = [process(1, { cpuSeconds })];
        const limit = await exceeded(one, members, 1000 + second, watched, shares({}));
        if (limit !== null) return [limit, second];
        cpuSeconds += cores(second);
      }
      return null;
    };
    // Two cores all the time: nothing to say. Four for 20 s of each minute, else one: 2 on average.
    expect(await use(attempt({ coresMilli: 2000 }), () => 2, 600)).toBeNull();
    expect(await use(attempt({ coresMilli: 2000 }), (second) => (second % 60 < 20 ? 4 : 1), 600)).toBeNull();
    expect(await use(attempt({ coresMilli: 2000 }), () => 3, 600)).toEqual(["cores", 60]);
    // Above from second 300 on: 60 s later 3 on average, above 2.1 when 7 s of the window are.
    expect(await use(attempt({ coresMilli: 2000 }), (second) => (second < 300 ? 2 : 3), 600)).toEqual([
      "cores",
      307,
    ]);
    expect(await use(attempt({}), () => 100, 600)).toBeNull();
  });
});
