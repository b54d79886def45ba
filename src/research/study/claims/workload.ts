import type { WorkloadStatistics } from "../../../workload/statistics/characterise.ts";
import type { Claim } from "./claim.ts";
import { cannotTell, type Judgement } from "./judgement.ts";
import { BURST, INTENSE, MOST, SPARSE, VAST_MAJORITY, VIRTUALLY_ONE_CORE } from "./tolerances.ts";
import { percent } from "./wording.ts";

/** The claims of Shai 2014, sections 2 and 3.2, about what jobs ask for. */
export const workloadClaims: readonly Claim<WorkloadStatistics>[] = [
  {
    claim: "the vast majority of the jobs ask for one core",
    source: "section 2, Figure 2.1",
    pools: "any",
    judge: ({ serialShare }) => ({
      holds: serialShare >= VAST_MAJORITY,
      figure: { what: "of the jobs", value: serialShare, unit: "percent" },
      evidence: `${percent(serialShare)} of the jobs; the vast majority: ${percent(VAST_MAJORITY)} or more`,
    }),
  },
  {
    claim: "demands for memory are mostly 8 GB and below",
    source: "section 2, Figure 2.2",
    pools: "any",
    judge: (statistics) => {
      const share = memoryShare(statistics, 0, 8);
      if (share === null) return noMemory;
      return {
        holds: share > MOST,
        figure: { what: "at most 8 GiB", value: share, unit: "percent" },
        evidence: `${percent(share)} of the jobs ask for at most 8 GiB`,
      };
    },
  },
  {
    claim: "there are jobs of 16 GB, of 32 GB, or even more",
    source: "section 2, Figure 2.2",
    pools: "any",
    judge: (statistics) => {
      const [some, more] = [memoryShare(statistics, 8, Infinity), memoryShare(statistics, 16, Infinity)];
      if (some === null || more === null) return noMemory;
      return {
        holds: more > 0,
        figure: { what: "more than 16 GiB", value: more, unit: "percent" },
        evidence: `${percent(some)} of the jobs ask for more than 8 GiB, ${percent(more)} for more than 16 GiB`,
      };
    },
  },
  {
    claim: "some bucket's average demand is above 2 cores",
    source: "section 3.2, Figure 3.3",
    pools: ["a"],
    judge: (statistics) =>
      byBucket(statistics.buckets.cores, ({ max }) => ({ holds: max > 2, evidence: highest(max, "cores") })),
  },
  {
    claim: "several buckets' average demand is above 20 GB",
    source: "section 3.2, Figure 3.4",
    pools: ["a"],
    judge: (statistics) =>
      byBucket(statistics.buckets.memoryGiB, ({ max, count }) => {
        const above = count((average) => average > 20);
        return { holds: above > 1, evidence: `${above} buckets above 20 GiB; ${highest(max, "GiB")}` };
      }),
  },
  {
    claim: "no bucket's average demand is above 2 cores",
    source: "section 3.2, Figure 3.3",
    pools: ["b", "c", "d"],
    judge: (statistics) =>
      byBucket(statistics.buckets.cores, ({ max }) => ({ holds: max <= 2, evidence: highest(max, "cores") })),
  },
  {
    claim: "bursts of cores are sparse",
    source: "section 3.2, Figure 3.3",
    pools: ["b"],
    judge: (statistics) =>
      byBucket(statistics.buckets.cores, ({ mean, buckets, count }) => {
        const share = count((average) => average >= BURST * mean) / buckets;
        return {
          holds: share > 0 && share <= SPARSE,
          figure: { what: "of the buckets", value: share, unit: "percent" },
          evidence: `${percent(share)} of the buckets ask for ${BURST} times the average or more; sparse: at most ${percent(SPARSE)}`,
        };
      }),
  },
  {
    claim: "demand for cores is continuous and moderate",
    source: "section 3.2, Figure 3.3",
    pools: ["c"],
    judge: (statistics) =>
      byBucket(statistics.buckets.cores, ({ mean, max }) => ({
        holds: max < INTENSE * mean,
        evidence: `the highest bucket asks for ${(max / mean).toFixed(2)} times the average of ${mean.toFixed(2)} cores; moderate: below ${INTENSE} times`,
      })),
  },
  {
    claim: "there are intense bursts of memory",
    source: "section 3.2, Figure 3.4",
    pools: ["b", "d"],
    judge: (statistics) =>
      byBucket(statistics.buckets.memoryGiB, ({ mean, max }) => times(max, mean, max >= INTENSE * mean)),
  },
  {
    claim: "there are virtually no bursts of jobs of more than one core",
    source: "section 3.2, Figure 3.3",
    pools: ["d"],
    judge: (statistics) =>
      byBucket(statistics.buckets.cores, ({ max }) => ({
        holds: max <= VIRTUALLY_ONE_CORE,
        evidence: `${highest(max, "cores")}; virtually none: at most ${VIRTUALLY_ONE_CORE}`,
      })),
  },
  {
    claim: "there are periods of particularly low demand for memory",
    source: "section 3.2, Figure 3.4",
    pools: ["d"],
    judge: (statistics) =>
      byBucket(statistics.buckets.memoryGiB, ({ mean, min }) => ({
        holds: min <= mean / INTENSE,
        evidence: `the lowest bucket asks for ${(min / mean).toFixed(2)} times the average; particularly low: at most ${1 / INTENSE}`,
      })),
  },
];

const noMemory = cannotTell("the log says nothing of memory");

/** The share of the jobs that ask for more than `from` and at most `to` GiB, powers of two or 0. */
function memoryShare({ memoryGiB }: WorkloadStatistics, from: number, to: number): number | null {
  if (memoryGiB === null) return null;
  const bars = memoryGiB.bars.filter(({ upTo }) => (upTo > from || from === 0) && upTo <= to);
  return bars.reduce((sum, { share }) => sum + share, 0);
}

interface BucketFigures {
  readonly buckets: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  readonly count: (meets: (average: number) => boolean) => number;
}

function byBucket(averages: Float64Array | null, judge: (figures: BucketFigures) => Judgement): Judgement {
  if (averages === null) return noMemory;
  const buckets = averages.length;
  if (buckets === 0) return cannotTell("there is no complete bucket of 1,000 jobs");
  return judge({
    buckets,
    mean: averages.reduce((sum, average) => sum + average, 0) / buckets,
    min: averages.reduce((least, average) => Math.min(least, average)),
    max: averages.reduce((most, average) => Math.max(most, average)),
    count: (meets) => averages.filter(meets).length,
  });
}

function highest(max: number, unit: string): string {
  return `the highest bucket averages ${max.toFixed(2)} ${unit}`;
}

function times(max: number, mean: number, holds: boolean): Judgement {
  return {
    holds,
    evidence: `the highest bucket asks for ${(max / mean).toFixed(2)} times the average of ${mean.toFixed(2)} GiB; intense: ${INTENSE} times or more`,
  };
}
