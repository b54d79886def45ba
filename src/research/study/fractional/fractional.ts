import { fractionalAlgorithms } from "../../fractional/index.ts";
import type { LpSolver } from "../../lp/index.ts";
import { InputError } from "../../../workload/index.ts";
import { compareAlgorithms, type Comparison } from "./comparison.ts";
import { studyErrors, type ErrorsResult } from "./errors.ts";
import { publishedPacking, publishedRounding } from "./published.ts";
import type { Sweep } from "./sweep.ts";

/** What a study of fractional placement consists of. */
export const fractionalParts = ["packing", "greedy", "rounding", "optimal", "errors"] as const;
export type FractionalPart = (typeof fractionalParts)[number];

const tenths = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

const slides: Sweep = {
  hosts: [64],
  services: [128, 256, 512],
  dimensions: [2],
  slack: tenths,
  variation: [0.5, 1, 2],
  constrained: [0, 0.25, 0.5],
  shape: "equal",
  instances: 1,
  seed: 1,
};

/** The instances of each part: after the slides, and after the authors' later work for errors. */
export const fractionalSweeps: Readonly<Record<FractionalPart, Sweep>> = {
  packing: { ...slides, dimensions: [2, 4, 6] },
  greedy: { ...slides, dimensions: [2, 4, 6] },
  // A dive takes seconds where a packing takes milliseconds.
  rounding: { ...slides, services: [128, 256], slack: [0.1, 0.3, 0.5, 0.7, 0.9] },
  // Two to six services a host: with more hosts, or services, the optimum is not proven in time.
  optimal: { ...slides, hosts: [4, 2], services: [8, 10, 12] },
  errors: {
    ...slides,
    services: [100, 250],
    slack: [0.3],
    variation: [0.5],
    constrained: [0],
    shape: "cores",
    instances: 15,
  },
};

const packingAlgorithms = publishedPacking.map(({ algorithm }) => algorithm);
const roundingAlgorithms = publishedRounding.map(({ algorithm }) => algorithm);

/**
 * The slides do not name the window. Besides 2, which the authors' program uses, one as wide as there are resources is
 * tried.
 */
const wideWindows = publishedPacking
  .map(({ algorithm }) => algorithm)
  .filter((name) => /^vp-[pc]p-/.test(name))
  .map((name) => `${name}-wd`);

/** The algorithms of each comparison. */
export const comparedAlgorithms: Readonly<Record<Exclude<FractionalPart, "errors">, readonly string[]>> = {
  packing: [...packingAlgorithms, ...wideWindows],
  greedy: fractionalAlgorithms.map(({ name }) => name).filter((name) => name.startsWith("greedy-S")),
  // With what the slides recommend, so that the best algorithm is among those compared.
  rounding: [...roundingAlgorithms, "vp-cp-sum"],
  optimal: ["milp", ...packingAlgorithms, ...roundingAlgorithms.filter((name) => name !== "greedy")],
};

export interface FractionalOptions {
  /** All unless told otherwise. */
  readonly parts?: readonly FractionalPart[];
  /** The algorithms of every comparison, instead of `comparedAlgorithms`. */
  readonly algorithms?: readonly string[];
  /** Overrides `fractionalSweeps`, in every part. */
  readonly sweep?: Partial<Sweep>;
  /** For every attempt on a solver; 60 s unless told otherwise. */
  readonly timeLimitSeconds?: number;
  readonly onProgress?: (part: FractionalPart, done: number, of: number) => void;
}

/** What was found in the parts that were made. */
export interface FractionalResult {
  /** Greedy and vector packing. */
  readonly packing?: Comparison;
  /** The 49 greedy algorithms among themselves. */
  readonly greedy?: Comparison;
  /** Rounding, diving and greedy. */
  readonly rounding?: Comparison;
  /** All of them and the optimum, on small instances. */
  readonly optimal?: Comparison;
  readonly errors?: ErrorsResult;
}

/** The largest number of instances: more would take days. */
const MAX_INSTANCES = 100_000;

/**
 * The experiments of Stillwell's slides (2014) on placing services by their fractional
 * needs, and that of Stillwell, Vivien and Casanova (2012) on errors in them, on
 * synthetic instances. The same options make the same figures, but for run times.
 *
 * @throws InputError where there is no such algorithm, or too much is asked for
 */
export async function studyFractional(
  solver: LpSolver,
  options: FractionalOptions = {},
): Promise<FractionalResult> {
  const { parts = fractionalParts, algorithms, timeLimitSeconds = 60, onProgress } = options;
  const sweepOf = (part: FractionalPart): Sweep => checked({ ...fractionalSweeps[part], ...options.sweep });
  const comparison = (part: Exclude<FractionalPart, "errors">) =>
    compareAlgorithms(algorithms ?? comparedAlgorithms[part], sweepOf(part), solver, {
      timeLimitSeconds,
      onTrial: (done, of) => onProgress?.(part, done, of),
    });
  return {
    ...(parts.includes("packing") ? { packing: await comparison("packing") } : {}),
    ...(parts.includes("greedy") ? { greedy: await comparison("greedy") } : {}),
    ...(parts.includes("rounding") ? { rounding: await comparison("rounding") } : {}),
    ...(parts.includes("optimal") ? { optimal: await comparison("optimal") } : {}),
    ...(parts.includes("errors")
      ? {
          errors: await studyErrors(sweepOf("errors"), {
            algorithm: algorithms?.[0] ?? "meta-hvp",
            maxErrors: [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3],
            thresholds: [0, 0.1, 0.3],
            onInstance: (done, of) => onProgress?.("errors", done, of),
          }),
        }
      : {}),
  };
}

function checked(sweep: Sweep): Sweep {
  const { hosts, services, dimensions, slack, variation, constrained, instances } = sweep;
  const combinations =
    hosts.length * services.length * dimensions.length * slack.length * variation.length * constrained.length;
  if (combinations * instances > MAX_INSTANCES) {
    throw new InputError(
      `${combinations} combinations with ${instances} instances each are more than ${MAX_INSTANCES}: give fewer`,
    );
  }
  for (const share of [...slack, ...constrained]) {
    if (!(share >= 0 && share <= 1))
      throw new InputError(`slack and constrained are shares from 0 to 1, not ${share}`);
  }
  if (slack.includes(1)) throw new InputError("with a slack of 1 there is nothing to place: give less");
  return sweep;
}
