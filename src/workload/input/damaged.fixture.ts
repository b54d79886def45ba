import * as fc from "fast-check";
import { expect } from "vitest";

import { InputError } from "../errors.ts";

/** Bits of text that readers trip over. */
const nastyText = fc.oneof(
  fc.constantFrom(
    "-1",
    "0",
    "-",
    ".",
    "1e300",
    "9".repeat(30),
    "NaN",
    "\0",
    '"',
    ",",
    ";",
    "\n",
    "\r",
    "\t",
    " ",
  ),
  fc.constantFrom("\u{feff}", "2147483648", "-0.5", "cores=", "é", "{", "0x1"),
  fc.string({ maxLength: 5 }),
);

/** A text with a few places cut out, doubled, or put something nasty into. */
export function damaged(text: string): fc.Arbitrary<string> {
  const damage = fc.record({ at: fc.nat(text.length), length: fc.nat(8), put: nastyText });
  return fc
    .array(damage, { minLength: 1, maxLength: 4 })
    .map((damages) =>
      damages.reduce((now, { at, length, put }) => now.slice(0, at) + put + now.slice(at + length), text),
    );
}

/** Reads, and accepts a result that keeps its promises, or an InputError that names the file. */
export async function survive<T>(read: () => Promise<T>, check: (result: T) => void): Promise<void> {
  let result: T;
  try {
    result = await read();
  } catch (error) {
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toMatch(/^log/);
    return;
  }
  check(result);
}
