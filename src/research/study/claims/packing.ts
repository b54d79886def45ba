import type { PackingStudyResult, PackingStudyRun } from "../packing/packing.ts";
import type { LockOutcome } from "../packing/lock.ts";
import type { Claim } from "./claim.ts";
import { cannotTell, type Judgement } from "./judgement.ts";
import { BATCHES, STEPS_OF_BATCH } from "../packing/loss.ts";
import { batchMeans, marginOf, meanOf } from "../means.ts";
import { ABOUT_FILL, AROUND_ONE_PERCENT, GOOD_PACKING, SIMILAR_PACKING } from "./tolerances.ts";
import { list, percent, seconds } from "./wording.ts";

/** The claims of Dal Pra 2014, section 4. */
export const packingClaims: readonly Claim<PackingStudyResult>[] = [
  {
    claim: "before saturation the relaxed and the exclusive policy look very similar",
    source: "section 4, Figure 3",
    pools: "any",
    judge({ beforeSaturation: { relaxed, exclusive } }) {
      if (Number.isNaN(relaxed) || Number.isNaN(exclusive))
        return cannotTell("no packed job is among the first that fill the farm");
      return {
        holds: Math.abs(relaxed - exclusive) <= SIMILAR_PACKING,
        evidence: `with nine tenths of the slots busy the packing index is ${index(relaxed)} and ${index(exclusive)}; similar: within ${SIMILAR_PACKING}`,
      };
    },
  },
  {
    claim: "in saturation the relaxed policy fails to keep packed jobs together",
    source: "section 4, Figures 4 and 5",
    pools: "any",
    judge: (result) =>
      withIndices(result, (relaxed) => ({
        holds: relaxed < GOOD_PACKING / 2,
        evidence: `packing index ${indexText(result, 0)}; poor: below ${GOOD_PACKING / 2}`,
      })),
  },
  {
    claim: "in saturation the exclusive policy exhibits a good packing index, much higher than the relaxed",
    source: "section 4, Figures 4 and 5",
    pools: "any",
    judge: (result) =>
      withIndices(result, (relaxed, exclusive) => ({
        holds: exclusive >= GOOD_PACKING && exclusive >= 2 * relaxed,
        evidence: `packing index ${indexText(result, 1)} against ${indexText(result, 0)}; good: ${GOOD_PACKING} or more, and twice the other`,
      })),
  },
  {
    claim: "the price is unused slots: the fill factor is below 1",
    source: "section 4, Figure 4",
    pools: "any",
    judge(result) {
      const { run, throughput } = exclusiveOf(result);
      const { interval } = throughput;
      return {
        holds: run.fillFactorMean! < 1 && (interval === null || interval.low > 0),
        evidence: `fill factor ${percent(run.fillFactorMean!)} against ${percent(result.runs[0]!.run.fillFactorMean!)}; throughput lost ${lossText(exclusiveOf(result))}`,
      };
    },
  },
  {
    claim: "on average the exclusive policy loses around 1 % of the throughput",
    source: "section 4, Figure 7",
    pools: "any",
    judge(result) {
      const { loss } = exclusiveOf(result).throughput;
      if (Number.isNaN(loss)) return cannotTell("the runs end before the warm-up does");
      const [least, most] = AROUND_ONE_PERCENT;
      return {
        holds: loss >= least && loss < most,
        evidence: `${lossText(exclusiveOf(result))}; around 1 %: from ${percent(least)} to below ${percent(most)}. The paper says itself that it strongly depends on the sequence of jobs`,
      };
    },
  },
  {
    claim: "long after saturation has begun the exclusive policy's fill factor is about 0.9",
    source: "section 4, Figure 5",
    pools: "any",
    judge(result) {
      const means = exclusiveOf(result).run.fillFactorSteps?.means ?? [];
      // The last quarter, without the end, when the log runs out of other jobs.
      const late = means.slice(Math.floor(means.length * 0.7), Math.floor(means.length * 0.95));
      if (late.length === 0) return cannotTell("the run ends before the warm-up does");
      const mean = meanOf(late);
      return {
        holds: Math.abs(mean - 0.9) <= ABOUT_FILL,
        evidence: `${mean.toFixed(3)}${batchText(late)} in the last quarter; about 0.9: within ${ABOUT_FILL}`,
      };
    },
  },
  {
    claim:
      "one free slot a node, one packed job a node, and then only others: the exclusive policy locks the farm",
    source: "section 4",
    pools: "any",
    judge({ locks }) {
      const [relaxed, exclusive] = [locks[0]!, locks[1]!];
      return {
        holds: exclusive.lockedSeconds > 0 && relaxed.lockedSeconds <= 0,
        evidence: `locked for ${days(exclusive)} with ${percent(exclusive.idleShare)} of the slots free, until the packed jobs end; relaxed: ${seconds(relaxed.lockedSeconds)}`,
      };
    },
  },
  {
    claim: "a time to live removes the lock",
    source: "section 4",
    pools: "any",
    judge({ locks }) {
      const living = locks.filter(({ ttlSeconds }) => ttlSeconds !== undefined);
      if (living.length === 0) return cannotTell("no time to live was tried");
      const exclusive = locks[1]!;
      return {
        holds: living.every(
          ({ lockedSeconds, ttlSeconds }) =>
            lockedSeconds <= ttlSeconds! && lockedSeconds < exclusive.lockedSeconds,
        ),
        evidence: `locked for ${list(living.map((lock) => `${days(lock)} with ${days({ lockedSeconds: lock.ttlSeconds! })} to live`))}`,
      };
    },
  },
  {
    claim: "a time to live of 0 is the relaxed policy, and without end it is the exclusive one",
    source: "section 4",
    pools: "any",
    judge({ limits: { jobs, zeroDiffers, agesDiffer } }) {
      if (jobs === 0) return cannotTell("no packed job is among the log's first");
      return {
        holds: zeroDiffers === 0 && agesDiffer === 0,
        evidence: `of the first ${jobs} jobs ${zeroDiffers} and ${agesDiffer} start at another time or on another node`,
      };
    },
  },
];

function withIndices(
  { runs }: PackingStudyResult,
  judge: (relaxed: number, exclusive: number) => Judgement,
): Judgement {
  const [relaxed, exclusive] = [runs[0]!.run.packingIndexMean, runs[1]!.run.packingIndexMean];
  if (typeof relaxed !== "number" || typeof exclusive !== "number")
    return cannotTell("no packed job runs after the warm-up");
  return judge(relaxed, exclusive);
}

function exclusiveOf({ runs }: PackingStudyResult): PackingStudyRun {
  return runs[1]!;
}

/** The mean packing index of a run, with the interval of its batches after the warm-up. */
function indexText({ runs, warmupSeconds }: PackingStudyResult, place: number): string {
  const { packingIndexMean, series } = runs[place]!.run;
  const later = (series?.packingIndex ?? []).filter(
    (value, i) => series.timeSeconds[i]! >= warmupSeconds && !Number.isNaN(value),
  );
  return `${index(packingIndexMean!)}${batchText(later)}`;
}

/** ` (95 %: 0.61 to 0.64)` by the means of batches; empty where there are too few values. */
function batchText(values: readonly number[]): string {
  if (values.length < BATCHES * STEPS_OF_BATCH) return "";
  const means = batchMeans(values, BATCHES);
  const [mean, margin] = [meanOf(means), marginOf(means)];
  return ` (95 %: ${index(mean - margin)} to ${index(mean + margin)})`;
}

/** `1.2 % (95 % confidence: 0.9 % to 1.5 %)`. */
function lossText({ throughput: { loss, interval } }: PackingStudyRun): string {
  if (interval === null) return `${percent(loss)} (too short for an interval)`;
  return `${percent(loss)} (95 % confidence: ${percent(interval.low)} to ${percent(interval.high)})`;
}

function index(value: number): string {
  return value.toFixed(2);
}

function days({ lockedSeconds }: Pick<LockOutcome, "lockedSeconds">): string {
  const hours = lockedSeconds / 3600;
  return hours < 48 ? `${hours.toFixed(1)} h` : `${(hours / 24).toFixed(1)} d`;
}
