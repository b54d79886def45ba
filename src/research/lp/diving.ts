import { minYieldOf, type FractionalInstance } from "../fractional/index.ts";
import type { LpOptions, LpOutcome } from "./algorithm.ts";
import { Deadline } from "./deadline.ts";
import { NEGLIGIBLE, Relaxation } from "./relaxation.ts";
import type { Ended, LpSolver } from "./solver.ts";

/** A dive in progress: parts of the last solution, and what is fixed. */
export interface Dive {
  /** Entry [service × hosts + host]. */
  readonly parts: Float64Array;
  /** 1: fixed, at 0 or 1. */
  readonly isFixed: Uint8Array;
}

/** A pair to fix next: at 1, all of the service there; at 0, none. */
export interface Fixing {
  readonly pair: number;
  readonly at: 0 | 1;
}

interface DivingRule {
  /** Whether parts that are 0 are fixed too, as the closest to a whole number. */
  readonly fixesZeros: boolean;
  /** Which of the parts that are not whole to round; `null` where there is none. */
  readonly next: (dive: Dive) => Fixing | null;
}

/**
 * Iterative rounding (slides of 2014, "Iterative resolutions"): solve, fix one e at 0 or
 * 1, solve again, until every service is on one host. It fails as soon as what is fixed
 * leaves no rational solution; nothing is ever taken back.
 *
 * Fixing what is whole already leaves the solution the best there is. So all of that is
 * fixed without solving: the dive is the same, with a solve for each part that is rounded
 * instead of one for each pair.
 */
export function dive(
  solver: LpSolver,
  instance: FractionalInstance,
  { timeLimitSeconds }: LpOptions,
  { fixesZeros, next }: DivingRule,
): LpOutcome {
  const { hosts } = instance;
  const deadline = new Deadline(timeLimitSeconds);
  const relaxation = new Relaxation(solver, instance);
  try {
    const isFixed = new Uint8Array(hosts * instance.services);
    const first = relaxation.solve(deadline.leftSeconds);
    if (first === "infeasible") return { assignment: null, ended: first };
    for (let ended: Ended = first; ended === "optimal"; ended = relaxation.solve(deadline.leftSeconds)) {
      const parts = relaxation.parts();
      const forbidden: number[] = [];
      const fix = ({ pair, at }: Fixing): void => {
        const from = pair - (pair % hosts);
        for (let other = from; other < from + hosts; other++) {
          if (isFixed[other] === 1 || (at === 0 && other !== pair)) continue;
          isFixed[other] = 1;
          if (at === 0 || other !== pair) forbidden.push(other);
        }
      };
      for (const [pair, part] of parts.entries()) {
        if (isFixed[pair] === 1) continue;
        if (part > 1 - NEGLIGIBLE) fix({ pair, at: 1 });
        else if (part === 0 && fixesZeros) fix({ pair, at: 0 });
      }
      const fixing = next({ parts, isFixed });
      if (fixing === null) return outcome(instance, parts);
      fix(fixing);
      relaxation.forbid(forbidden.sort((a, b) => a - b));
      if (deadline.leftSeconds === 0) break;
    }
    return { assignment: null, ended: deadline.leftSeconds === 0 ? "time limit" : "complete" };
  } finally {
    relaxation.dispose();
  }
}

function outcome(instance: FractionalInstance, parts: Float64Array): LpOutcome {
  const { hosts, services } = instance;
  const hostOf = new Int32Array(services);
  for (let service = 0; service < services; service++) {
    const row = parts.subarray(service * hosts, (service + 1) * hosts);
    hostOf[service] = row.indexOf(Math.max(...row));
  }
  const minYield = minYieldOf(instance, hostOf);
  // A solution within the solver's tolerance may not be one within ours.
  return { assignment: minYield < 0 ? null : { hostOf, minYield }, ended: "complete" };
}
