import { studentQuantile } from "../../simulation/index.ts";
import { judgeRescheduling, reschedulingClaims, type ReschedulingClaim } from "../claims/rescheduling.ts";
import type { JudgedClaim } from "../claims/claim.ts";
import type { ReschedulingResult, ReschedulingRow } from "./rescheduling.ts";

/** The study on several synthetic weeks, a seed each. */
export interface SeveralWeeks {
  /** Rows are means over the weeks; what is over time is of the first. */
  readonly mean: ReschedulingResult;
  /** By row: what its means may be off by with 95 % confidence; null where a week has no figure, or there is one. */
  readonly margins: readonly ReschedulingRow[] | null;
  readonly claims: readonly SeededClaim[];
}

/** A claim judged by the means, and how many of the weeks alone bear it out, of those that can tell. */
export interface SeededClaim extends JudgedClaim {
  readonly figures: ReschedulingClaim["figures"];
  readonly weeksHolding: number;
  readonly weeksJudged: number;
}

const meanFigures = [
  "suspendRate",
  "completionMeanSuspendedMinutes",
  "completionMeanMinutes",
  "suspendedMeanMinutes",
  "wastedMeanMinutes",
  "wastedWaitMinutes",
  "wastedSuspendMinutes",
  "wastedRestartMinutes",
] as const;

/** @param weeks one result a seed, at least one, all of the same runs */
export function overSeeds(weeks: readonly ReschedulingResult[]): SeveralWeeks {
  const [first] = weeks as readonly [ReschedulingResult];
  const rowsOf = (of: (values: readonly number[]) => number): ReschedulingRow[] =>
    first.rows.map((row, i) => ({
      ...row,
      ...Object.fromEntries(
        meanFigures.map((figure) => {
          const values = weeks.map(({ rows }) => rows[i]![figure]);
          return [figure, values.includes(null) ? null : of(values as readonly number[])];
        }),
      ),
    }));
  const mean = { ...first, rows: rowsOf(meanOf) };
  const alone = weeks.map(judgeRescheduling);
  return {
    mean,
    margins: weeks.length === 1 ? null : rowsOf(marginOf),
    claims: judgeRescheduling(mean).map((claim, i) => {
      const judged = alone.map((claims) => claims[i]!.holds).filter((holds) => holds !== null);
      const { figures } = reschedulingClaims[i]!;
      return { ...claim, figures, weeksHolding: judged.filter(Boolean).length, weeksJudged: judged.length };
    }),
  };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Half the width of the interval in which the mean lies with 95 % confidence, by Student's t. */
export function marginOf(values: readonly number[]): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const degrees = values.length - 1;
  return studentQuantile(0.95, degrees) * Math.sqrt(squares / degrees / values.length);
}
