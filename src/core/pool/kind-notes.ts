import { doubled } from "../jobs/jobs.ts";
import { NONE } from "../none.ts";

/** A number for each kind of request, until it is cleared. */
export class KindNotes {
  private numbers = new Float64Array(64);
  /** By kind: the round in which its number was set. A round ends when all are cleared. */
  private setIn = new Float64Array(64);
  private round = 1;

  /** The kind's number, or `NONE` where none was set since all were cleared. */
  of(kind: number): number {
    return kind < this.setIn.length && this.setIn[kind] === this.round ? this.numbers[kind] : NONE;
  }

  set(kind: number, number: number): void {
    // Kind 0 is no kind.
    if (kind === 0) return;
    while (kind >= this.numbers.length) {
      this.numbers = doubled(this.numbers);
      this.setIn = doubled(this.setIn);
    }
    this.numbers[kind] = number;
    this.setIn[kind] = this.round;
  }

  clear(): void {
    this.round++;
  }

  /** For a kind that stands for another request from now on. */
  clearKind(kind: number): void {
    if (kind < this.setIn.length) this.setIn[kind] = 0;
  }
}
