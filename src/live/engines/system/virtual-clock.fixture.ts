import type { Clock } from "./clock.ts";

/**
 * A clock that stands still until it is moved. Between two timers all promises settle, so that a run
 * depends on nothing but its inputs.
 */
export class VirtualClock implements Clock {
  boot = "virtual-boot";
  /** How far the wall clock is from the monotonic one: change it to let it jump. */
  wallOffsetSeconds = 1_800_000_000;
  private now = 0;
  /** The next one last. Of those due together the first that was set comes first. */
  private readonly timers: Timer[] = [];

  unixSeconds(): number {
    return this.now + this.wallOffsetSeconds;
  }

  monotonicSeconds(): number {
    return this.now;
  }

  after(seconds: number, call: () => void): () => void {
    const timer: Timer = { due: this.now + Math.max(0, seconds), call };
    let low = 0;
    let high = this.timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.timers[middle].due > timer.due) low = middle + 1;
      else high = middle;
    }
    this.timers.splice(low, 0, timer);
    return () => (timer.call = null);
  }

  /** Moves to the next timer and lets it happen. False where none is set. */
  async step(): Promise<boolean> {
    await settled();
    const timer = this.timers.pop();
    if (timer === undefined) return false;
    if (timer.call === null) return true;
    this.now = timer.due;
    timer.call();
    await settled();
    return true;
  }

  /** Lets so much time pass. */
  async pass(seconds: number): Promise<void> {
    const end = { isPast: false };
    this.after(seconds, () => (end.isPast = true));
    while (!end.isPast) await this.step();
  }
}

interface Timer {
  readonly due: number;
  /** Null: taken back. */
  call: (() => void) | null;
}

/** Every promise that can settle without time passing has settled. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
