/**
 * Milliseconds since 1970 of a date that a person has written, in a form of ISO 8601; NaN where there is no such day.
 * `Date.parse` takes the 30th of February for the 2nd of March.
 */
export function parseDate(text: string): number {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)/.exec(text) ?? [];
  if (Number(day) > daysOf(Number(year), Number(month))) return Number.NaN;
  return Date.parse(text);
}

/** Days of a month; January is 1. */
function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
