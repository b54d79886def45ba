import { mebibytesPer, parseMemoryUnit } from "../../../units.ts";
import { converted, located, number, text, textOr, type NumberLimits, type Shape } from "../shape.ts";

/** Parts of what a farm file holds: names, times, amounts. */

export const MAX_INT32 = 2 ** 31 - 1;
export const MAX_POOLS = 10_000;
export const MAX_USERS = 100_000;
/** Thirty years. */
export const MAX_SECONDS = 1e9;

/** A semicolon separates the names in a job's list of pools. */
export const namePattern = /^[^;\s]([^;\p{Cc}]{0,98}[^;\s])?$/u;
export const nameText = text(
  namePattern,
  "a name of at most 100 characters, without semicolons or blanks at its ends,",
);
export const name = located(nameText);

const durationText = text(/^\d+(\.\d+)?[smhd]$/u, "a time such as 90s, 30m, 12h, 1.5d");
export const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };
/** A time within limits. The schema can say them of numbers only. */
export function secondsWithin(limits: NumberLimits): Shape<number> {
  return textOr(
    converted(durationText, (duration, at) => {
      const value = Number(duration.slice(0, -1)) * secondsOf[duration.at(-1)!]!;
      const { min, above, max } = limits;
      if (value > max) at.refuse(`${duration} is too long: ${max} s at most`);
      if (above === true && value <= min) at.refuse(`${duration} is too short: more than ${min} s`);
      return value >= min ? value : at.refuse(`${duration} is too short: ${min} s or more`);
    }),
    number(limits),
  );
}
export const seconds = secondsWithin({ min: 0, max: MAX_SECONDS });
export const someSeconds = secondsWithin({ min: 0, above: true, max: MAX_SECONDS });

/** A small b after a capital letter means bits, which `parseMemoryUnit` refuses too. */
const memoryText = text(/^\d+(\.\d+)? ?([KkMmGg][Ii]?B|[kmg][Ii]?b)$/u, "an amount such as 64 GiB");
/** Not rounded. */
export const amountMiB: Shape<number> = converted(
  textOr(
    converted(memoryText, (amount) => {
      const [, value, unit] = /^([\d.]+) ?(.*)$/.exec(amount)!;
      return Number(value) * mebibytesPer(parseMemoryUnit(unit!));
    }),
    number({ min: 0, max: MAX_INT32 }),
  ),
  (amount, at) =>
    amount <= MAX_INT32 ? amount : at.refuse(`more than the ${MAX_INT32} MiB that are supported`),
);
/** In whole MiB, as machines have it. A little is not none, which would be a machine without memory. */
export const memoryMiB: Shape<number> = converted(amountMiB, (amount) =>
  amount > 0 && amount < 1 ? 1 : Math.floor(amount),
);

export const projectPath = /^[^\p{Cc}]{1,1000}$/u;
