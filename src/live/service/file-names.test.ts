import * as fc from "fast-check";
import { expect, it } from "vitest";

import { ATTEMPT, FileNames } from "./file-names.ts";

const ATTEMPTS = 12;

/** Whether two names come to the same at some attempts: of those not more than that, where both are of any. */
function areSame(own: string, other: string): boolean {
  const [first, ...rest] = other.split(ATTEMPT);
  const again = rest.map((part, at) => (at === 0 ? "(?<attempt>[1-9]\\d*)" : "\\k<attempt>") + part);
  const pattern = new RegExp(`^${first}${again.join("")}$`);
  const isOfAny = own.includes(ATTEMPT);
  return Array.from({ length: isOfAny ? ATTEMPTS : 1 }, (_, at) => at + 1).some((attempt) => {
    const match = pattern.exec(own.replaceAll(ATTEMPT, String(attempt)));
    return match !== null && (!isOfAny || Number(match.groups?.["attempt"] ?? 1) <= ATTEMPTS);
  });
}

it("finds the names that may be the same at some attempt, and no others", () => {
  const name = fc
    .array(fc.constantFrom("0", "1", "2", "12", "/", "a", ATTEMPT), { minLength: 1, maxLength: 5 })
    .map((parts) => parts.join(""))
    // An attempt amid a number, or next to another one, is found by its exact name alone.
    .filter((each) => !/[\d\0]\0[\d\0]/.test(each) && !/\0\0/.test(each));
  // Two that differ by a number alone could be the same only where an attempt follows it, which is left out too.
  const look = (each: string): string => each.replaceAll(/\d+/g, "0");
  let same = 0;
  fc.assert(
    fc.property(name, fc.array(name, { maxLength: 8 }), (own, others) => {
      const names = new FileNames<true>();
      for (const other of others) names.set(other, true);
      const found = [...names.alike(own, ATTEMPTS)].map(([each]) => each);
      const expected = others.filter(
        (other) => other === own || (look(other) !== look(own) && areSame(own, other)),
      );
      same += expected.length;
      expect(new Set(found)).toEqual(new Set(expected));
    }),
    // An attempt before and behind a number.
    {
      numRuns: 2000,
      examples: [
        ["212", ["\u00001\u0000"]],
        ["\u00001", ["\u00000\u0000"]],
      ],
    },
  );
  expect(same).toBeGreaterThan(100);
});
