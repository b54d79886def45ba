import type { LpAlgorithm } from "./algorithm.ts";
import { roundRandomly } from "./rounding.ts";

export const rrnd: LpAlgorithm = {
  name: "rrnd",
  summary: "randomised rounding: a host with the probability of the service's part there",
  pairsMost: 150_000,
  mergesEqual: false,
  solve: (solver, instance, options) => roundRandomly(solver, instance, options, 0),
};
