/** An instant on a log's clock: a date where it is known what the clock's 0 is, and else seconds. */
export function instantText(seconds: number, unixStartSeconds: number | undefined): string {
  if (unixStartSeconds === undefined) return `second ${Math.round(seconds)} of the log`;
  const date = new Date((seconds + unixStartSeconds) * 1000);
  return Number.isNaN(date.getTime()) ? "–" : `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
