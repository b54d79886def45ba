import { expect, it } from "vitest";

import { ranUnderText, readRanUnder, type RanUnder } from "./ran-under.ts";

it.each<[RanUnder, string]>([
  [{ policy: "easy", intervalSeconds: 0 }, "easy; interval 0 s"],
  [{ policy: "first-fit", intervalSeconds: 2.5 }, "first-fit; interval 2.5 s"],
  [{ policy: "easy/best-fit-cores" }, "easy/best-fit-cores"],
  [{ policy: null, intervalSeconds: 30 }, "several policies; interval 30 s"],
  [{ policy: null }, "several policies"],
])("what ran, %o, is a text that is read again", (ran, text) => {
  expect(ranUnderText({ ...ran, nodes: 4 })).toBe(text);
  expect(readRanUnder(text)).toEqual(ran);
});

it("nothing is said of another system's log, and nothing read from a text of another kind", () => {
  expect(ranUnderText({ nodes: 4 })).toBeUndefined();
  expect(ranUnderText(null)).toBeUndefined();
  for (const text of ["", "easy; interval soon", "easy and more"]) expect(readRanUnder(text)).toEqual({});
});
