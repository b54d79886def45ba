import { parseNumber } from "./numbers.ts";

const COLON = 58;
const MINUS = 45;
const ZERO = 48;
const POINT = 46;
const BLANK = 32;

/** By lower-case letter: s, m, h, d, w. */
const SECONDS_PER_UNIT: Readonly<Record<number, number>> = {
  115: 1,
  109: 60,
  104: 3600,
  100: 86_400,
  119: 604_800,
};

/**
 * Seconds of a duration as batch systems and people write it; NaN if the text is not one.
 *
 * A plain `90` is in seconds. Also `MM:SS`, `HH:MM:SS`, `HH:MM:SS.fff`; days before a hyphen, `2-00:00:00`, `2-12`
 * (hours), `2-12:30`; amounts with units, `90m`, `1h30m`, `1.5 h`, `2 days`, `PT1H30M`.
 */
export function parseDuration(bytes: Uint8Array, start: number, end: number): number {
  const quick = hoursMinutesSeconds(bytes, start, end);
  if (quick >= 0) return quick;
  while (start < end && bytes[start]! <= BLANK) start++;
  while (end > start && bytes[end - 1]! <= BLANK) end--;
  let colons = 0;
  let dash = -1;
  let letters = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === COLON) colons++;
    else if (byte === MINUS && at > start) dash = at;
    else if (byte > 57) letters = true;
  }
  if (letters) return withUnits(bytes, start, end);
  if (dash !== -1) {
    const days = wholeNumber(bytes, start, dash);
    // After days, a single number is hours, and the first of two is.
    const rest = clock(bytes, dash + 1, end);
    return days * 86_400 + (colons === 0 ? rest * 3600 : colons === 1 ? rest * 60 : rest);
  }
  return colons === 0 ? parseNumber(bytes, start, end) : clock(bytes, start, end);
}

/** `HH:MM:SS` or `D-HH:MM:SS`, the forms of nearly all logs; -1 for anything else. */
function hoursMinutesSeconds(bytes: Uint8Array, start: number, end: number): number {
  const at = end - 8;
  if (at < start || bytes[at + 2] !== COLON || bytes[at + 5] !== COLON) return -1;
  const clock = twoDigits(bytes, at) * 3600 + twoDigits(bytes, at + 3) * 60 + twoDigits(bytes, at + 6);
  if (at === start) return clock >= 0 ? clock : -1;
  if (bytes[at - 1] !== MINUS || at - 1 === start) return -1;
  let days = 0;
  for (let place = start; place < at - 1; place++) {
    if (!isDigit(bytes[place]!)) return -1;
    days = days * 10 + bytes[place]! - ZERO;
  }
  return clock >= 0 ? days * 86_400 + clock : -1;
}

/** NaN if it is not a number. */
function twoDigits(bytes: Uint8Array, at: number): number {
  if (!isDigit(bytes[at]!) || !isDigit(bytes[at + 1]!)) return Number.NaN;
  return (bytes[at]! - ZERO) * 10 + bytes[at + 1]! - ZERO;
}

/** Numbers separated by colons, each worth 60 of the next; at most three, the last with a fraction. */
function clock(bytes: Uint8Array, start: number, end: number): number {
  let total = 0;
  let parts = 0;
  for (let at = start; at <= end; at++) {
    if (at < end && bytes[at] !== COLON) continue;
    const part = at === end ? parseNumber(bytes, start, at) : wholeNumber(bytes, start, at);
    if (!(part >= 0) || at === start || ++parts > 3) return Number.NaN;
    total = total * 60 + part;
    start = at + 1;
  }
  return total;
}

function wholeNumber(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) if (!isDigit(bytes[at]!)) return Number.NaN;
  return parseNumber(bytes, start, end);
}

/** Numbers with units; ISO 8601's `P` and `T` may be among them. */
function withUnits(bytes: Uint8Array, start: number, end: number): number {
  let total = 0;
  let at = start;
  let isIsoDate = false;
  let amounts = 0;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === 80 && at === start) {
      isIsoDate = true;
      at++;
      continue;
    }
    if (byte === 84 && at > start) {
      isIsoDate = false;
      at++;
      continue;
    }
    const from = at;
    while (at < end && (isDigit(bytes[at]!) || bytes[at] === POINT)) at++;
    const amount = parseNumber(bytes, from, at);
    while (at < end && bytes[at] === BLANK) at++;
    const unitAt = at;
    while (at < end && (bytes[at]! | BLANK) >= 97 && (bytes[at]! | BLANK) <= 122 && bytes[at] !== 84) at++;
    const unit = unitSeconds(bytes, unitAt, at);
    // A month, as in P1M, has no fixed length.
    if (!(amount >= 0) || unit === undefined || (isIsoDate && unit === 60)) return Number.NaN;
    total += amount * unit;
    amounts++;
    while (at < end && (bytes[at] === BLANK || bytes[at] === 44)) at++;
  }
  return amounts > 0 ? total : Number.NaN;
}

/** A unit by its letter or its name: `m`, `min`, `mins`, `minutes`. */
function unitSeconds(bytes: Uint8Array, start: number, end: number): number | undefined {
  const name = String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 12))).toLowerCase();
  if (name === "ms" || name === "msec") return 0.001;
  const isUnit = /^(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)$/.test(name);
  return isUnit ? SECONDS_PER_UNIT[name.charCodeAt(0)] : undefined;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}
