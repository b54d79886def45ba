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
      // The run time is that of the time, so that all that repeat one another are as long.
      const found = findRepeats(
        Float64Array.from(rows, ({ number }) => number),
        withPlaces ? (at) => rows[at].place : null,
        (at) => String(rows[at].time),
        (at) => rows[at].time,
      );
      expect([...(found?.again ?? [])]).toEqual(again);
      expect(found?.shared ?? 0).toBe(shared);
    }),
  );
});

it("of several ends of one run the first counts, wherever it stands", () => {
  const runs = [9, 3, 7];
  for (const order of [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ]) {
    const found = findRepeats(
      Float64Array.of(5, 5, 5),
      null,
      () => "start",
      (row) => runs[order[row]],
    );
    expect([0, 1, 2].filter((row) => !found!.again.has(row))).toEqual([order.indexOf(1)]);
  }
});
