import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { anyEngine, anySuspend } from "./any-engine.fixture.ts";
import { FaultyDriver } from "./faulty-driver.fixture.ts";

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });

function aBadDay(seed: number, steps = 200): FaultyDriver {
  const driver = new FaultyDriver(anyEngine(seed), seed);
  driver.run(steps);
  return driver;
}

describe("any engine under a driver with every fault", () => {
  it("keeps its books, overfills no machine, starts no job twice, and ends every job once", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(aBadDay(seed).violations.slice(0, 3)).toEqual([]);
      }),
      // Packed jobs for which others could not be suspended, reservations that end between cycles, ranks that form a
      // circle, a suspension whose beneficiary is cancelled before it is confirmed, a suspended job that alone wants to go
      // on before a reservation begins, a job that is expected to end after all time.
      { numRuns: 150, examples: [[3], [1203], [21464], [17439], [1837190912], [1411033856]] },
    );
  });

  it("does so where users send waiting jobs to other pools", () => {
    let moved = 0;
    fc.assert(
      fc.property(seeds, (seed) => {
        const driver = new FaultyDriver(anyEngine(seed), seed, true);
        driver.run(150);
        expect(driver.violations.slice(0, 3)).toEqual([]);
        moved += driver.journal.filter(
          ({ event, answer }) =>
            event.type === "changed" && answer.decisions.some(({ type }) => type === "MOVE"),
        ).length;
      }),
      // A job that becomes too large for its pool while it is sent to others too.
      { numRuns: 60, examples: [[1115498903]] },
    );
    expect(moved).toBeGreaterThan(0);
  });

  it("does so where its pools begin to suspend in another way", () => {
    fc.assert(
      fc.property(seeds, fc.nat(149), (seed, step) => {
        const driver = new FaultyDriver(anyEngine(seed), seed);
        driver.run(150, { step, suspend: anySuspend(seed) });
        expect(driver.violations.slice(0, 3)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("is driven the same way by the same seed", () => {
    fc.assert(
      fc.property(seeds, (seed) => {
        expect(JSON.stringify(aBadDay(seed, 60).journal)).toBe(JSON.stringify(aBadDay(seed, 60).journal));
      }),
      { numRuns: 20 },
    );
  });
});
