import { describe, expect, it } from "vitest";

import { mebibytesPer, milliAsked, milliOffered, parseMemoryUnit } from "./units.ts";

describe("units of memory", () => {
  it.each([
    ["B", "B"],
    ["kb", "KiB"],
    ["KiB", "KiB"],
    ["MB", "MiB"],
    ["gib", "GiB"],
  ])("%s is %s", (name, unit) => {
    expect(parseMemoryUnit(name)).toBe(unit);
  });

  it("are listed where there is none of that name", () => {
    expect(() => parseMemoryUnit("TB")).toThrow('no memory unit "TB": choose B, KiB, MiB, GiB');
  });

  it("are powers of 1024", () => {
    expect([mebibytesPer("GiB"), mebibytesPer("MiB"), 1 / mebibytesPer("KiB")]).toEqual([1024, 1, 1024]);
  });
});

describe("thousandths", () => {
  it("ask for no less and offer no more, but forgive what doubles miss", () => {
    expect([0.57, 0.1 + 0.2, 2.0001, 1e-5].map(milliAsked)).toEqual([570, 300, 2001, 1]);
    expect([0.57, 0.1 + 0.2, 2.0009, 0].map(milliOffered)).toEqual([570, 300, 2000, 0]);
  });
});
