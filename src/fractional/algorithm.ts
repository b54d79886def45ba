import type { FractionalInstance } from "./instance.ts";

/** Where every service goes. */
export interface Assignment {
  /** Entry [service]: its host. */
  readonly hostOf: Int32Array;
  /** The greatest minimum yield that the placement allows (`minYieldOf`), 0 to 1. */
  readonly minYield: number;
  /** The instance is so large that not all members of a meta algorithm were tried. */
  readonly isCutShort?: boolean;
}

export interface SolveOptions {
  /** An upper bound of the minimum yield: who reaches it need look no further. */
  readonly bound: number;
  /** Random numbers from 0 to below 1, seeded by the caller. */
  readonly random: () => number;
}

/** A way to place services that decides by itself: no clock, no solver outside. */
export interface FractionalAlgorithm {
  readonly name: string;
  readonly summary: string;
  /** `null`: no placement found that meets all requirements. */
  solve(instance: FractionalInstance, options: SolveOptions): Assignment | null;
}

/** Algorithms that differ in parts of their names only. */
export interface AlgorithmFamily {
  /** The names, in a form that a person reads: `vp-{ff,bf}-{sum,max,lex}`. */
  readonly pattern: string;
  readonly summary: string;
  readonly algorithms: readonly FractionalAlgorithm[];
}
