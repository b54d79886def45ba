import { describe, expect, test } from "vitest";
import { checkThrift } from "./thrift-check.ts";
import { thrift } from "./thrift.fixture.ts";

describe("a structure of Thrift", () => {
  const bytesOf = (...bytes: number[]): Uint8Array => Uint8Array.from(bytes);

  test("that is whole is passed over", () => {
    const structure = thrift({ field_1: 5, field_2: [{ field_1: "name" }, { field_1: "b" }], field_9: true });
    expect(checkThrift(Uint8Array.from([...structure, 99]), 0)).toBe(structure.length);
  });

  test.each<[string, Uint8Array, string]>([
    // Lists in lists, each of thirty million values: memory for all of them would be taken at once.
    [
      "lists of lists",
      bytesOf(0x19, ...Array.from({ length: 20 }, () => [0xf9, 0x80, 0x87, 0xa7, 0x0e]).flat()),
      "cut short",
    ],
    [
      "a list in a list in a list …",
      bytesOf(0x19, ...Array.from({ length: 100 }, () => 0x19)),
      "nested too deeply",
    ],
    ["a structure in a structure …", new Uint8Array(100).fill(0x1c), "nested too deeply"],
    ["a number without an end", new Uint8Array(1 << 20).fill(0xff).fill(0x16, 0, 1), "endless number"],
    ["a text that is longer than all", bytesOf(0x18, 0xff, 0xff, 0xff, 0x7f), "cut short"],
    ["an unknown type", bytesOf(0x1d, 0), "unknown type"],
    ["no end", bytesOf(0x15, 2), "cut short"],
  ])("with %s is refused", (_, bytes, why) => {
    expect(() => checkThrift(bytes, 0)).toThrow(why);
  });
});
