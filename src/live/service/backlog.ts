import type { Turn } from "./turn.ts";

/**
 * Steps that follow from what happened and may wait for later turns: a job that is over may release very many. What is
 * left when the service ends is found again at the next start.
 */
export class Backlog {
  private steps: ((turn: Turn) => void)[] = [];
  /** The place of the next one. */
  private at = 0;

  get isEmpty(): boolean {
    return this.at === this.steps.length;
  }

  add(step: (turn: Turn) => void): void {
    this.steps.push(step);
  }

  /** Runs steps, also those that they add, until `isEnough` or there are none. */
  run(turn: Turn, isEnough: () => boolean): void {
    while (!this.isEmpty && !isEnough()) {
      this.steps[this.at++]!(turn);
      turn.runNext();
    }
    if (!this.isEmpty) return;
    this.steps = [];
    this.at = 0;
  }
}
