import * as fc from "fast-check";
import { expect, it } from "vitest";

import { findRepeats } from "./repeats.ts";

it("repeats are those that a plain comparison of all rows finds", () => {
  const row = fc.record({ number: fc.nat(4), place: fc.integer({ min: -1, max: 2 }), time: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.boolean(), (rows, withPlaces) => {
      const keyOf = ({ number, place }: (typeof rows)[number]): string =>
        `${number} ${withPlaces ? place : ""}`;
      const again: number[] = [];
      let shared = 0;
      rows.forEach((each, at) => {
        const above = rows.slice(0, at).filter((other) => keyOf(other) === keyOf(each));
        if (above.some(({ time }) => time === each.time)) again.push(at);
        else if (above.length > 0) shared++;
      });
      const found = findRepeats(
        Float64Array.from(rows, ({ number }) => number),
        withPlaces ? (at) => rows[at].place : null,
        (at) => String(rows[at].time),
      );
      expect([...(found?.again ?? [])]).toEqual(again);
      expect(found?.shared ?? 0).toBe(shared);
    }),
  );
});
