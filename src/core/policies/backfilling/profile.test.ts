import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { tasksWithin } from "../../machines/machine-state.ts";
import { Profile } from "./profile.ts";

interface Amount {
  readonly cores: number;
  readonly memory: number;
  readonly gpu: number;
}

/** What is free in each second, one after the other. After the last it stays the same for ever. */
class FreeBySecond {
  private readonly free: Amount[] = [];

  add(free: Amount, seconds: number): void {
    for (let i = 0; i < seconds; i++) this.free.push(free);
  }

  at(second: number): Amount {
    return this.free[Math.min(second, this.free.length - 1)];
  }

  /** How often this much is free from a second on, for this long, and at least in that second. */
  timesFrom(second: number, { cores, memory, gpu }: Amount, seconds: number): number {
    let times = Infinity;
    for (let at = second; at < second + Math.max(1, seconds); at++) {
      const free = this.at(at);
      times = Math.min(times, tasksWithin(free.cores, free.memory, free.gpu, cores, memory, gpu));
    }
    return times;
  }

  earliest(amount: Amount, seconds: number, notBefore: number): number {
    for (let second = notBefore; second <= notBefore + this.free.length; second++)
      if (this.timesFrom(second, amount, seconds) > 0) return second;
    return Infinity;
  }

  freeUntil(amount: Amount): number {
    if (this.timesFrom(0, amount, 1) === 0) return -Infinity;
    for (let second = 1; second < this.free.length; second++)
      if (this.timesFrom(second, amount, 1) === 0) return second;
    return Infinity;
  }

  take(second: number, amount: Amount, seconds: number): void {
    while (this.free.length <= second + seconds) this.free.push(this.free.at(-1)!);
    for (let at = second; at < second + seconds; at++) this.free[at] = less(this.free[at], amount);
  }
}

function less(one: Amount, other: Amount): Amount {
  return { cores: one.cores - other.cores, memory: one.memory - other.memory, gpu: one.gpu - other.gpu };
}

const anyAmount = fc.record({ cores: fc.integer({ min: 1, max: 9 }), memory: fc.nat(6), gpu: fc.nat(2) });
/** More becomes free after some seconds. */
const anyRises = fc.array(fc.tuple(fc.integer({ min: 1, max: 6 }), anyAmount), {
  maxLength: 60,
  size: "max",
});
/** Taken as often as it is free, up to this many times, and perhaps given back. */
const anyRequests = fc.array(
  fc.record({
    amount: anyAmount,
    seconds: fc.oneof(fc.nat(12), fc.nat(200)),
    most: fc.integer({ min: 1, max: 3 }),
    isGivenBack: fc.boolean(),
  }),
  { maxLength: 60, size: "max" },
);

describe("a profile", () => {
  it("finds and takes the same as counting second by second", () => {
    fc.assert(
      fc.property(anyAmount, anyRises, anyRequests, (now, rises, requests) => {
        const profile = new Profile();
        const plain = new FreeBySecond();
        let free = now;
        let time = 0;
        profile.start(0, free.cores, free.memory, free.gpu);
        for (const [seconds, more] of rises) {
          plain.add(free, seconds);
          time += seconds;
          free = less(free, { cores: -more.cores, memory: -more.memory, gpu: -more.gpu });
          profile.append(time, free.cores, free.memory, free.gpu);
        }
        plain.add(free, 1);
        let notBefore = 0;
        for (const { amount, seconds, most, isGivenBack } of requests) {
          const { cores, memory, gpu } = amount;
          expect(profile.freeUntil(cores, memory, gpu)).toBe(plain.freeUntil(amount));
          const from = profile.earliest(cores, memory, gpu, seconds, notBefore, Infinity);
          expect(from).toBe(plain.earliest(amount, seconds, notBefore));
          const limited = profile.earliest(cores, memory, gpu, seconds, notBefore, from);
          expect(limited).toBeGreaterThanOrEqual(from);
          profile.earliest(cores, memory, gpu, seconds, notBefore, Infinity);
          notBefore = 0;
          if (from === Infinity) continue;
          // A whole block counts with the least on any of its steps, so it may be free more often than reported.
          expect(profile.times).toBeGreaterThan(0);
          expect(profile.times).toBeLessThanOrEqual(plain.timesFrom(from, amount, seconds));
          const count = Math.min(most, profile.times);
          const all = { cores: cores * count, memory: memory * count, gpu: gpu * count };
          profile.take(from, all.cores, all.memory, all.gpu, seconds);
          if (isGivenBack) profile.take(from, -all.cores, -all.memory, -all.gpu, seconds);
          else plain.take(from, all, seconds);
          if (seconds % 3 === 0) notBefore = from;
        }
      }),
      { numRuns: 300 },
    );
  });
});
