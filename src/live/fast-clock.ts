import type { Clock } from "./engines/system/clock.ts";

/** A clock that runs `speed` times as fast as another one. */
export function fastClock(clock: Clock, speed: number): Clock {
  const unixStart = clock.unixSeconds();
  const start = clock.monotonicSeconds();
  // Not by the system's clock: it counts hundredths of a second, which can be whole seconds at this speed.
  const begun = performance.now();
  const passed = (): number => ((performance.now() - begun) / 1000) * speed;
  return {
    boot: clock.boot,
    unixSeconds: () => unixStart + passed(),
    monotonicSeconds: () => start + passed(),
    after: (seconds, call) => clock.after(seconds / speed, call),
  };
}
