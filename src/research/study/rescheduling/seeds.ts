import type { JudgedClaim } from "../claims/claim.ts";
import { judgedAlone } from "../claims/parts.ts";
import type { ReschedulingClaim } from "../claims/rescheduling-figures.ts";
import { judgeRescheduling, reschedulingClaims } from "../claims/rescheduling.ts";
import { marginOf, meanOf } from "../means.ts";
import { leavingOut } from "../tenths.ts";
import type { ReschedulingResult, ReschedulingRow } from "./rescheduling.ts";

/** The study on several synthetic weeks, a seed each. */
interface SeveralWeeks {
  /** Rows are means over the weeks; what is over time is of the first. */
  readonly mean: ReschedulingResult;
  /** By row: what its means may be off by with 95 % confidence; null where a week has no figure, or there is one. */
  readonly margins: readonly ReschedulingRow[] | null;
  readonly claims: readonly SeededClaim[];
}

/** A claim judged by the means, and by each of several weeks alone. */
interface SeededClaim extends JudgedClaim {
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
  const mean = rowsOver(weeks, meanOf);
  const alone = weeks.map(judgeRescheduling);
  // A year is not averaged: the claims about it have no interval.
  const without =
    weeks.length === 1
      ? []
      : leavingOut(weeks).map((others) => judgeRescheduling({ ...rowsOver(others, meanOf), year: null }));
  return {
    mean,
    margins: weeks.length === 1 ? null : rowsOver(weeks, marginOf).rows,
    claims: judgeRescheduling(mean).map((claim, i) => {
      const of = (judged: readonly JudgedClaim[][]): JudgedClaim[] => judged.map((claims) => claims[i]!);
      const told = weeks.length === 1 ? undefined : judgedAlone(claim, of(alone), of(without), "weeks");
      const { figures } = reschedulingClaims[i]!;
      return { ...claim, figures, ...(told === undefined ? {} : { alone: told }) };
    }),
  };
}

/** The first of some results, with figures that are taken over all of them; null where one has none. */
function rowsOver(
  weeks: readonly ReschedulingResult[],
  of: (values: readonly number[]) => number,
): ReschedulingResult {
  const [first] = weeks as readonly [ReschedulingResult];
  return {
    ...first,
    rows: first.rows.map((row, i) => ({
      ...row,
      ...Object.fromEntries(
        meanFigures.map((figure) => {
          const values = weeks.map(({ rows }) => rows[i]![figure]);
          return [figure, values.includes(null) ? null : of(values as readonly number[])];
        }),
      ),
    })),
  };
}
