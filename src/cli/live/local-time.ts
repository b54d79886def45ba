/** A time as the clock on the wall has it: `2026-03-01 14:10:00`. */
export function local(time: string): string {
  const at = new Date(time);
  const pad = (part: number): string => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())} ${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}
