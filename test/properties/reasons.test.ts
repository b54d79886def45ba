import { describe, expect, it } from "vitest";

import { NONE, type Port, type ReasonSink } from "../../src/core/index.ts";
import {
  dominantReason,
  jobsBefore,
  noPoolHasRoom,
  WaitReasons,
  type EngineNames,
} from "../../src/simulation/index.ts";
import { ExplainedFarm } from "./explained-farm.fixture.ts";
import { aheadByTheBook, tokensByTheBook } from "./reasons-by-the-book.fixture.ts";

/** CROFT_REASONS=1000 tries so many, from CROFT_FIRST_FARM on. */
const reasons = Number(process.env["CROFT_REASONS"] ?? 500);
const first = Number(process.env["CROFT_FIRST_FARM"] ?? 1);

/** Everything has its number for a name. */
function namesOf(port: Port): EngineNames {
  return {
    job: (handle) => port.numberOf(handle),
    pool: String,
    machine: (_, machine) => String(machine),
    licence: String,
    reservation: (_pool: number, booking: number) => String(booking),
    limit: () => ({ of: "user" as const, name: "" }),
    requirement: () => null,
    attributes: () => ({}),
    owner: String,
    priority: (handle) => port.view.jobs.priorityOf(handle),
    project: String,
    hasProjects: true,
  };
}

/** Why jobs wait, as a cycle of their pools notes it that lets none start; null: one has started. */
function noted(farm: ExplainedFarm, port: Port): Map<number, { token: string; ahead: number | null }> | null {
  const found = new Map<number, { token: string; ahead: number | null }>();
  const words = new WaitReasons(port.view, namesOf(port));
  const sink: ReasonSink = {
    jobs: new Set(farm.waiting.map((number) => port.handleOf(number))),
    waits(handle, pool, reason, now) {
      // A part of a requirement has no name here: its machines are those that could never hold the job.
      const told = words.passedBy(handle, pool, reason, now);
      const unsuitable = [...reason.machines.unsuitable.values()].reduce((sum, count) => sum + count, 0);
      const all = unsuitable === 0 ? told : [...told, { kind: "too small", machines: unsuitable } as const];
      const dominant = dominantReason(all);
      found.set(port.numberOf(handle), { token: dominant?.token ?? "none", ahead: reason.aheadCount });
    },
    waitsForPool(handle, pools, now) {
      const dominant = dominantReason(noPoolHasRoom(port.view, words, { handle, pools, now }));
      found.set(port.numberOf(handle), { token: dominant?.token ?? "none", ahead: null });
    },
    suspended: () => undefined,
  };
  port.tellReasons(sink);
  for (const handle of sink.jobs) port.apply({ type: "asked", at: farm.now, job: port.numberOf(handle) });
  let now = farm.now;
  const until = now + Math.max(0, ...port.view.pools.map(({ intervalSeconds }) => intervalSeconds));
  for (let tick = 0; tick < 20 && now <= until; tick++) {
    if (port.apply({ type: "tick", at: now }).decisions.length > 0) return null;
    now = Math.max(now, port.nextTime);
  }
  return found;
}

describe("the reason that is told first", () => {
  it(`is that of a plain count of machines and of jobs before it, of ${reasons} waiting jobs`, () => {
    const seen = new Map<string, number>();
    let compared = 0;
    for (let seed = first; compared < reasons; seed++) {
      const farm = new ExplainedFarm(seed);
      const port = farm.copy();
      const found = noted(farm, port);
      if (found === null) continue;
      for (const [number, { token }] of found) {
        const expected = tokensByTheBook(port, farm.settings, number);
        expect(expected, `${farm.describe}; job ${number} at ${farm.now}: ${token}`).toContain(token);
        const handle = port.handleOf(number);
        const ahead = port.poolOf(number) === NONE ? null : aheadByTheBook(port, farm.settings, number);
        if (ahead !== null)
          expect(jobsBefore(port.view, handle, farm.now)!.length, `${farm.describe}; job ${number}`).toBe(
            ahead,
          );
        seen.set(token, (seen.get(token) ?? 0) + 1);
        compared++;
      }
    }
    // Most tokens of a cycle come up.
    for (const token of [
      "cores",
      "memory",
      "limit",
      "licence",
      "behind",
      "promised",
      "would-delay",
      "no-pool-has-room",
    ])
      expect([...seen.keys()]).toContain(token);
  });
});
