import type { LpAlgorithm } from "./algorithm.ts";
import { fastDiving } from "./fast-diving.ts";
import { lpBound } from "./lp-bound.ts";
import { milp } from "./milp.ts";
import { rrnd } from "./rrnd.ts";
import { rrndnz } from "./rrndnz.ts";
import { slowDiving } from "./slow-diving.ts";

/** Every algorithm on a solver. To add one: a file beside the others, and a line here. */
export const lpAlgorithms: readonly LpAlgorithm[] = [lpBound, milp, rrnd, rrndnz, fastDiving, slowDiving];

export function findLpAlgorithm(name: string): LpAlgorithm | undefined {
  return lpAlgorithms.find((algorithm) => algorithm.name === name);
}
