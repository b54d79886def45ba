import { describe, expect, it } from "vitest";

import { float64Column, int32Column } from "./column.ts";
import type { Column } from "./column.ts";

/** More than two chunks. */
const ROWS = 150_000;
/** No divisor of a chunk's rows, so that some rows are set across the end of a chunk. */
const ROWS_AT_ONCE = 1000;

/** Sets all rows, as the second of three fields of a table. */
function fill(column: Column<Float64Array | Int32Array>, valueOf: (row: number) => number): void {
  for (let first = 0; first < ROWS; first += ROWS_AT_ONCE) {
    const table = Float64Array.from({ length: 3 * ROWS_AT_ONCE }, (_, at) =>
      at % 3 === 1 ? valueOf(first + (at - 1) / 3) : 12_345,
    );
    column.setRows(first, ROWS_AT_ONCE, table, 1, 3);
  }
}

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
      fill(column, valueOf);
      expect(column.some).toBe(true);
      const rows = column.moveTo(new Int32Array(ROWS), order);
      expect(rows.findIndex((value, at) => value !== expected(order?.[at] ?? at))).toBe(-1);
    }
  });

  it("without a value has none", () => {
    const column = float64Column(-1, Number.NaN);
    fill(column, () => -1);
    expect(column.some).toBe(false);
    expect(column.moveTo(new Float64Array(ROWS), null).every(Number.isNaN)).toBe(true);
  });
});
