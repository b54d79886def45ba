import { parseNumber } from "./numbers.ts";

const BLANK = 32;
const POINT = 46;
const ZERO = 48;
const MEBIBYTE = 1024 ** 2;
const SMALL_B = 98;
const SMALL_I = 105;
/** K, M, G, T. */
const CAPITALS: ReadonlySet<number> = new Set([75, 77, 71, 84]);
/** The size in bytes of a word, as in PBS's `mw`. */
const WORD_BYTES = 8;

/** By lower-case letter: b, k, m, g, t, p, e. */
const BYTES_PER_UNIT: Readonly<Record<number, number>> = {
  98: 1,
  107: 1024,
  109: 1024 ** 2,
  103: 1024 ** 3,
  116: 1024 ** 4,
  112: 1024 ** 5,
  101: 1024 ** 6,
};

/** By letter of either case: the MiB of one; 0 for other bytes. Nearly all amounts are a whole number and a letter. */
const MEBIBYTES_PER_LETTER = Float64Array.from(
  { length: 256 },
  (_, byte) =>
    (/[a-z]/i.test(String.fromCharCode(byte)) ? (BYTES_PER_UNIT[byte | BLANK] ?? 0) : 0) / MEBIBYTE,
);
/** So many digits make a 32-bit integer. */
const MAX_QUICK_DIGITS = 9;

/**
 * MiB of an amount such as `4000M`, `62.50G`, `4gb`, `512 MiB`, `2097152kb`, `100mw` (words of 8 bytes); units in any
 * case, powers of 1024. NaN if the text is not an amount.
 *
 * @param unitless the MiB of 1 without a unit
 */
export function parseMemory(bytes: Uint8Array, start: number, end: number, unitless: number): number {
  const unitByte = bytes[end - 1]!;
  const mebibytes = end - 1 - start > MAX_QUICK_DIGITS ? 0 : MEBIBYTES_PER_LETTER[unitByte]!;
  if (mebibytes > 0) {
    let amount = 0;
    let at = start;
    for (; at < end - 1 && isDigit(bytes[at]!); at++)
      amount = (Math.imul(amount, 10) + bytes[at]! - ZERO) | 0;
    // The factors are powers of two, so that this is as exact as what is below.
    if (at === end - 1 && at > start) return amount * mebibytes;
  }
  return parseAnyMemory(bytes, start, end, unitless);
}

function parseAnyMemory(bytes: Uint8Array, start: number, end: number, unitless: number): number {
  while (start < end && bytes[start]! <= BLANK) start++;
  while (end > start && bytes[end - 1]! <= BLANK) end--;
  let unitAt = start;
  while (unitAt < end && (isDigit(bytes[unitAt]!) || bytes[unitAt] === POINT)) unitAt++;
  const amount = parseNumber(bytes, start, unitAt);
  while (unitAt < end && bytes[unitAt] === BLANK) unitAt++;
  if (unitAt === end) return amount * unitless;
  const factor = BYTES_PER_UNIT[bytes[unitAt]! | BLANK];
  if (factor === undefined)
    return (bytes[unitAt]! | BLANK) === 119 && unitAt + 1 === end ? words(amount, 1) : Number.NaN;
  // What may follow the letter: B, iB, or W for words.
  let at = unitAt + 1;
  if (at < end && (bytes[at]! | BLANK) === 105) at++;
  if (at < end && (bytes[at]! | BLANK) === 98 && factor > 1) at++;
  if (at + 1 === end && (bytes[at]! | BLANK) === 119) return words(amount, factor);
  return at === end ? (amount * factor) / MEBIBYTE : Number.NaN;
}

/**
 * Whether an amount is in bits for those who distinguish b from B, as in `4Gb`. PBS's `4gb` is bytes, like anything in
 * one case.
 */
export function isInBits(bytes: Uint8Array, start: number, end: number): boolean {
  let at = end - 1;
  while (at > start && bytes[at]! <= BLANK) at--;
  if (bytes[at] !== SMALL_B) return false;
  at--;
  if (at > start && (bytes[at]! | BLANK) === SMALL_I) at--;
  return at >= start && CAPITALS.has(bytes[at]!);
}

function words(amount: number, factor: number): number {
  return (amount * factor * WORD_BYTES) / MEBIBYTE;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
