import type { Clock } from "./engines/system/clock.ts";

/** A clock that runs faster than the one it is made of: so many of its seconds pass in a second. */
export function fastClock(clock: Clock, speed: number): Clock {
  const unixStart = clock.unixSeconds();
  const start = clock.monotonicSeconds();
  // The system's clock counts hundredths, which are seconds here.
  const begun = performance.now();
  const passed = (): number => ((performance.now() - begun) / 1000) * speed;
  return {
    boot: clock.boot,
    unixSeconds: () => unixStart + passed(),
    monotonicSeconds: () => start + passed(),
    after: (seconds, call) => clock.after(seconds / speed, call),
  };
}
