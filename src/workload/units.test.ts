import { describe, expect, it } from "vitest";

import { mebibytesPer, milliAsked, milliOffered, parseMemory, parseMemoryUnit } from "./units.ts";

describe("units of memory", () => {
  it.each([
    ["B", "B"],
    ["b", "B"],
    ["kb", "KiB"],
    ["K", "KiB"],
    ["KiB", "KiB"],
    ["MB", "MiB"],
    ["GB", "GiB"],
    ["G", "GiB"],
    ["gib", "GiB"],
    ["TB", "TiB"],
  ])("%s is %s", (name, unit) => {
    expect(parseMemoryUnit(name)).toBe(unit);
  });

  it("are listed if there is none of that name", () => {
    expect(() => parseMemoryUnit("PB")).toThrow('no memory unit "PB": choose B, KiB, MiB, GiB, TiB');
    expect(() => parseMemoryUnit("")).toThrow('no memory unit ""');
  });

  it.each([
    ["Gb", "GB"],
    ["Mb", "MB"],
    ["Kib", "KiB"],
  ])("are not bits: %s", (bits, bytes) => {
    expect(() => parseMemoryUnit(bits)).toThrow(
      `"${bits}" means bits: memory is counted in bytes, write ${bytes}`,
    );
  });

  it("are powers of 1024", () => {
    expect([mebibytesPer("GiB"), mebibytesPer("MiB"), 1 / mebibytesPer("KiB")]).toEqual([1024, 1, 1024]);
  });
});

describe("amounts of memory", () => {
  it.each([
    ["31.3G", 32_051.2],
    ["131841848kb", 131_841_848 / 1024],
    ["1.5 TiB", 1_572_864],
    ["512", 512],
    ["-1", -1],
    ["1e3", 1000],
    [" .5gb ", 512],
  ])("%s are %d MiB", (text, mebibytes) => {
    expect(parseMemory(text, "MiB")).toBe(mebibytes);
  });

  it("are in the unit of the list if they have none of their own", () => {
    expect(parseMemory("2", "GiB")).toBe(2048);
    expect(parseMemory("2M", "GiB")).toBe(2);
  });

  it.each(["", "-", "N/A", "16Gb", "1.2.3G", "G", "4 cores", "1e400", "0x10"])("are not: %j", (text) => {
    expect(parseMemory(text, "MiB")).toBeNaN();
  });
});

describe("thousandths", () => {
  it("ask for no less and offer no more, apart from the rounding of doubles", () => {
    expect([0.57, 0.1 + 0.2, 2.0001, 1e-5].map(milliAsked)).toEqual([570, 300, 2001, 1]);
    expect([0.57, 0.1 + 0.2, 2.0009, 0].map(milliOffered)).toEqual([570, 300, 2000, 0]);
  });
});
