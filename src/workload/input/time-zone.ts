import { InputError } from "../errors.ts";

const DAY_SECONDS = 86_400;
/** Zones are looked up between the days of 1900 and 2200; no log has other times. */
const FIRST_DAY = -25_567;
const LAST_DAY = 84_006;

/**
 * Converts local time into seconds since 1970.
 *
 * When clocks are put back, an hour is shown twice: `toUtc` takes the first, `later` the second. When they are put
 * forward, the hour that they skip counts as if they had not been.
 */
export class TimeZone {
  /** In a form that can be given again: `UTC`, `+02:00`, `Europe/Berlin`. */
  readonly name: string;
  private readonly fixedSeconds: number | null;
  private readonly format: Intl.DateTimeFormat | null;
  /** By day since 1970 in local time: seconds ahead of UTC, or NaN if they change near it. */
  private readonly offsetOfDay = new Map<number, number>();

  /**
   * @param name `UTC`, `local` for this machine's, hours from UTC such as `+02:00`, or the zone's name
   * @throws InputError if there is no such zone
   */
  constructor(name: string) {
    const hours = /^([+-])(\d\d):?(\d\d)$/.exec(name);
    this.name = /^(utc|gmt|z)$/i.test(name) ? "UTC" : name;
    if (this.name === "UTC") this.fixedSeconds = 0;
    else if (hours !== null) this.fixedSeconds = offsetSeconds(hours[1]!, hours[2]!, hours[3]!);
    else this.fixedSeconds = null;
    if (this.fixedSeconds !== null) {
      this.format = null;
      return;
    }
    const wanted = name.toLowerCase() === "local" ? undefined : name;
    try {
      this.format = new Intl.DateTimeFormat("en-US", {
        ...(wanted === undefined ? {} : { timeZone: wanted }),
        timeZoneName: "longOffset",
      });
    } catch {
      throw new InputError(
        `no time zone "${name}": give its name, such as Europe/Berlin, or hours from UTC, such as +02:00, or UTC, or local`,
      );
    }
    this.name = this.format.resolvedOptions().timeZone;
  }

  /** @param wallSeconds the local time in seconds since 1970, as if the clock were on UTC */
  toUtc(wallSeconds: number): number {
    return wallSeconds - this.offsetAhead(wallSeconds, 0);
  }

  /** As `toUtc`, but the second time if the clock shows it twice. */
  later(wallSeconds: number): number {
    return wallSeconds - this.offsetAhead(wallSeconds, 1);
  }

  /** @param reading 0 for the first of two times, 1 for the second */
  private offsetAhead(wallSeconds: number, reading: 0 | 1): number {
    if (this.fixedSeconds !== null) return this.fixedSeconds;
    const offset = this.offsetOn(Math.floor(wallSeconds / DAY_SECONDS));
    return Number.isNaN(offset) ? this.readings(wallSeconds)[reading] : offset;
  }

  private offsetOn(day: number): number {
    if (!(day > FIRST_DAY && day < LAST_DAY)) return 0;
    let offset = this.offsetOfDay.get(day);
    if (offset === undefined) {
      const before = this.offsetAt((day - 1) * DAY_SECONDS);
      offset = before === this.offsetAt((day + 2) * DAY_SECONDS) ? before : Number.NaN;
      this.offsetOfDay.set(day, offset);
    }
    return offset;
  }

  /** The offsets that the zone may have when its clock shows this; the first is that of the earlier time. */
  private readings(wallSeconds: number): readonly [number, number] {
    const before = this.offsetAt(wallSeconds - DAY_SECONDS);
    const after = this.offsetAt(wallSeconds + DAY_SECONDS);
    const isBefore = this.offsetAt(wallSeconds - before) === before;
    const isAfter = this.offsetAt(wallSeconds - after) === after;
    if (isBefore && isAfter) return [Math.max(before, after), Math.min(before, after)];
    return isAfter ? [after, after] : [before, before];
  }

  /** Seconds ahead of UTC at an instant. */
  private offsetAt(utcSeconds: number): number {
    const text = this.format!.format(utcSeconds * 1000);
    const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(text) ?? [];
    return sign === undefined ? 0 : offsetSeconds(sign, hours!, minutes!);
  }
}

function offsetSeconds(sign: string, hours: string, minutes: string): number {
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}
