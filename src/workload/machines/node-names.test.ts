import { describe, expect, it } from "vitest";

import { nodeNames, splitOutside } from "./node-names.ts";

describe("a list of nodes", () => {
  it.each([
    ["n1", ["n1"]],
    ["n[01-03]", ["n01", "n02", "n03"]],
    ["n[08-11,7]", ["n08", "n09", "n10", "n11", "n7"]],
    ["g[1-2],n[01,04]", ["g1", "g2", "n01", "n04"]],
    ["r[1-2]c[1-2]-ib", ["r1c1-ib", "r1c2-ib", "r2c1-ib", "r2c2-ib"]],
    ["a, b", ["a", "b"]],
  ])("%s", (list, names) => {
    expect(nodeNames(list)).toEqual(names);
  });

  it.each(["", "n[01-", "n[1-2", "n1]", "n[]", "n[2-1]", "n[a]", "n[1-2],,x", "n[[1]]", "n[1--2]"])(
    "is not %j",
    (list) => {
      expect(nodeNames(list)).toBeNull();
    },
  );

  it("has a limit, which costs nothing to reach", () => {
    expect(nodeNames("n[1-10]", 10)).toHaveLength(10);
    expect(nodeNames("n[1-10],x", 10)).toBeNull();
    expect(nodeNames("n[1-999999999999999]")).toBeNull();
    expect(nodeNames("[1-999][1-999][1-999][1-999]")).toBeNull();
    expect(nodeNames("[1]".repeat(100_000))).toBeNull();
  });
});

it("is split outside of brackets and parentheses only", () => {
  expect(splitOutside("gpu:a100:4(S:0,1),fpga:1", ",")).toEqual(["gpu:a100:4(S:0,1)", "fpga:1"]);
  expect(splitOutside("n[1,2]x),y", ",")).toEqual(["n[1,2]x)", "y"]);
});
