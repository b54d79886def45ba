import { parseDuration } from "../../input/durations.ts";

const COLON = 58;
const ZERO = 48;
const DAY_SECONDS = 86_400;

/** Seconds of `48:00:00` or any other duration, and of Torque's `2:00:00:00`, which has days before it; NaN if it is none. */
export function parseWalltime(bytes: Uint8Array, start: number, end: number): number {
  let colons = 0;
  for (let at = start; at < end; at++) if (bytes[at] === COLON) colons++;
  if (colons !== 3) return parseDuration(bytes, start, end);
  let days = 0;
  let at = start;
  for (; bytes[at] !== COLON; at++) {
    const digit = bytes[at]! - ZERO;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    days = days * 10 + digit;
  }
  return at === start ? Number.NaN : days * DAY_SECONDS + parseDuration(bytes, at + 1, end);
}
