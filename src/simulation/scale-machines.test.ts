import * as fc from "fast-check";
import { expect, it } from "vitest";

import type { Machines } from "../workload/index.ts";
import { resizeMachines, resizeSome } from "./scale-machines.ts";

/** Machines of which each has as many cores, MiB and GPUs as its number says, and that number as an attribute. */
function numbered(count: number): Machines {
  const numbers = Array.from({ length: count }, (_, machine) => machine + 1);
  const times = (factor: number): Int32Array => Int32Array.from(numbers, (number) => number * factor);
  return {
    name: "numbered",
    count,
    ids: numbers.map((number) => `n${number}`),
    coresMilli: times(1000),
    memoryMiB: times(1024),
    gpuMilli: times(1000),
    attributes: {
      codes: Int32Array.from(numbers, (_, machine) => machine),
      sets: numbers.map((number) => ({ number })),
    },
  };
}

it("machines that are left out, or are there twice, take all that they are with them", () => {
  fc.assert(
    fc.property(fc.integer({ min: 10, max: 60 }), fc.constantFrom(0.5, 0.9, 1.1, 2), (count, factor) => {
      const resized = resizeMachines(numbered(count), factor);
      expect(resized.count).toBe(Math.round(count * factor));
      expect(new Set(resized.ids).size).toBe(resized.count);
      const { codes, sets } = resized.attributes!;
      expect(codes.length).toBe(resized.count);
      for (let machine = 0; machine < resized.count; machine++) {
        const number = sets[codes[machine]]["number"];
        expect(resized.ids[machine]).toMatch(new RegExp(`^n${number}-`));
        expect([
          resized.coresMilli[machine] / 1000,
          resized.memoryMiB![machine] / 1024,
          resized.gpuMilli![machine] / 1000,
        ]).toEqual([number, number, number]);
      }
    }),
  );
});

it("machines of one kind become more or fewer, and the others stay", () => {
  const numbers = (places: readonly number[], size: number): number[] => {
    const { coresMilli, count, ids } = resizeSome(numbered(4), places, size);
    expect(new Set(ids).size).toBe(count);
    return Array.from(coresMilli, (cores) => cores / 1000);
  };
  expect(numbers([1], 3)).toEqual([1, 2, 2, 2, 3, 4]);
  expect(numbers([0, 2], 3)).toEqual([1, 2, 3, 3, 4]);
  expect(numbers([0, 2], 1)).toEqual([2, 3, 4]);
});
