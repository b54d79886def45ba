import * as fc from "fast-check";
import { expect, it } from "vitest";

import { IntList } from "./int-list.ts";

const anyStep = fc.oneof(
  { weight: 20, arbitrary: fc.record({ kind: fc.constant("add"), value: fc.nat(9) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("remove"), value: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("clear"), value: fc.constant(0) }) },
);

it("holds what an array would", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 120 }), (steps) => {
      const list = new IntList();
      const array: number[] = [];
      for (const { kind, value } of steps) {
        if (kind === "add") {
          list.add(value);
          array.push(value);
        } else if (kind === "clear") {
          list.clear();
          array.length = 0;
        } else if (array.includes(value)) {
          list.remove(value);
          array.splice(array.indexOf(value), 1);
        }
        expect([...list]).toEqual(array);
      }
    }),
  );
});
