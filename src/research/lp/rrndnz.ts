import type { LpAlgorithm } from "./algorithm.ts";
import { roundRandomly } from "./rounding.ts";

/** ε of the slides: what a part of 0 becomes. */
const EPSILON = 0.01;

export const rrndnz: LpAlgorithm = {
  name: "rrndnz",
  summary: "randomised rounding with no probability of 0: hosts without a part get 0.01",
  pairsMost: 150_000,
  mergesEqual: false,
  solve: (solver, instance, options) => roundRandomly(solver, instance, options, EPSILON),
};
