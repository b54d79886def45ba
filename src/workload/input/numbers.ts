/**
 * Decimal numbers read straight from bytes, equal to the last bit to what `Number` makes of the text.
 *
 * The fast path is for digits that form an integer below 2^53 with a power of ten of at most 10^22: then both are exact
 * doubles and one division rounds once (Clinger 1990). Everything else goes through a string.
 */

const MAX_EXACT_DIGITS = 15;
const MAX_INT32_DIGITS = 9;
/** Space. Tab, carriage return and the other control characters are below it. */
const BLANK = 32;
const MINUS = 45;
const PLUS = 43;
const POINT = 46;
const ZERO = 48;
const ONE = 49;

/** The number in `bytes[start..end)`, with or without spaces around it; NaN if it is not one. */
export function parseNumber(bytes: Uint8Array, start: number, end: number): number {
  // Nearly all are whole, and of up to ten digits: nine of them make a 32-bit integer, which is quicker to add up.
  const integerEnd = Math.min(end, start + MAX_INT32_DIGITS);
  let integer = 0;
  let place = start;
  for (; place < integerEnd; place++) {
    const digit = bytes[place]! - ZERO;
    if (digit >>> 0 > 9) break;
    integer = (Math.imul(integer, 10) + digit) | 0;
  }
  if (place === end && place > start) return integer;
  if (place === integerEnd && place + 1 === end) {
    const digit = bytes[place]! - ZERO;
    if (digit >>> 0 <= 9) return integer * 10 + digit;
  }
  return parseDecimal(bytes, start, end);
}

function parseDecimal(bytes: Uint8Array, start: number, end: number): number {
  while (start < end && bytes[start]! <= BLANK) start++;
  while (end > start && bytes[end - 1]! <= BLANK) end--;
  let at = start;
  const sign = bytes[at];
  if (sign === MINUS || sign === PLUS) at++;
  let digits = 0;
  let mantissa = 0;
  let fraction = 0;
  let point = false;
  for (; at < end; at++) {
    const digit = bytes[at]! - ZERO;
    if (digit >= 0 && digit <= 9) {
      mantissa = mantissa * 10 + digit;
      digits++;
      if (point) fraction++;
    } else if (bytes[at] === POINT && !point) {
      point = true;
    } else {
      return parseSlowly(bytes, start, end);
    }
  }
  if (digits === 0) return Number.NaN;
  if (digits > MAX_EXACT_DIGITS) return parseSlowly(bytes, start, end);
  const magnitude = fraction === 0 ? mantissa : mantissa / POWERS_OF_TEN[fraction]!;
  return sign === MINUS ? -magnitude : magnitude;
}

/**
 * Reads up to `into.length` numbers separated by blanks from `bytes[start..end)`.
 *
 * Most of the time of reading a log is spent here. Two short cuts double the speed: `-1`, which fills a third of a log,
 * is recognised at once, and up to nine digits are added up as a 32-bit integer.
 *
 * @param end where the line ends; there must be a byte there, and it must be a line break
 * @returns the number of numbers, or `-1 - i` if field `i` (from 0) is not one
 */
export function parseNumbers(bytes: Uint8Array, start: number, end: number, into: Float64Array): number {
  const wanted = into.length;
  let count = 0;
  let at = start;
  while (count < wanted) {
    let byte = bytes[at]!;
    while (byte <= BLANK) {
      if (at >= end) return count;
      byte = bytes[++at]!;
    }
    if (byte === MINUS && bytes[at + 1] === ONE && bytes[at + 2]! <= BLANK) {
      into[count++] = -1;
      at += 2;
      continue;
    }
    const field = at;
    let integer = 0;
    let digit = byte - ZERO;
    while (digit >= 0 && digit <= 9) {
      integer = (Math.imul(integer, 10) + digit) | 0;
      digit = bytes[++at]! - ZERO;
    }
    if (bytes[at]! <= BLANK && at - field <= MAX_INT32_DIGITS) {
      into[count++] = integer;
      continue;
    }
    while (bytes[at]! > BLANK) at++;
    const number = parseNumber(bytes, field, at);
    if (Number.isNaN(number)) return -1 - count;
    into[count++] = number;
  }
  return count;
}

const POWERS_OF_TEN = Array.from({ length: MAX_EXACT_DIGITS + 1 }, (_, power) => 10 ** power);

/**
 * Long numbers and those with exponents. What `Number` accepts in addition (hex, `Infinity`, the empty text) is refused
 * here.
 */
function parseSlowly(bytes: Uint8Array, start: number, end: number): number {
  if (end - start > 400) return Number.NaN;
  const text = String.fromCharCode(...bytes.subarray(start, end));
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return Number.NaN;
  const number = Number(text);
  return Number.isFinite(number) ? number : Number.NaN;
}
