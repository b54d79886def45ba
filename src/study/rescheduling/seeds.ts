import type { JudgedClaim } from "../claims/claim.ts";
import { judgedAlone } from "../claims/parts.ts";
import type { ReschedulingClaim } from "../claims/rescheduling-figures.ts";
import { judgeRescheduling, reschedulingClaims } from "../claims/rescheduling.ts";
import { marginOf, meanOf } from "../means.ts";
import type { ReschedulingResult, ReschedulingRow } from "./rescheduling.ts";

/** The study on several synthetic weeks, a seed each. */
export interface SeveralWeeks {
  /** Rows are means over the weeks; what is over time is of the first. */
  readonly mean: ReschedulingResult;
  /** By row: what its means may be off by with 95 % confidence; null where a week has no figure, or there is one. */
  readonly margins: readonly ReschedulingRow[] | null;
  readonly claims: readonly SeededClaim[];
}

/** A claim judged by the means, and by each of several weeks alone. */
export interface SeededClaim extends JudgedClaim {
  readonly figures: ReschedulingClaim["figures"];
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
      const judged =
        weeks.length === 1
          ? undefined
          : judgedAlone(
              alone.map((claims) => claims[i]!),
              "weeks",
            );
      const { figures } = reschedulingClaims[i]!;
      return { ...claim, figures, ...(judged === undefined ? {} : { alone: judged }) };
    }),
  };
}
