import { publishedYear } from "../rescheduling/published.ts";
import type { ReschedulingResult } from "../rescheduling/rescheduling.ts";
import { cannotTell } from "./judgement.ts";
import { minutes, SHAPE, type ReschedulingClaim } from "./rescheduling-figures.ts";
import { percent } from "./wording.ts";

/** With fewer jobs in the year the smallest pools would be single machines, and the farm would not be comparable. */
const MIN_YEAR_JOBS = 400_000;
const NO_YEAR = `no year was run, or its farm is too small: it takes ${MIN_YEAR_JOBS / 4} jobs a week`;

/** The claims of Zhang 2010 about a year. */
export const yearClaims: readonly ReschedulingClaim[] = [
  {
    claim: "over the year utilisation is about 40 %, typically between 20 % and 60 %",
    source: "section 2.3, Figure 4",
    // The model of the year takes its load from this sentence.
    figures: "fitted",
    judge: ({ year, ofLog }) => {
      if (ofLog !== undefined) return cannotTell("said of a year; a log is judged as it is");
      if (year === null || year.jobs < MIN_YEAR_JOBS) return cannotTell(NO_YEAR);
      const used = duringYear(year);
      const mean = used.reduce((sum, each) => sum + each, 0) / used.length;
      const within = used.filter((each) => each >= 0.2 && each <= 0.6).length / used.length;
      return {
        holds: Math.abs(mean - 0.4) <= 0.1 && within >= 0.8,
        figure: { what: "mean", value: mean, unit: "percent" },
        evidence: `mean ${percent(mean)}; ${percent(within)} of the time between 20 % and 60 %; holds within 10 points, and 80 % of the time`,
      };
    },
    otherwise: SHAPE,
  },
  {
    claim: "over the year the mean time suspended (905 min) is twice the median (437 min)",
    source: "section 2.2, Figure 2",
    figures: "predicted",
    judge: ({ year, ofLog }) => {
      if (ofLog !== undefined) return cannotTell("said of a year; a log is judged as it is");
      if (year === null || year.jobs < MIN_YEAR_JOBS) return cannotTell(NO_YEAR);
      const mean = year.suspendedMeanMinutes;
      const median = year.suspensionMinutes.find(({ part }) => part === 0.5)?.minutes;
      if (mean === null || median === undefined) return cannotTell("no job was suspended");
      return {
        holds: mean >= 1.5 * median,
        figure: { what: "mean ÷ median", value: mean / median, unit: "times" },
        evidence: `mean ${minutes(mean)}, median ${minutes(median)}, published ${publishedYear.meanMinutes} and ${publishedYear.medianMinutes} min; holds from 1.5 times on`,
      };
    },
    otherwise: SHAPE,
  },
];

/** Utilisation while jobs were submitted: before that the farm is empty, and after it the farm drains. */
function duringYear({ series }: NonNullable<ReschedulingResult["year"]>): number[] {
  const first = series.timeSeconds.findIndex((time) => time >= 2 * 86_400);
  const end = series.timeSeconds.findIndex((time) => time > 50 * 604_800);
  return series.coreUtilization.slice(Math.max(0, first), end === -1 ? undefined : end);
}
