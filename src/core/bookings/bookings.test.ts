import { describe, expect, it } from "vitest";

import { aJob, aPool, equalMachines, startedOf } from "../pool/pool.fixture.ts";
import type { Booking } from "./bookings.ts";

/** A machine that is kept for nobody but in a gap from 10 to 20. */
const around: readonly Booking[] = [
  { number: 1, machines: [0], from: 0, until: 10, people: 1 },
  { number: 2, machines: [0], from: 20, until: 30, people: 1 },
];

describe.each(["first-fit", "fcfs", "easy", "conservative", "backfill:2"])(
  "between two bookings under %s",
  (policy) => {
    const startsAt = (estimateSeconds: number, cycles: readonly number[]): number | undefined => {
      const pool = aPool(policy, equalMachines(1, { cores: 1000 }), {
        bookings: { admits: () => false, lateSeconds: 0.5, first: around },
      });
      pool.submit(aJob({ estimateSeconds }));
      return cycles.find((now) => {
        pool.cycle(now);
        return startedOf(pool).length > 0;
      });
    };

    it("a job starts that fits exactly, also where the clock has rung a little late", () => {
      expect(startsAt(10, [0, 10, 20, 30])).toBe(10);
      expect(startsAt(10, [0, 10.04, 20, 30])).toBe(10.04);
    });

    it("a job does not that would run on, or that comes later", () => {
      expect(startsAt(11, [0, 10, 20, 30])).toBe(30);
      expect(startsAt(10, [0, 11, 20, 30])).toBe(30);
    });
  },
);
