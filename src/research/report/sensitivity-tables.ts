import {
  parameterName,
  rangeText,
  weekClaimRanges,
  type Sensitivity,
  type WeekSensitivity,
} from "../study/index.ts";
import type { FigureTable } from "./input.ts";
import { formatCount, formatShare } from "../../report/numbers.ts";

/** In points, of the two that the thesis compares on every pool. */
function leadOfMixFit(heuristics: Sensitivity["rows"][number]["result"]["heuristics"]): string {
  const share = (name: string): number => heuristics.find(({ heuristic }) => heuristic === name)!.winShare;
  const points = 100 * (share("mix-fit") - share("worse-fit-cores"));
  return `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;
}

/** What the guesses in a synthetic pool decide, for the terminal and the page alike. */
export function sensitivityTables({ jobs, rows, ranges }: Sensitivity): FigureTable[] {
  const heuristics = rows[0]!.result.heuristics.map(({ heuristic }) => heuristic);
  return [
    {
      caption: `Buckets won, by one parameter of the synthetic pool at a time, the others as they are; ${formatCount(jobs)} jobs each. *: the pool as it is.`,
      head: ["parameter", "value", ...heuristics, "mix-fit ahead of worse-fit-cores"],
      rows: rows.map(({ parameter, value, isUsual, result }) => [
        parameterName(parameter),
        `${value}${isUsual ? "*" : ""}`,
        ...result.heuristics.map(({ winShare }) => formatShare(winShare)),
        leadOfMixFit(result.heuristics),
      ]),
    },
    {
      caption: "For which of the values tried each claim of the thesis about this pool holds.",
      head: [
        "claim",
        "as it is",
        ...(ranges[0]?.holdsAt ?? []).map(({ parameter }) => parameterName(parameter)),
      ],
      rows: ranges.map(({ claim, holdsAsIs, holdsAt }) => [
        claim,
        holdsAsIs ? "holds" : "no",
        ...holdsAt.map(({ tried, values }) => rangeText(tried, values)),
      ]),
    },
  ];
}

/** For which values of the synthetic week's parameters the claims about rescheduling hold. */
export function weekSensitivityTable(result: WeekSensitivity): FigureTable {
  const ranges = weekClaimRanges(result);
  const { jobs, seeds } = result;
  return {
    caption: `For which of the values tried, of one parameter at a time, each claim holds; ${formatCount(jobs)} jobs, ${seeds === 1 ? "one seed" : `means over ${seeds} seeds`}.`,
    head: ["claim", "as it is", ...(ranges[0]?.holdsAt ?? []).map(({ parameter }) => parameter)],
    rows: [
      ["values tried", "", ...(ranges[0]?.holdsAt ?? []).map(({ tried }) => tried.join(" "))],
      ...ranges.map(({ claim, holdsAsIs, holdsAt }) => [
        claim,
        holdsAsIs ? "holds" : "no",
        ...holdsAt.map(({ tried, values }) => rangeText(tried, values)),
      ]),
    ],
  };
}
