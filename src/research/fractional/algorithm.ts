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
  /** An upper bound of the minimum yield: an algorithm that reaches it can stop. */
  readonly bound: number;
  /** Random numbers from 0 to below 1, seeded by the caller. */
  readonly random: () => number;
}

/** A placement algorithm that needs no clock and no external solver. */
export interface FractionalAlgorithm {
  readonly name: string;
  readonly summary: string;
  /** `null`: no placement found that meets all requirements. */
  solve(instance: FractionalInstance, options: SolveOptions): Assignment | null;
}

/** Algorithms whose names follow one pattern. */
export interface AlgorithmFamily {
  /** The names, in a form that a person reads: `vp-{ff,bf}-{sum,max,lex}`. */
  readonly pattern: string;
  readonly summary: string;
  readonly algorithms: readonly FractionalAlgorithm[];
}
