import { readFileSync } from "node:fs";
import { uptime } from "node:os";

/** Time, as engines see it. */
export interface Clock {
  /** For records that people read: it may jump. */
  unixSeconds(): number;
  /** For durations: since the boot, never jumps, and the same for every process until the next boot. */
  monotonicSeconds(): number;
  /** Names the boot that `monotonicSeconds` counts from. */
  readonly boot: string;
  /** Calls once, after so many seconds. The function that it returns cancels the call; it may be called at any time. */
  after(seconds: number, call: () => void): () => void;
}

/** setTimeout takes 31 bits of milliseconds and fires at once beyond. */
const LONGEST_TIMER_SECONDS = 2 ** 31 / 1000 - 1;

/** The clock of this machine. Its timers do not keep a process alive. */
export function systemClock(): Clock {
  const after = (seconds: number, call: () => void): (() => void) => {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      if (left <= LONGEST_TIMER_SECONDS) timer = setTimeout(call, left * 1000);
      else {
        // Linux tells it by a file, which takes 10 µs: too long for each of thousands of timers.
        const due = uptime() + left;
        timer = setTimeout(() => wait(Math.max(0, due - uptime())), LONGEST_TIMER_SECONDS * 1000);
      }
      timer.unref();
    };
    wait(seconds);
    return () => clearTimeout(timer);
  };
  return {
    unixSeconds: () => Date.now() / 1000,
    monotonicSeconds: uptime,
    boot: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
    after,
  };
}
