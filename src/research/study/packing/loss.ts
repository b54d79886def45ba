import { studentQuantile, type RunResult } from "../../../simulation/index.ts";
import { batchMeans } from "../means.ts";

/**
 * Throughput lost against another run, as a part of it. In a farm that is never short of jobs, throughput is
 * proportional to the slots in use, so the loss is that of the fill factor (Dal Pra 2014, section 4, Figure 7).
 */
export interface ThroughputLoss {
  readonly loss: number;
  /** 95 % confidence; null where the runs are too short for one. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** Few and long batches, since a farm remembers for days. */
export const BATCHES = 6;
/** Steps of a batch at least. */
export const STEPS_OF_BATCH = 12;

/**
 * Batch means over the clock time that both runs have, after `skipSeconds`.
 * The mean over steps is that of all; its error is that of the batches' means,
 * with Student's t for so few.
 */
export function throughputLoss(reference: RunResult, run: RunResult, skipSeconds: number): ThroughputLoss {
  const a = reference.fillFactorSteps;
  const b = run.fillFactorSteps;
  if (a === undefined || b === undefined || a.stepSeconds !== b.stepSeconds)
    throw new RangeError("runs without fill factors over equal steps cannot be compared");
  const skip = Math.ceil(skipSeconds / a.stepSeconds);
  const end = Math.min(a.means.length, b.means.length);
  const losses: number[] = [];
  let referenceSum = 0;
  for (let step = skip; step < end; step++) {
    losses.push(a.means[step]! - b.means[step]!);
    referenceSum += a.means[step]!;
  }
  if (losses.length === 0) return { loss: NaN, interval: null };
  const sum = losses.reduce((total, loss) => total + loss, 0);
  const loss = sum / referenceSum;
  if (losses.length < BATCHES * STEPS_OF_BATCH) return { loss, interval: null };
  const squares = batchMeans(losses, BATCHES).reduce(
    (total, mean) => total + (mean - sum / losses.length) ** 2,
    0,
  );
  const error = Math.sqrt(squares / (BATCHES * (BATCHES - 1))) / (referenceSum / losses.length);
  const margin = studentQuantile(0.95, 5) * error;
  return { loss, interval: { low: loss - margin, high: loss + margin } };
}
