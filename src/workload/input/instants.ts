import { parseNumber } from "./numbers.ts";
import { digits, pointDate, slashDate } from "./short-dates.ts";
import type { DateOrder } from "./short-dates.ts";
import type { TimeZone } from "./time-zone.ts";

const ZERO = 48;
const MINUS = 45;
const PLUS = 43;
const COLON = 58;
const POINT = 46;
const COMMA = 44;
const SLASH = 47;
const BLANK = 32;
const LETTER_M = 77;
const LETTER_T = 84;
const LETTER_Z = 90;
const DAY_SECONDS = 86_400;
/** Places for the days of a year: a month has 32. */
const DAYS = 512;
/** A of AM, P of PM. */
const HALVES = [65, 80];

/** Larger plain numbers are milli-, micro- and nanoseconds: as seconds they would be after the year 5100. */
const LEAST_MILLISECONDS = 1e11;
const LEAST_MICROSECONDS = 1e14;
const LEAST_NANOSECONDS = 1e17;

/** Reads times: dates, and numbers of seconds, milli-, micro- or nanoseconds since 1970. */
export class InstantReader {
  /** The zone of dates without one. */
  readonly zone: TimeZone;
  /** Whether a date without a zone was read, so that the zone matters. */
  sawZoneless = false;
  /** Whether any time was absolute: a date, or a number of parts of seconds since 1970. */
  sawCalendar = false;
  /** Of dates with slashes, which are none as long as it is not known. */
  dateOrder: DateOrder | null = null;

  /** By month and day: the date whose midnight is in `midnights`; -1: none. */
  private readonly dates = new Int32Array(DAYS).fill(-1);
  private readonly midnights = new Float64Array(DAYS);

  constructor(zone: TimeZone) {
    this.zone = zone;
  }

  /**
   * Seconds since 1970; NaN if `bytes[start..end)` is not a time.
   *
   * @param notBefore if the clock showed a date twice, the first that is not before this is meant
   */
  read(bytes: Uint8Array, start: number, end: number, notBefore = Number.NEGATIVE_INFINITY): number {
    const length = end - start;
    if (length === 19 || (length === 20 && bytes[start + 19] === LETTER_Z)) {
      const wallSeconds = this.isoSeconds(bytes, start);
      if (!Number.isNaN(wallSeconds)) {
        this.sawCalendar = true;
        return length === 20 ? wallSeconds : this.onWall(wallSeconds, notBefore);
      }
    }
    return this.readAnyForm(bytes, start, end, notBefore);
  }

  /** `2026-03-01T08:05:00`, the form of nearly all logs, as if the clock were on UTC; NaN for anything else. */
  private isoSeconds(bytes: Uint8Array, start: number): number {
    if (
      bytes[start + 4] !== MINUS ||
      bytes[start + 7] !== MINUS ||
      bytes[start + 10] !== LETTER_T ||
      bytes[start + 13] !== COLON ||
      bytes[start + 16] !== COLON
    ) {
      return Number.NaN;
    }
    const century = twoDigits(bytes, start);
    const yearOfCentury = twoDigits(bytes, start + 2);
    const month = twoDigits(bytes, start + 5);
    const day = twoDigits(bytes, start + 8);
    const hours = twoDigits(bytes, start + 11);
    const minutes = twoDigits(bytes, start + 14);
    const seconds = twoDigits(bytes, start + 17);
    if ((century | yearOfCentury | month | day) < 0) return Number.NaN;
    if ((hours | minutes | seconds) < 0 || hours > 24 || minutes > 59 || seconds > 60) return Number.NaN;
    return this.midnight(century * 100 + yearOfCentury, month, day) + hours * 3600 + minutes * 60 + seconds;
  }

  private readAnyForm(bytes: Uint8Array, start: number, end: number, notBefore: number): number {
    while (start < end && bytes[start]! <= BLANK) start++;
    while (end > start && bytes[end - 1]! <= BLANK) end--;
    const separator = bytes[start + 4];
    const isDate =
      end - start >= 10 && (separator === MINUS || separator === SLASH) && bytes[start + 7] === separator;
    if (!isDate) {
      const number = parseNumber(bytes, start, end);
      if (Number.isNaN(number)) return this.shortDate(bytes, start, end, notBefore);
      const seconds = epochSeconds(number);
      if (seconds !== number) this.sawCalendar = true;
      return seconds;
    }
    this.sawCalendar = true;
    const year = digits(bytes, start, 4);
    const month = digits(bytes, start + 5, 2);
    const day = digits(bytes, start + 8, 2);
    const wallSeconds = this.midnight(year, month, day);
    const at = start + 10;
    if (at === end) return this.onWall(wallSeconds, notBefore);
    if (bytes[at] !== LETTER_T && bytes[at] !== BLANK && bytes[at] !== LETTER_T + BLANK) return Number.NaN;
    return this.withClock(bytes, at + 1, end, wallSeconds, notBefore);
  }

  /** `31.12.2026 8:05`; where it is known what comes first, `12/31/2026 8:05 PM`. */
  private shortDate(bytes: Uint8Array, start: number, end: number, notBefore: number): number {
    let date = pointDate(bytes, start, end);
    let isMonthFirst = false;
    if (date === null && this.dateOrder !== null) {
      date = slashDate(bytes, start, end);
      isMonthFirst = this.dateOrder === "M/D/Y";
    }
    if (date === null) return Number.NaN;
    const { first, second, year } = date;
    const wallSeconds = this.midnight(year, isMonthFirst ? first : second, isMonthFirst ? second : first);
    if (!Number.isNaN(wallSeconds)) this.sawCalendar = true;
    let at = date.end;
    if (at === end) return this.onWall(wallSeconds, notBefore);
    if (bytes[at] === COMMA) at++;
    if (bytes[at] !== BLANK && bytes[at] !== LETTER_T) return Number.NaN;
    return this.withClock(bytes, at + 1, end, wallSeconds, notBefore);
  }

  /** Seconds since 1970 of a clock on UTC; NaN where the calendar has no such day. */
  private midnight(year: number, month: number, day: number): number {
    // Most times in a log are of a day that an earlier one was of.
    const date = year * 10_000 + month * 100 + day;
    const place = (month * 32 + day) & (DAYS - 1);
    if (this.dates[place] !== date) {
      if (!isDay(year, month, day)) return Number.NaN;
      this.dates[place] = date;
      this.midnights[place] = daysSince1970(year, month, day) * DAY_SECONDS;
    }
    return this.midnights[place]!;
  }

  /**
   * The time at which a clock in the zone shows this, which is given in seconds since 1970 as if the clock were on UTC.
   */
  onWall(wallSeconds: number, notBefore = Number.NEGATIVE_INFINITY): number {
    this.sawZoneless = true;
    const first = this.zone.toUtc(wallSeconds);
    return first < notBefore ? this.zone.later(wallSeconds) : first;
  }

  /** `HH:MM`, `HH:MM:SS`, `HH:MM:SS.fff`, also `H:MM`, and `AM`, `Z`, `+HH`, `+HHMM` or `+HH:MM` after it. */
  private withClock(
    bytes: Uint8Array,
    from: number,
    end: number,
    dateSeconds: number,
    notBefore: number,
  ): number {
    let at = from;
    const hourDigits = bytes[at + 1] === COLON ? 1 : 2;
    if (end - at < hourDigits + 3 || bytes[at + hourDigits] !== COLON) return Number.NaN;
    const hours = digits(bytes, at, hourDigits);
    at += hourDigits - 2;
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
    // A leap second has the number 60; 24:00 is the end of the day.
    if (!(hours <= 24 && minutes <= 59 && seconds < 61)) return Number.NaN;
    const wallSeconds = dateSeconds + hours * 3600 + minutes * 60 + seconds;
    while (at < end && bytes[at] === BLANK) at++;
    if (at === end) return this.onWall(wallSeconds, notBefore);
    if (at + 2 === end && (bytes[at + 1]! & ~BLANK) === LETTER_M) {
      const half = HALVES.indexOf(bytes[at]! & ~BLANK);
      if (half === -1 || hours < 1 || hours > 12) return Number.NaN;
      // 12 AM is midnight, 12 PM noon.
      return this.onWall(wallSeconds + ((hours === 12 ? -12 : 0) + 12 * half) * 3600, notBefore);
    }
    return wallSeconds - zoneSeconds(bytes, at, end);
  }
}

/** A whole number of two digits; negative if they are not digits. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]! - ZERO;
  const ones = bytes[at + 1]! - ZERO;
  return tens >>> 0 <= 9 && ones >>> 0 <= 9 ? tens * 10 + ones : -1;
}

/** Seconds since 1970 for a number that may be in milli-, micro- or nanoseconds. */
export function epochSeconds(number: number): number {
  const size = Math.abs(number);
  if (!(size >= LEAST_MILLISECONDS)) return number;
  if (size < LEAST_MICROSECONDS) return number / 1e3;
  return size < LEAST_NANOSECONDS ? number / 1e6 : number / 1e9;
}

/** Whole days from 1970 to a day of the Gregorian calendar (months count from March, as in Hinnant's algorithm). */
export function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** Whether the calendar has such a date. False for NaN. */
export function isDay(year: number, month: number, day: number): boolean {
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= 31)) return false;
  if (day <= 28) return true;
  if (month === 2) return day === 29 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day <= 30 || (month !== 4 && month !== 6 && month !== 9 && month !== 11);
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

/** Seconds ahead of UTC; NaN if `bytes[at..end)` is not a numeric zone. */
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
