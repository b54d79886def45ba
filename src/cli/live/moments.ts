import { InvalidArgumentError } from "commander";

import { parseDate } from "../../workload/dates.ts";
import { duration } from "../options.ts";

/** A time that was given as `22:00`, `+2h` or a date; the first two depend on when it is now. */
export type Moment = (now: number) => number;

const HOUR = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/** Times of a day and dates without a zone are local. All in milliseconds since 1970. */
export function moment(text: string): Moment {
  const given = text.trim();
  if (given.startsWith("+")) {
    const milliseconds = 1000 * duration(given.slice(1));
    return (now) => now + milliseconds;
  }
  const [, hours, minutes, seconds = 0] = HOUR.exec(given) ?? [];
  if (hours !== undefined)
    return (now) => {
      const at = new Date(now);
      at.setHours(Number(hours), Number(minutes), Number(seconds), 0);
      // Over for today: tomorrow, which need not be 24 hours later.
      if (at.getTime() <= now) at.setDate(at.getDate() + 1);
      return at.getTime();
    };
  // A date alone is its first moment here, and not in UTC.
  const milliseconds = DATE.test(given)
    ? parseDate(given.length === 10 ? `${given}T00:00` : given)
    : Number.NaN;
  if (Number.isNaN(milliseconds))
    throw new InvalidArgumentError("Give a time such as 22:00, +2h or 2026-10-01T22:00.");
  return () => milliseconds;
}
