import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { parseDuration } from "./durations.ts";
import { parseMemory } from "./memory-amounts.ts";

function duration(text: string): number {
  const bytes = new TextEncoder().encode(`:${text}:`);
  return parseDuration(bytes, 1, bytes.length - 1);
}

function memory(text: string, unitless = 1): number {
  const bytes = new TextEncoder().encode(`1${text}B`);
  return parseMemory(bytes, 1, bytes.length - 1, unitless);
}

describe("a duration", () => {
  it.each([
    ["90", 90],
    ["12.5", 12.5],
    ["00:00:24", 24],
    ["01:02:03", 3723],
    ["1:02:03", 3723],
    ["100:00:00", 360_000],
    ["01:30", 90],
    ["00:00:01.250", 1.25],
    ["1-06:00:00", 108_000],
    ["37-14:00:00", 3_247_200],
    ["2-00:00:00", 172_800],
    ["2-12", 216_000],
    ["2-12:30", 217_800],
    ["90m", 5400],
    ["1h30m", 5400],
    ["1.5 h", 5400],
    ["1 hour, 30 min", 5400],
    ["2d", 172_800],
    ["2 days", 172_800],
    ["1w", 604_800],
    ["45s", 45],
    ["250ms", 0.25],
    ["PT1H30M", 5400],
    ["P1DT2H", 93_600],
    [" 01:00:00 ", 3600],
  ])("%s is %d s", (text, seconds) => {
    expect(duration(text)).toBe(seconds);
  });

  it.each(
    [
      ["", "UNLIMITED", "Partition_Limit", "INVALID", "1:2:3:4", "1::2", ":30", "-1:00:00", "x-01:00:00"],
      ["1-", "90x", "m", "1h30", "P1M", "1d-2", "01:0a:00", "é", "1:-2:03", "T", "PT"],
    ].flat(),
  )("is not %j", (text) => {
    expect(duration(text)).toBeNaN();
  });

  it("is the time that a clock counts", () => {
    const part = (most: number) => fc.nat(most).map((number) => String(number).padStart(2, "0"));
    fc.assert(
      fc.property(fc.nat(1000), part(23), part(59), part(59), (days, hours, minutes, seconds) => {
        const total = days * 86_400 + Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
        expect(duration(`${days}-${hours}:${minutes}:${seconds}`)).toBe(total);
      }),
    );
  });
});

describe("an amount of memory", () => {
  it.each([
    ["24000M", 24_000],
    ["62.50G", 64_000],
    ["4G", 4096],
    ["1T", 1_048_576],
    ["2097152kb", 2048],
    ["4gb", 4096],
    ["4GiB", 4096],
    ["512 MiB", 512],
    ["1048576b", 1],
    ["1048576", 1_048_576],
    ["0", 0],
    ["128w", 1024 / 2 ** 20],
    ["1mw", 8],
    ["1gw", 8192],
  ])("%s is %d MiB", (text, mebibytes) => {
    expect(memory(text)).toBe(mebibytes);
  });

  it("without a unit has the one given", () => {
    expect(memory("2048", 1 / 1024)).toBe(2);
  });

  it.each(["", "G", "4X", "4GG", "4Gx", "-4G", "four", "4 G B", "1,5G"])("is not %j", (text) => {
    expect(memory(text)).toBeNaN();
  });
});
