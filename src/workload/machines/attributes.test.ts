import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { AttributeSet, attributeColumn, attributeName } from "./attributes.ts";

describe("names of attributes", () => {
  it.each([
    ["avx512", "avx512"],
    ["ib:hdr", "ib_hdr"],
    ["topology.kubernetes.io/zone", "topology.kubernetes.io_zone"],
    ["10g", "_10g"],
    ["-x", "_-x"],
    ["memory", "_memory"],
    ["Memory", "Memory"],
    ["AND", "_AND"],
    ["", "_"],
    ["größe", "gr__e"],
    ["a".repeat(200), "a".repeat(99)],
  ])("%s is %s", (text, name) => {
    expect(attributeName(text)).toBe(name);
  });

  it("are always fit for a farm file and a requirement", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 150 }), (text) => {
        expect(attributeName(text)).toMatch(
          /^(?!(cores|memory|gpus|speed|owner|and|or|not|in|has|true|false)$)[A-Za-z_][\w.-]{0,99}$/,
        );
      }),
    );
  });
});

describe("a machine's attributes", () => {
  it("keep the first of two with the same resulting name, and are in order", () => {
    const set = new AttributeSet().set("b", 1).set("a/b", "x").set("a_b", "y").flags(["ib", ""]);
    expect(Object.entries(set.done())).toEqual([
      ["a_b", "x"],
      ["b", 1],
      ["ib", true],
    ]);
  });

  it("can have any name", () => {
    expect(Object.entries(new AttributeSet().set("__proto__", 1).done())).toEqual([["__proto__", 1]]);
  });
});

describe("the attributes of a list", () => {
  it("are few sets, however many machines there are", () => {
    const machines = Array.from({ length: 100_000 }, (_, row) =>
      new AttributeSet().set("rack", row % 7).done(),
    );
    const column = attributeColumn(machines)!;
    expect(column.sets).toEqual(Array.from({ length: 7 }, (_, rack) => ({ rack })));
    expect(column.codes.every((code, row) => code === row % 7)).toBe(true);
  });

  it("are absent if no machine has any", () => {
    expect(attributeColumn([{}, undefined])).toBeUndefined();
  });
});
