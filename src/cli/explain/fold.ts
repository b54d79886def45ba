import type { Step } from "../../simulation/index.ts";

/** Of a row of steps in which a job only waits or is on its way, so many are told one by one. */
const TOLD = 4;

/** Steps between two that are told, in which a job waited or was moved to and fro. */
export interface FoldedSteps {
  readonly steps: readonly Step[];
  readonly moves: number;
  /** Where it was, each once. */
  readonly pools: readonly string[];
}

/** The steps of a job; of a long row in which it waits and is moved, the first and the last, and the others as one. */
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
