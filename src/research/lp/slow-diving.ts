import type { LpAlgorithm } from "./algorithm.ts";
import { dive, type Dive, type Fixing } from "./diving.ts";

export const slowDiving: LpAlgorithm = {
  name: "slow-diving",
  summary: "rounds the one part that is closest to 0 or 1, and solves again",
  pairsMost: 60_000,
  mergesEqual: false,
  solve: (solver, instance, options) => dive(solver, instance, options, { fixesZeros: true, next: closest }),
};

function closest({ parts, isFixed }: Dive): Fixing | null {
  let best = -1;
  let least = Infinity;
  for (const [pair, part] of parts.entries()) {
    const distance = Math.min(part, Math.abs(1 - part));
    if (isFixed[pair] === 0 && distance < least) {
      best = pair;
      least = distance;
    }
  }
  return best < 0 ? null : { pair: best, at: parts[best]! < 0.5 ? 0 : 1 };
}
