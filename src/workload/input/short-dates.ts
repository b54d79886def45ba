/** Whether the day or the month comes first in a date with slashes. */
export type DateOrder = "D/M/Y" | "M/D/Y";

const POINT = 46;
const SLASH = 47;
const ZERO = 48;

/** A date with the year last: `31.12.2026`, `12/31/2026`. */
interface ShortDate {
  readonly first: number;
  readonly second: number;
  readonly year: number;
  /** Where it ends. */
  readonly end: number;
}

export function isDateOrder(text: string): text is DateOrder {
  return text === "D/M/Y" || text === "M/D/Y";
}

/** A date with points, in which the day comes first wherever it is written; null where there is none. */
export function pointDate(bytes: Uint8Array, start: number, end: number): ShortDate | null {
  return shortDate(bytes, start, end, POINT);
}

/** A date with slashes, in which the month comes first in some countries; null where there is none. */
export function slashDate(bytes: Uint8Array, start: number, end: number): ShortDate | null {
  return shortDate(bytes, start, end, SLASH);
}

/** One or two digits, one or two, four. */
function shortDate(bytes: Uint8Array, start: number, end: number, separator: number): ShortDate | null {
  // Nearly all that is asked about is none: that is to be quick.
  const firstLength = bytes[start + 1] === separator ? 1 : bytes[start + 2] === separator ? 2 : 0;
  if (firstLength === 0) return null;
  const secondAt = start + firstLength + 1;
  const secondLength = bytes[secondAt + 1] === separator ? 1 : 2;
  const yearAt = secondAt + secondLength + 1;
  if (bytes[yearAt - 1] !== separator || yearAt + 4 > end) return null;
  const first = digits(bytes, start, firstLength);
  const second = digits(bytes, secondAt, secondLength);
  const year = digits(bytes, yearAt, 4);
  if (Number.isNaN(first + second + year) || digits(bytes, yearAt + 4, 1) >= 0) return null;
  return { first, second, year, end: yearAt + 4 };
}

/** The number that so many digits make; NaN where one is none. */
export function digits(bytes: Uint8Array, start: number, count: number): number {
  let number = 0;
  for (let at = start; at < start + count; at++) {
    const digit = bytes[at]! - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}
