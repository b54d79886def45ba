import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { orderBySubmit, reordered } from "./order-by-submit.ts";

describe("the order of submission", () => {
  it("is that of a stable sort by submission, then by the second key", () => {
    const small = fc.integer({ min: -5, max: 5 });
    fc.assert(
      fc.property(fc.array(fc.tuple(small, small)), (pairs) => {
        const submits = pairs.map(([submit]) => submit);
        const seconds = pairs.map(([, second]) => second);
        const rows = submits.map((_, row) => row);
        const expected = rows.sort((a, b) => submits[a] - submits[b] || seconds[a] - seconds[b] || a - b);
        expect([...orderBySubmit(Float64Array.from(submits), Float64Array.from(seconds))]).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("reorders a column's rows", () => {
    const submits = Float64Array.of(3, 1, 2);
    const order = orderBySubmit(submits, submits);
    expect([...reordered(submits, order)]).toEqual([1, 2, 3]);
  });
});
