import { MOST_TURN_BYTES, MOST_WAITING_BYTES } from "../limits.ts";
import { Refusal } from "../refusal.ts";
import type { Turn } from "./turn.ts";

/** Something that came in, to be dealt with in the next turn. */
export interface Input {
  /** Returns whether it is done; otherwise it goes on in the next turn. */
  deal(turn: Turn): boolean;
  settle(error: Error | null): void;
  /** Until when it waits if nothing can be written, on the monotonic clock; Infinity: as long as it takes. */
  readonly patienceEnds: number;
  /** About what it holds and will write. */
  readonly bytes: number;
  /** Done at once if nothing can be written, before it is; null: it has to wait. */
  readonly meanwhile: (() => boolean) | null;
  /** Whether that has done anything. */
  readonly hasBegun: boolean;
}

/** What has come in, in order. */
export class Inputs {
  private waiting: Input[] = [];
  private bytes = 0;

  get isEmpty(): boolean {
    return this.waiting.length === 0;
  }

  /** @throws Refusal if too much waits already */
  add(input: Input): void {
    if (this.bytes > 0 && this.bytes + input.bytes > MOST_WAITING_BYTES)
      throw new Refusal(503, "the farm has too much to write already, so this was not done: try again");
    this.waiting.push(input);
    this.bytes += input.bytes;
  }

  /** Removes and returns what a turn takes: as much as one transaction should write. */
  take(): Input[] {
    let bytes = 0;
    const end = this.waiting.findIndex((input, at) => (bytes += input.bytes) > MOST_TURN_BYTES && at > 0);
    return this.remove(this.waiting.splice(0, end < 0 ? this.waiting.length : end));
  }

  /** Puts back what a turn has not come to, before what came since. */
  putBack(inputs: readonly Input[]): void {
    if (inputs.length === 0) return;
    this.waiting = [...inputs, ...this.waiting];
    for (const { bytes } of inputs) this.bytes += bytes;
  }

  /** Removes and returns all. */
  clear(): Input[] {
    return this.remove(this.waiting.splice(0));
  }

  /** Puts what `change` makes of each in its place; null: it is removed. */
  change(change: (input: Input) => Input | null): void {
    const all = this.waiting;
    this.waiting = [];
    this.bytes = 0;
    for (const input of all) {
      const changed = change(input);
      if (changed === null) continue;
      this.waiting.push(changed);
      this.bytes += changed.bytes;
    }
  }

  private remove(inputs: Input[]): Input[] {
    for (const { bytes } of inputs) this.bytes -= bytes;
    return inputs;
  }
}
