import { minYieldOf, tolerated, type FractionalInstance } from "../fractional/index.ts";
import type { LpOptions, LpOutcome } from "./algorithm.ts";
import { Relaxation } from "./relaxation.ts";
import type { LpSolver } from "./solver.ts";

/**
 * Randomised rounding (Stillwell et al. 2010; slides of 2014, "Linear Program-based
 * heuristics: rounding"): one service after the other goes to a host with the
 * probability of its part there in the rational solution. Where its requirements do not
 * fit, that host's probability becomes 0 and the others' are scaled up, until one fits.
 *
 * Parts are those of the solver's basic solution, of single hosts: a solution that
 * treated equal hosts alike would say nothing.
 *
 * @param least what parts of 0 are raised to
 */
export function roundRandomly(
  solver: LpSolver,
  instance: FractionalInstance,
  { timeLimitSeconds, random }: LpOptions,
  least: number,
): LpOutcome {
  const { hosts, services } = instance;
  const relaxation = new Relaxation(solver, instance);
  let parts: Float64Array;
  try {
    const ended = relaxation.solve(timeLimitSeconds);
    if (ended === "infeasible") return { assignment: null, ended };
    if (ended === "stopped") return { assignment: null, ended: "time limit" };
    parts = relaxation.parts();
  } finally {
    relaxation.dispose();
  }

  const free = Float64Array.from(instance.aggregateCapacity, tolerated);
  const hostOf = new Int32Array(services);
  for (let service = 0; service < services; service++) {
    const chances = parts.subarray(service * hosts, (service + 1) * hosts).map((part) => part || least);
    let host = draw(chances, random);
    while (host >= 0 && !fits(instance, free, service, host)) {
      chances[host] = 0;
      host = draw(chances, random);
    }
    if (host < 0) return { assignment: null, ended: "complete" };
    hostOf[service] = host;
    for (let d = 0; d < instance.dimensions; d++) {
      free[host * instance.dimensions + d]! -=
        instance.aggregateRequirement[service * instance.dimensions + d]!;
    }
  }
  return { assignment: { hostOf, minYield: minYieldOf(instance, hostOf) }, ended: "complete" };
}

/** An index by weights, or -1 where all are 0. */
function draw(weights: Float64Array, random: () => number): number {
  let sum = 0;
  for (const weight of weights) sum += weight;
  let left = random() * sum;
  let last = -1;
  for (const [index, weight] of weights.entries()) {
    if (weight === 0) continue;
    last = index;
    left -= weight;
    if (left < 0) break;
  }
  return last;
}

function fits(
  { dimensions, elementaryCapacity, elementaryRequirement, aggregateRequirement }: FractionalInstance,
  free: Float64Array,
  service: number,
  host: number,
): boolean {
  for (let d = 0; d < dimensions; d++) {
    const of = service * dimensions + d;
    const at = host * dimensions + d;
    if (elementaryRequirement[of]! > tolerated(elementaryCapacity[at]!)) return false;
    if (aggregateRequirement[of]! > free[at]!) return false;
  }
  return true;
}
