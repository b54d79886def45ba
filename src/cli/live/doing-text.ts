import type { DoingView } from "../../live/service/doing.ts";
import { formatDuration } from "../../report/numbers.ts";
import { local } from "./local-time.ts";
import { printable } from "./printable.ts";

/**
 * What an engine does for a job now other than running its command, and since when.
 *
 * @param now the farm's time, in milliseconds
 */
export function doingText({ text, since }: DoingView, now: number): string {
  const seconds = Math.max(0, now - Date.parse(since)) / 1000;
  return `${printable(text)} (since ${local(since)}, for ${formatDuration(seconds).replaceAll("\u00a0", " ")})`;
}
