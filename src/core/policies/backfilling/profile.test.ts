import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { tasksWithin } from "../../machines/machine-state.ts";
import { Profile } from "./profile.ts";

interface Amount {
  readonly cores: number;
  readonly memory: number;
  readonly gpu: number;
}

/** The seconds that are counted; what is free in the last lasts for ever. */
const SECONDS = 200;

/** What is free in each second, one after the other. */
class FreeBySecond {
  private readonly free: Amount[];

  constructor(amount: Amount) {
    this.free = Array.from({ length: SECONDS + 1 }, () => amount);
  }

  at(second: number): Amount {
    return this.free[Math.min(second, SECONDS)];
  }

  room(from: number, until: number, { cores, memory, gpu }: Amount): number {
    let room = Infinity;
    for (let at = from; at < Math.min(until, SECONDS + 1); at++) {
      const free = this.at(at);
      room = Math.min(room, tasksWithin(free.cores, free.memory, free.gpu, cores, memory, gpu));
    }
    return room;
  }

  earliest(amount: Amount, seconds: number, notBefore: number): number {
    for (let second = notBefore; second <= SECONDS; second++)
      if (this.room(second, second + seconds, amount) > 0) return second;
    return Infinity;
  }

  take(from: number, until: number, amount: Amount): void {
    for (let at = from; at < Math.min(until, SECONDS + 1); at++) {
      const { cores, memory, gpu } = this.free[at];
      this.free[at] = { cores: cores - amount.cores, memory: memory - amount.memory, gpu: gpu - amount.gpu };
    }
  }
}

const anyAmount = fc.record({ cores: fc.integer({ min: 1, max: 9 }), memory: fc.nat(6), gpu: fc.nat(2) });
const anyWindow = fc.record({
  amount: anyAmount,
  from: fc.nat(SECONDS - 50),
  seconds: fc.oneof(fc.integer({ min: 1, max: 49 }), fc.constant(Infinity)),
  isGivenBack: fc.boolean(),
  now: fc.nat(SECONDS - 50),
});

describe("a profile", () => {
  it("finds and takes the same as counting second by second", () => {
    fc.assert(
      fc.property(
        fc.record({ cores: fc.integer({ min: 1, max: 40 }), memory: fc.nat(30), gpu: fc.nat(6) }),
        fc.array(anyWindow, { maxLength: 80, size: "max" }),
        (all, windows) => {
          const profile = new Profile(all.cores, all.memory, all.gpu);
          const plain = new FreeBySecond(all);
          let last = 0;
          for (const { amount, from, seconds, isGivenBack, now } of windows) {
            const { cores, memory, gpu } = amount;
            const begin = Math.max(from, last);
            const until = begin + seconds;
            profile.take(begin, until, cores, memory, gpu);
            plain.take(begin, until, amount);
            if (isGivenBack) {
              profile.take(begin, until, -cores, -memory, -gpu);
              plain.take(begin, until, { cores: -cores, memory: -memory, gpu: -gpu });
            }
            // What is over may be forgotten.
            last = Math.max(last, Math.min(now, last + 3));
            profile.tidy(last);
            const length = Math.min(seconds, 49);
            expect(profile.room(last, last + length, cores, memory, gpu)).toBe(
              plain.room(last, last + length, amount),
            );
            const room = plain.room(last, last + length, amount);
            for (let later = last; later < Math.min(profile.risesAt, SECONDS - 50); later++)
              expect(plain.room(later, later + length, amount)).toBeLessThanOrEqual(room);
            expect(profile.earliest(cores, memory, gpu, length, last, Infinity)).toBe(
              plain.earliest(amount, length, last),
            );
            const limit = begin + 1;
            const limited = plain.earliest(amount, length, last);
            expect(profile.earliest(cores, memory, gpu, length, last, limit)).toBe(
              limited < limit ? limited : Infinity,
            );
            const later = Math.max(begin, last);
            profile.lookAt(later);
            expect({ cores: profile.cores, memory: profile.memory, gpu: profile.gpu }).toEqual(
              plain.at(later),
            );
            let short = Infinity;
            for (let at = SECONDS; at >= last; at--) {
              const free = plain.at(at);
              if (free.cores < 0 || free.memory < 0 || free.gpu < 0) short = at;
            }
            expect(profile.overcommittedAt(last)).toBe(short);
          }
        },
      ),
    );
  });

  it("does not grow with what is over", () => {
    const profile = new Profile(4, 0, 0);
    for (let now = 0; now < 10_000; now++) {
      profile.take(now, now + 3, 1, 0, 0);
      profile.tidy(now);
    }
    expect(profile.steps).toBeLessThan(50);
  });
});
