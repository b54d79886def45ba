import { parseNumber } from "./numbers.ts";
import type { TimeZone } from "./time-zone.ts";

const ZERO = 48;
const MINUS = 45;
const PLUS = 43;
const COLON = 58;
const POINT = 46;
const COMMA = 44;
const SLASH = 47;
const BLANK = 32;
const LETTER_T = 84;
const LETTER_Z = 90;
const DAY_SECONDS = 86_400;

/** Beyond these, plain numbers are milli-, micro- and nanoseconds: as seconds they would be after the year 5100. */
const LEAST_MILLISECONDS = 1e11;
const LEAST_MICROSECONDS = 1e14;
const LEAST_NANOSECONDS = 1e17;

/** Reads times: ISO 8601 dates, and numbers of seconds, milli-, micro- or nanoseconds since 1970. */
export class InstantReader {
  /** Of dates that name none. */
  readonly zone: TimeZone;
  /** Whether a date without a zone was read: the zone then matters. */
  sawZoneless = false;
  /** Whether any time was one of the calendar: a date, or a number that counts parts of seconds since 1970. */
  sawCalendar = false;

  private lastDate = Number.NaN;
  private lastDaySeconds = 0;

  constructor(zone: TimeZone) {
    this.zone = zone;
  }

  /**
   * Seconds since 1970; NaN where `bytes[start..end)` is no time.
   *
   * @param notBefore where the clock showed a date twice, the one from here on is meant
   */
  read(bytes: Uint8Array, start: number, end: number, notBefore = Number.NEGATIVE_INFINITY): number {
    while (start < end && bytes[start]! <= BLANK) start++;
    while (end > start && bytes[end - 1]! <= BLANK) end--;
    const isDate = end - start >= 10 && (bytes[start + 4] === MINUS || bytes[start + 4] === SLASH);
    if (!isDate) {
      const number = parseNumber(bytes, start, end);
      const seconds = epochSeconds(number);
      if (seconds !== number && !Number.isNaN(number)) this.sawCalendar = true;
      return seconds;
    }
    this.sawCalendar = true;
    const year = digits(bytes, start, 4);
    const month = digits(bytes, start + 5, 2);
    const day = digits(bytes, start + 8, 2);
    if (bytes[start + 7] !== bytes[start + 4]) return Number.NaN;
    // Times of one log are mostly of the day of the time before.
    const date = year * 512 + month * 32 + day;
    if (date !== this.lastDate) {
      if (!isDay(year, month, day)) return Number.NaN;
      this.lastDate = date;
      this.lastDaySeconds = daysSince1970(year, month, day) * DAY_SECONDS;
    }
    const wallSeconds = this.lastDaySeconds;
    const at = start + 10;
    if (at === end) return this.onWall(wallSeconds, notBefore);
    if (bytes[at] !== LETTER_T && bytes[at] !== BLANK && bytes[at] !== LETTER_T + BLANK) return Number.NaN;
    return this.withClock(bytes, at + 1, end, wallSeconds, notBefore);
  }

  /** The time at which a clock in the zone shows this, as seconds since 1970 of a clock on UTC. */
  onWall(wallSeconds: number, notBefore = Number.NEGATIVE_INFINITY): number {
    this.sawZoneless = true;
    const first = this.zone.toUtc(wallSeconds);
    return first < notBefore ? this.zone.later(wallSeconds) : first;
  }

  /** `HH:MM`, `HH:MM:SS`, `HH:MM:SS.fff`, and `Z`, `+HH`, `+HHMM` or `+HH:MM` after it. */
  private withClock(
    bytes: Uint8Array,
    from: number,
    end: number,
    dateSeconds: number,
    notBefore: number,
  ): number {
    let at = from;
    if (end - at < 5 || bytes[at + 2] !== COLON) return Number.NaN;
    const hours = digits(bytes, at, 2);
    const minutes = digits(bytes, at + 3, 2);
    let seconds = 0;
    at += 5;
    if (at + 2 < end && bytes[at] === COLON) {
      seconds = digits(bytes, at + 1, 2);
      at += 3;
      if (at < end && (bytes[at] === POINT || bytes[at] === COMMA)) {
        let part = 0;
        let scale = 1;
        for (at++; at < end && isDigit(bytes[at]!); at++, scale *= 10) part = part * 10 + bytes[at]! - ZERO;
        seconds += part / scale;
      }
    }
    // A leap second is the 60th; 24:00 is the day's end.
    if (!(hours <= 24 && minutes <= 59 && seconds < 61)) return Number.NaN;
    const wallSeconds = dateSeconds + hours * 3600 + minutes * 60 + seconds;
    while (at < end && bytes[at] === BLANK) at++;
    if (at === end) return this.onWall(wallSeconds, notBefore);
    return wallSeconds - zoneSeconds(bytes, at, end);
  }
}

/** Seconds since 1970 of a number that may count milli-, micro- or nanoseconds. */
export function epochSeconds(number: number): number {
  const size = Math.abs(number);
  if (!(size >= LEAST_MILLISECONDS)) return number;
  if (size < LEAST_MICROSECONDS) return number / 1e3;
  return size < LEAST_NANOSECONDS ? number / 1e6 : number / 1e9;
}

/** Whole days from 1970 to a day of the Gregorian calendar (the months counted from March, as Hinnant does). */
export function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** False for what no calendar has; NaN is no part of any. */
export function isDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return false;
  if (day <= 28) return true;
  if (month === 2) return day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= 30 || (month !== 4 && month !== 6 && month !== 9 && month !== 11);
}

/** The number that so many digits make; NaN where one is none. */
function digits(bytes: Uint8Array, start: number, count: number): number {
  let number = 0;
  for (let at = start; at < start + count; at++) {
    const digit = bytes[at]! - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

/** Seconds ahead of UTC; NaN where `bytes[at..end)` names no zone that is a number. */
function zoneSeconds(bytes: Uint8Array, at: number, end: number): number {
  const length = end - at;
  if (length === 1) return (bytes[at]! & ~BLANK) === LETTER_Z ? 0 : Number.NaN;
  if (length === 3 && (bytes[at] === 85 || bytes[at] === 71)) return isUtc(bytes, at) ? 0 : Number.NaN;
  const sign = bytes[at] === PLUS ? 1 : bytes[at] === MINUS ? -1 : Number.NaN;
  const minutesAt = at + (bytes[at + 3] === COLON ? 4 : 3);
  if (length !== 3 && end !== minutesAt + 2) return Number.NaN;
  const minutes = length === 3 ? 0 : digits(bytes, minutesAt, 2);
  return sign * (digits(bytes, at + 1, 2) * 3600 + minutes * 60);
}

/** `UTC` or `GMT`. */
function isUtc(bytes: Uint8Array, at: number): boolean {
  const [, second, third] = bytes.subarray(at, at + 3);
  return bytes[at] === 85 ? second === 84 && third === 67 : second === 77 && third === 84;
}
