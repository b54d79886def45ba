/** A time as the clock on the wall has it: `2026-03-01 14:10:00`. */
export function local(time: string): string {
  const at = new Date(time);
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

/** A text of the farm with its times, which are UTC, as the clock on the wall has them. */
export function withLocalTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, local);
}
