import type { LpAlgorithm } from "./algorithm.ts";
import { dive, type Dive, type Fixing } from "./diving.ts";

export const fastDiving: LpAlgorithm = {
  name: "fast-diving",
  summary: "places the service with the largest part on one host there, and solves again",
  pairsMost: 60_000,
  mergesEqual: false,
  solve: (solver, instance, options) => dive(solver, instance, options, { fixesZeros: false, next: largest }),
};

function largest({ parts, isFixed }: Dive): Fixing | null {
  let best = -1;
  for (const [pair, part] of parts.entries()) {
    if (isFixed[pair] === 0 && (best < 0 || part > parts[best]!)) best = pair;
  }
  return best < 0 ? null : { pair: best, at: 1 };
}
