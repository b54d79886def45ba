import { setImmediate } from "node:timers/promises";

import {
  allocate,
  findFractionalAlgorithm,
  realisedYields,
  sharings,
  verifyPlacement,
  violationText,
  withEqualNeeds,
  withErrors,
  withThreshold,
  type FractionalAlgorithm,
  type FractionalInstance,
  type Sharing,
} from "../../fractional/index.ts";
import { InputError, Random } from "../../../workload/index.ts";
import { generateInstance } from "../../instances/index.ts";
import { meanOf } from "../means.ts";
import { settingsOf, type Sweep } from "./sweep.ts";

interface ErrorsOptions {
  /** The algorithm that places the services by the estimates of their needs. */
  readonly algorithm: string;
  /** The largest errors of aggregate needs, either way, in units of the instance; 0 among them. */
  readonly maxErrors: readonly number[];
  /** Estimates below a threshold are raised to it; 0 leaves them as they are. */
  readonly thresholds: readonly number[];
  readonly onInstance?: (done: number, of: number) => void;
}

/** Means over instances of the minimum yield that services really get. */
interface ErrorsRow {
  readonly maxError: number;
  readonly threshold: number;
  readonly realised: Readonly<Record<Sharing, number>>;
}

export interface ErrorsResult {
  readonly algorithm: string;
  readonly sweep: Sweep;
  readonly instances: number;
  /** Instances in which some placement failed; they count in no mean. */
  readonly failed: number;
  /** Mean aggregate need of a service, to compare the errors with. */
  readonly needMean: number;
  readonly rows: readonly ErrorsRow[];
  /** Placed as if all needs were the same, and shared equally: no knowledge at all. */
  readonly withoutKnowledge: number;
}

/**
 * What errors in the estimates of needs cost (Stillwell, Vivien and Casanova, IPDPS
 * 2012): services are placed and allocated by the estimates, and get what the sharing of
 * their host gives them by their true needs.
 *
 * @throws InputError where there is no such algorithm
 */
export async function studyErrors(
  sweep: Sweep,
  { algorithm: name, maxErrors, thresholds, onInstance }: ErrorsOptions,
): Promise<ErrorsResult> {
  const algorithm = findFractionalAlgorithm(name);
  if (algorithm === undefined) throw new InputError(`there is no algorithm ${name} to place with`);
  const kept: { cells: Cell[]; blind: number }[] = [];
  const needs: number[] = [];
  const all = settingsOf(sweep);
  for (const [i, settings] of all.entries()) {
    const actual: FractionalInstance = generateInstance(settings);
    const random = new Random(settings.seed);
    const realise = realiser(algorithm, actual, () => random.unit());
    const cells = maxErrors.flatMap((maxError) => {
      // Thresholds are tried on the same estimates.
      const estimated = withErrors(actual, maxError, () => random.unit());
      return thresholds.map((threshold): Cell => ({
        maxError,
        threshold,
        realised: realise(withThreshold(estimated, threshold)),
      }));
    });
    const blind = realise(withEqualNeeds(actual));
    if (blind !== null && cells.every(({ realised }) => realised !== null))
      kept.push({ cells, blind: blind.equal });
    for (const need of actual.aggregateNeed) if (need > 0) needs.push(need);
    onInstance?.(i + 1, all.length);
    await setImmediate();
  }
  const cellsOf = (at: number): Cell[] => kept.map(({ cells }) => cells[at]!);
  return {
    algorithm: name,
    sweep,
    instances: all.length,
    failed: all.length - kept.length,
    needMean: meanOf(needs),
    rows: maxErrors.flatMap((maxError, i) =>
      thresholds.map((threshold, k) => ({
        maxError,
        threshold,
        realised: bySharing((sharing) =>
          meanOf(cellsOf(i * thresholds.length + k).map(({ realised }) => realised![sharing])),
        ),
      })),
    ),
    withoutKnowledge: meanOf(kept.map(({ blind }) => blind)),
  };
}

interface Cell {
  readonly maxError: number;
  readonly threshold: number;
  /** `null`: no placement. */
  readonly realised: Record<Sharing, number> | null;
}

/** A function from estimates to the minimum yields that they lead to, by sharing. */
function realiser(
  algorithm: FractionalAlgorithm,
  actual: FractionalInstance,
  random: () => number,
): (estimated: FractionalInstance) => Record<Sharing, number> | null {
  return (estimated) => {
    const assignment = algorithm.solve(estimated, { bound: 1, random });
    if (assignment === null) return null;
    const { hostOf } = assignment;
    const planned = allocate(estimated, hostOf);
    return bySharing((sharing) => {
      const yields = realisedYields(actual, estimated, hostOf, planned, sharing);
      const [violation] = verifyPlacement(actual, hostOf, yields);
      if (violation !== undefined)
        throw new Error(`${sharing} shares out too much: ${violationText(violation)}`);
      return yields.reduce((least, value) => Math.min(least, value), 1);
    });
  };
}

function bySharing(value: (sharing: Sharing) => number): Record<Sharing, number> {
  return Object.fromEntries(sharings.map((sharing) => [sharing, value(sharing)])) as Record<Sharing, number>;
}
