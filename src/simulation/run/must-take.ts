import { ignoredText, TAKEN, type Ignored } from "../../core/index.ts";

/** A driver whose events fit what was decided has none ignored; figures of a run in which one was would be wrong. */
export function mustTake(answer: Ignored): void {
  if (answer !== TAKEN)
    throw new Error(`the engine ignored an event of a simulation: ${ignoredText[answer]}`);
}
