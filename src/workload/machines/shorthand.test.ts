import { describe, expect, it } from "vitest";

import { InputError } from "../errors.ts";
import { parseShorthand } from "./shorthand.ts";

describe("machines in shorthand", () => {
  it("are a number of equal ones", () => {
    const machines = parseShorthand("1024x8c12g");
    expect(machines.name).toBe("1024x8c12g");
    expect(machines.count).toBe(1024);
    expect(machines.coresMilli[1023]).toBe(8000);
    expect(machines.memoryMiB?.[0]).toBe(12_288);
    expect(machines.gpuMilli).toBeNull();
    expect(new Set(machines.ids).size).toBe(1024);
  });

  it("have no memory if it is left out", () => {
    const machines = parseShorthand("1x100c");
    expect(machines.memoryMiB).toBeNull();
    expect([...machines.coresMilli]).toEqual([100_000]);
  });

  it("may have parts of a core and of a GiB", () => {
    const machines = parseShorthand("2x2.5c0.5g");
    expect([...machines.coresMilli]).toEqual([2500, 2500]);
    expect([...machines.memoryMiB!]).toEqual([512, 512]);
  });

  it("may be in several groups", () => {
    const machines = parseShorthand("20x80c512g+48x12c96g");
    expect(machines.count).toBe(68);
    expect(machines.ids.slice(18, 22)).toEqual(["m19", "m20", "m21", "m22"]);
    expect([...machines.coresMilli.subarray(19, 21)]).toEqual([80_000, 12_000]);
    expect([...machines.memoryMiB!.subarray(19, 21)]).toEqual([524_288, 98_304]);
  });

  it.each([
    ["0x8c12g", /^"0x8c12g" has no machines: give at least one, as in 1024x8c12g/],
    ["4x8c+0x4c", /^"4x8c\+0x4c": "0x4c" has no machines/],
    ["4x0c12g", /has 0 cores/],
    ["4x8c-2g", /no group of machines/],
    ["4x8g", /^"4x8g" is no group of machines/],
    ["4x8c12g+", /no group of machines/],
    ["4x8c12g+2x4c", /for every group, or for none/],
    ["1000001x1c", /more than 1000000 machines/],
    ["999999x1c+2x1c", /more than 1000000 machines/],
    ["1x3000000c", /cores/],
    ["1x1c9999999g", /memory/],
  ])("%s is refused", (text, why) => {
    expect(() => parseShorthand(text)).toThrow(InputError);
    expect(() => parseShorthand(text)).toThrow(why);
  });
});
