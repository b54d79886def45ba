import { parseDate } from "../../workload/dates.ts";
import { Refusal } from "../refusal.ts";

/**
 * Seconds since 1970 of a time in the form of the schemas, which does not know how many days a month has.
 *
 * @throws Refusal where there is no such time
 */
export function unixSecondsOf(time: string): number {
  const milliseconds = parseDate(time);
  if (Number.isNaN(milliseconds)) throw new Refusal(400, `there is no such time: ${time}`);
  return milliseconds / 1000;
}
