import * as fc from "fast-check";
import { expect, it } from "vitest";

import { runFarm } from "../../src/simulation/farm.fixture.ts";
import type { Driver } from "../../src/simulation/run/driver.ts";
import type { RunObserver } from "../../src/simulation/run/run-observer.ts";
import type { Outage } from "../../src/simulation/settings/failure-settings.ts";
import { anyFarm, anyFarmJobs, expectWholeTimes } from "./farms.fixture.ts";

/** Times at which machines are down, none of one machine at once. */
const anyOutages = fc
  .array(fc.record({ machine: fc.nat(8), down: fc.nat(300), lasts: fc.integer({ min: 1, max: 80 }) }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((drawn) => {
    const until = new Map<number, number>();
    return drawn
      .sort((a, b) => a.down - b.down)
      .flatMap(({ machine, down, lasts }): Outage[] => {
        if (down < (until.get(machine) ?? -1)) return [];
        until.set(machine, down + lasts);
        return [{ machine, downSeconds: down, upSeconds: down + lasts }];
      });
  });

it("where machines fail, the parts of every job's time add up to it, and nobody runs on a machine that is down", () => {
  fc.assert(
    fc.property(anyFarm(), anyFarmJobs, anyOutages, (farm, workload, drawn) => {
      const counts = farm.pools.map(({ groups }) => groups.reduce((sum, { count }) => sum + count, 0));
      const total = counts.reduce((sum, count) => sum + count, 0);
      const outages = drawn.filter(({ machine }) => machine < total);
      const first = counts.map((_, pool) => counts.slice(0, pool).reduce((sum, count) => sum + count, 0));
      const wasDown = (machine: number, from: number, until: number): boolean =>
        outages.some(
          (each) =>
            each.machine === machine && Math.max(each.downSeconds, from) < Math.min(each.upSeconds, until),
        );
      const rejected: number[] = [];
      const observe = (driver: Driver): RunObserver => {
        const placed = new Map<number, { readonly from: number; readonly machines: number[] }>();
        let present = -Infinity;
        return {
          rejected: (row) => rejected.push(row),
          runs(job, pool) {
            const machines = [...driver.view.pools[pool].machinesOf(job)];
            placed.set(job, { from: present, machines: machines.map((machine) => first[pool] + machine) });
          },
          stops: (job) => placed.delete(job),
          advance(now) {
            for (const { from, machines } of placed.values())
              for (const machine of machines) expect(wasDown(machine, from, now)).toBe(false);
            present = now;
          },
        };
      };
      const { accounts, result } = runFarm(
        workload,
        farm,
        { seed: 3, failures: { kind: "listed", outages } },
        { observe },
      );
      const rows = [...accounts.map(({ row }) => row), ...rejected].sort((a, b) => a - b);
      expect(rows).toEqual(Array.from({ length: workload.count }, (_, row) => row));
      for (const account of accounts) expectWholeTimes(account, workload, farm);
      expect(result.lostJobs!).toBeLessThanOrEqual(result.losses!);
      if (result.losses === 0) expect(result.repeatedCoreHours).toBe(0);
    }),
    { numRuns: 200 },
  );
});
