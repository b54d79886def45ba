import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { nodeParts } from "./node-list.ts";

const names = (entry: string): string[] => nodeParts(entry).map(({ name }) => name);

describe("the nodes of an entry", () => {
  it.each([
    ["n1", ["n1"]],
    ["n1,n2", ["n1", "n2"]],
    [
      "cpn-f13-03-[01-02],cpn-f13-04-[01-02]",
      ["cpn-f13-03-01", "cpn-f13-03-02", "cpn-f13-04-01", "cpn-f13-04-02"],
    ],
    ["d13n[03,05,07-08,16]", ["d13n03", "d13n05", "d13n07", "d13n08", "d13n16"]],
    ["r[1-2]n[08-11]x", ["r1n08x", "r1n09x", "r1n10x", "r1n11x", "r2n08x", "r2n09x", "r2n10x", "r2n11x"]],
    ["n[9-11]", ["n9", "n10", "n11"]],
    [" a , b ", ["a", "b"]],
  ])("%s", (entry, expected) => {
    expect(names(entry)).toEqual(expected);
  });

  it("may say how many cores", () => {
    expect(nodeParts("n1*8,n[2-3]*4,n4")).toEqual([
      { name: "n1", cores: 8 },
      { name: "n2", cores: 4 },
      { name: "n3", cores: 4 },
      { name: "n4", cores: null },
    ]);
  });

  it.each(["a1+a2", "a1 a2", "a1; a2", "a1|a2", "a[1-2]", "a1 + a2", "a1\ta2"])("may be %j", (entry) => {
    expect(names(entry)).toEqual(["a1", "a2"]);
  });

  it("may have a blank before a number in a name", () => {
    expect(names("node 7,node 8")).toEqual(["node 7", "node 8"]);
  });

  it("may be as PBS writes them", () => {
    expect(nodeParts("n02/0*8+n03/1*4+n04/2")).toEqual([
      { name: "n02", cores: 8 },
      { name: "n03", cores: 4 },
      { name: "n04", cores: 1 },
    ]);
  });

  it.each([
    "",
    "n[1-",
    "n[1-2",
    "n]1[",
    "n[2-1]",
    "n[a-b]",
    "n[]",
    "n[1-99999999]",
    "n[1-999][1-999][1-999]",
  ])("are none of %j", (entry) => {
    expect(nodeParts(entry)).toEqual([]);
  });

  it("survive anything", () => {
    const pieces = fc.constantFrom("n", "[", "]", ",", "-", "1", "20", "*", "3", " ");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        for (const { name, cores } of nodeParts(parts.join(""))) {
          expect(name).not.toMatch(/[[\]]/);
          expect(cores === null || Number.isInteger(cores)).toBe(true);
        }
      }),
    );
  });
});
