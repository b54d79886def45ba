import { describe, expect, it } from "vitest";

import { float64Column, int32Column } from "./column.ts";

/** More than two chunks. */
const ROWS = 150_000;

describe("a growing column", () => {
  it.each([
    ["a value in every row", (row: number) => row],
    ["a value in some rows", (row: number) => (row % 3 === 0 ? -1 : row)],
    ["values in the last chunk only", (row: number) => (row < 140_000 ? -1 : row)],
    ["values in the first chunk only", (row: number) => (row > 100 ? -1 : row)],
  ])("with %s gives back its rows, in any order", (_name, valueOf) => {
    const expected = (row: number): number => (valueOf(row) === -1 ? 7 : valueOf(row));
    const backwards = Uint32Array.from({ length: ROWS }, (_, row) => ROWS - 1 - row);
    for (const order of [null, backwards]) {
      const column = int32Column(-1, 7);
      for (let row = 0; row < ROWS; row++) column.set(row, valueOf(row));
      expect(column.some).toBe(true);
      const rows = column.moveTo(new Int32Array(ROWS), order);
      expect(rows.findIndex((value, at) => value !== expected(order?.[at] ?? at))).toBe(-1);
    }
  });

  it("without a value has none", () => {
    const column = float64Column(-1, Number.NaN);
    for (let row = 0; row < ROWS; row++) column.set(row, -1);
    expect(column.some).toBe(false);
    expect(column.moveTo(new Float64Array(ROWS), null).every(Number.isNaN)).toBe(true);
  });
});
