import type { Fits } from "../../live/replica/fits.ts";
import { counted } from "../../report/numbers.ts";
import { printable } from "./printable.ts";

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 86_400;

/**
 * How many such jobs fit, for people.
 *
 * @param hasEnd whether a limit of their run time was given
 */
export function fitsText({ never, count, within, nowByPool, isCutShort }: Fits, hasEnd: boolean): string {
  if (never !== null) return `none, as the farm is: ${printable(never)}`;
  const pools = Object.entries(nowByPool).map(([pool, jobs]) => `${jobs} in ${pool}`);
  return [
    ...within.map(({ seconds, jobs }) => {
      const where = seconds === 0 && pools.length > 1 ? ` (${pools.join(", ")})` : "";
      const least = isCutShort && seconds > 0 && jobs < count ? "at least " : "";
      return `${whenText(seconds)}: ${least}${jobs === count ? `all ${counted(count, "job")} (--count asks for more)` : counted(jobs, "job")}${where}`;
    }),
    ...(within.at(-1)?.jobs === 0 && !isCutShort ? ["croft when -- says what one of them waits for"] : []),
    "if jobs run as long as others like them did on average, and nothing else comes",
    ...(hasEnd ? [] : ["such jobs have no end, and keep their places: --time says how long they run"]),
    ...(isCutShort ? ["the look ahead was cut short, as too much is decided in a week of this farm"] : []),
  ].join("\n");
}

function whenText(seconds: number): string {
  if (seconds === 0) return "now";
  const [unit, name] = seconds < 2 * DAY_SECONDS ? [HOUR_SECONDS, "hours"] : [DAY_SECONDS, "days"];
  return `within ${seconds / unit} ${name}`;
}
