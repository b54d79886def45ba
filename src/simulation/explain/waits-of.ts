import { dominantReason } from "./dominant.ts";
import type { Step, WaitSpan } from "./explanation.ts";

/** How the reason changed for which a job waited: stretches of time with the same one. */
export function waitsOf(steps: readonly Step[]): WaitSpan[] {
  const spans: { -readonly [Field in keyof WaitSpan]: WaitSpan[Field] }[] = [];
  for (const { doing, attempt, reasons, fromSeconds, toSeconds } of steps) {
    if (doing !== "waiting" || reasons === undefined || toSeconds <= fromSeconds) continue;
    const dominant = dominantReason(reasons);
    if (dominant === null) continue;
    const last = spans.at(-1);
    const goesOn =
      last?.token === dominant.token && last.attempt === attempt && last.toSeconds === fromSeconds;
    if (goesOn) last.toSeconds = toSeconds;
    else spans.push({ ...dominant, attempt, fromSeconds, toSeconds });
  }
  return spans;
}
