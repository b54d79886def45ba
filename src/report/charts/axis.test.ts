import * as fc from "fast-check";
import { expect, test } from "vitest";
import { linearAxis, valueAxis } from "./axis.ts";
import type { Quantity } from "./axis.ts";

const quantity = fc.constantFrom<Quantity>("number", "seconds", "share", "change", "MiB");
const value = fc.oneof(fc.constantFrom(0, 1e-9, 1, 60, 1e12), fc.double({ min: 0, max: 1e9, noNaN: true }));

test("larger values never lie lower, every position is inside", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), quantity, (values, quantity) => {
      const axis = valueAxis(values, [0, 200], quantity);
      let before = 0;
      for (const at of values.toSorted((a, b) => a - b).map(axis.position)) {
        expect(at).toBeGreaterThanOrEqual(before);
        expect(at).toBeLessThanOrEqual(200);
        before = at;
      }
    }),
  );
});

test("ticks rise, stand apart, and have labels of their own", () => {
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), quantity, (values, quantity) => {
      const { ticks } = valueAxis(values, [0, 200], quantity);
      for (let i = 1; i < ticks.length; i++) expect(ticks[i].at - ticks[i - 1].at).toBeGreaterThan(10);
      expect(new Set(ticks.map((tick) => tick.label)).size).toBe(ticks.length);
      for (const tick of ticks) expect(tick.label).not.toMatch(/NaN|Infinity|undefined|^$/);
    }),
  );
});

test("values over orders of magnitude get a log scale, with a place for zero", () => {
  const axis = valueAxis([0, 2, 90_000], [0, 300], "seconds");
  expect(axis.logarithmic).toBe(true);
  expect(axis.ticks[0]).toEqual({ at: 0, label: "0" });
  expect(axis.position(0)).toBe(0);
  expect(axis.position(2)).toBeGreaterThan(10);
  expect(axis.ticks.map((tick) => tick.label.replace("\u00a0", " "))).toEqual(
    expect.arrayContaining(["1 min", "1 h", "1 d"]),
  );
});

test.each([
  { values: [] },
  { values: [0, 0] },
  { values: [Number.NaN] },
  { values: [Number.POSITIVE_INFINITY] },
])("nothing to scale by: $values", ({ values }) => {
  const axis = valueAxis(values, [200, 0], "number");
  for (const at of [0, 5, Number.NaN, Number.POSITIVE_INFINITY].map(axis.position))
    expect(Number.isFinite(at)).toBe(true);
  expect(axis.ticks.length).toBeGreaterThan(1);
});

test("time is counted in people's units", () => {
  expect(labels(100)).toEqual(["0", "20 s", "40 s", "60 s", "80 s", "100 s"]);
  expect(labels(7000)).toEqual(["0", "30 min", "60 min", "90 min", "120 min"]);
  expect(labels(30 * 86_400)).toEqual(["0", "10 d", "20 d", "30 d"]);
});

test("labels side by side do not touch, however long", () => {
  const far = fc.double({ min: 1e-3, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(fc.array(far, { minLength: 1, maxLength: 5 }), quantity, (values, quantity) => {
      for (const { ticks } of [
        valueAxis(values, [100, 400], quantity),
        linearAxis([-1, Math.max(...values)], [100, 400], quantity),
      ]) {
        for (let i = 1; i < ticks.length; i++) {
          const letters = (ticks[i].label.length + ticks[i - 1].label.length) / 2;
          expect(ticks[i].at - ticks[i - 1].at).toBeGreaterThan(7 * letters);
        }
      }
    }),
  );
});

test("a domain of one value still has a width", () => {
  const axis = linearAxis([0.95, 0.95], [0, 100], "share", 5, "keep domain");
  expect(axis.position(0.95)).toBe(0);
  expect(axis.position(0.5)).toBe(0);
  expect(linearAxis([1e30, 1e30], [0, 100], "share", 5, "keep domain").ticks.length).toBeLessThan(10);
});

function labels(top: number): string[] {
  return linearAxis([0, top], [0, 300], "seconds").ticks.map((tick) => tick.label.replace("\u00a0", " "));
}

test("no change is marked that cannot be: nothing falls by more than all of it", () => {
  const { ticks, position } = linearAxis([-0.3, 9], [0, 300], "change", 5);
  expect(ticks[0].label.replace("\u00a0", " ")).toBe("0 %");
  expect(position(-1)).toBe(0);
  expect(position(-0.3)).toBeGreaterThan(0);
});
