import { formatDuration } from "../../report/numbers.ts";

/** A stretch of a wait for the same reason. */
export interface Span {
  readonly token: string;
  readonly seconds: number;
}

/** Changes of the reason that are told one by one. */
const TOLD = 8;

/** How the reason of a wait changed: `2.00 h memory, 30.0 min share`. After many changes: the sum of each reason. */
export function spansText(spans: readonly Span[]): string {
  if (spans.length <= TOLD) return spans.map(spanText).join(", ");
  const sums = new Map<string, number>();
  for (const { token, seconds } of spans) sums.set(token, (sums.get(token) ?? 0) + seconds);
  const all = Array.from(sums, ([token, seconds]) => ({ token, seconds }));
  return `${all
    .sort((a, b) => b.seconds - a.seconds)
    .map(spanText)
    .join(", ")}, in ${spans.length} turns (--json has them)`;
}

function spanText({ token, seconds }: Span): string {
  // A terminal's blanks break where they like.
  return `${formatDuration(seconds).replaceAll("\u00a0", " ")} ${token}`;
}
