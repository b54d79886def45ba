import type { Step } from "../../simulation/index.ts";

/** Up to this many consecutive steps in which a job only waits or is in transfer are shown one by one. */
const TOLD = 4;

/** Steps shown as one, in which a job waited or was moved to and fro. */
export interface FoldedSteps {
  readonly steps: readonly Step[];
  readonly moves: number;
  /** The pools where it was, each once. */
  readonly pools: readonly string[];
}

/**
 * The steps of a job. Of a long sequence in which it only waits and is moved, the first and last are kept, and the
 * others become one.
 */
export function fold(steps: readonly Step[]): (Step | FoldedSteps)[] {
  const told: (Step | FoldedSteps)[] = [];
  for (let from = 0; from < steps.length;) {
    let end = from;
    while (end < steps.length && isIdle(steps[end]!) && steps[end]!.attempt === steps[from]!.attempt) end++;
    if (end - from > TOLD) {
      const between = steps.slice(from + 1, end - 1);
      told.push(steps[from]!, folded(between), steps[end - 1]!);
    } else told.push(...steps.slice(from, Math.max(end, from + 1)));
    from = Math.max(end, from + 1);
  }
  return told;
}

function folded(steps: readonly Step[]): FoldedSteps {
  return {
    steps,
    moves: steps.filter(({ because }) => because?.kind === "moved").length,
    pools: [...new Set(steps.map(({ pool }) => pool))],
  };
}

function isIdle({ doing }: Step): boolean {
  return doing === "waiting" || doing === "in transfer";
}
