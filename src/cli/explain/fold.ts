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
 * The steps of a job. Of a long sequence in which it only waits and is moved, the first and last are kept, and that in
 * which a promise was first put off; the others become one.
 */
export function fold(steps: readonly Step[]): (Step | FoldedSteps)[] {
  const told: (Step | FoldedSteps)[] = [];
  for (let from = 0; from < steps.length;) {
    let end = from;
    while (end < steps.length && isIdle(steps[end]!) && steps[end]!.attempt === steps[from]!.attempt) end++;
    if (end - from > TOLD) {
      // The step in which a promise was broken is told too.
      const broken = steps.findIndex((each, at) => at > from && at < end - 1 && isBroken(each));
      const kept = isBroken(steps[from]!) || broken === -1 ? [from, end - 1] : [from, broken, end - 1];
      kept.forEach((at, place) => {
        const before = place === 0 ? [] : steps.slice(kept[place - 1]! + 1, at);
        if (before.length === 1) told.push(before[0]!);
        else if (before.length > 1) told.push(folded(before));
        told.push(steps[at]!);
      });
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

function isBroken({ reasons }: Step): boolean {
  return reasons?.some((reason) => reason.kind === "promised" && reason.delay !== null) === true;
}

function isIdle({ doing }: Step): boolean {
  return doing === "waiting" || doing === "in transfer";
}
