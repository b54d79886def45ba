import type { ReschedulingResult, ReschedulingRow, Scenario } from "../rescheduling/rescheduling.ts";
import { cannotTell, type DecidingFigure, type Judgement } from "./judgement.ts";
import { CLEAR_MEANS } from "./tolerances.ts";
import { change, list, percent } from "./wording.ts";

/** A statement of Zhang 2010, with a possible reason if the synthetic week disagrees. */
export interface ReschedulingClaim {
  readonly claim: string;
  readonly source: string;
  readonly judge: (result: ReschedulingResult) => Judgement;
  /**
   * Whether the synthetic week was set by the figures that the claim is about, those of Tables 1 and 2 and Figure 3,
   * which shows what Table 1 consists of; or whether they are predictions.
   */
  readonly figures: "fitted" | "predicted";
  /** The possible reason, printed after the figures if the claim does not hold. */
  readonly otherwise: string;
}

/** Why a claim may fail on synthetic weeks, where nothing nearer is known. */
export const SHAPE = "how run times, bursts and lists of pools hang together in the trace is not published";

/** Helpers for claims about rescheduling: the figures of a run by scenario, routing and strategy. */

export type Figure = Exclude<keyof ReschedulingRow, "scenario" | "routing" | "strategy">;
type RowName = readonly [scenario: Scenario, routing: string, strategy: string];

export function withRows(
  { rows }: ReschedulingResult,
  names: readonly RowName[],
  figure: Figure,
  judge: (values: readonly number[]) => Judgement,
): Judgement {
  const found = names.map(([scenario, routing, strategy]) =>
    rows.find((each) => each.scenario === scenario && each.routing === routing && each.strategy === strategy),
  );
  if (found.every((row) => row?.suspendRate === 0)) {
    if (figure === "suspendRate" || figure === "completionMeanSuspendedMinutes") {
      return cannotTell("no job was suspended");
    }
    if (areAlike(found)) return cannotTell("no job was suspended, and the runs come to the same");
  }
  const values = found.map((row) => row?.[figure] ?? null);
  const missing = names.filter((_, i) => values[i] === null);
  if (missing.length > 0) return cannotTell(`no figure for ${list(missing.map((name) => name.join(" ")))}`);
  return judge(values as readonly number[]);
}

/** Whether runs differ in nothing that a strategy could change: it had nothing to do. */
function areAlike([first, ...others]: readonly (ReschedulingRow | undefined)[]): boolean {
  return others.every(
    (row) =>
      row?.completionMeanMinutes === first?.completionMeanMinutes &&
      row?.wastedMeanMinutes === first?.wastedMeanMinutes,
  );
}

/** Whether a strategy lowers a figure by `CLEAR_MEANS` or more, against NoRes. */
export function cuts(
  result: ReschedulingResult,
  scenario: Scenario,
  routing: string,
  strategy: string,
  figure: Figure,
): Judgement {
  return against(result, scenario, routing, strategy, figure, (value, none) => ({
    holds: value <= none * (1 - CLEAR_MEANS),
    figure: changeOf(value, none),
    evidence: `${minutes(none)} under NoRes, ${minutes(value)} under ${strategy}: ${change(value, none)}; cuts: by ${percent(CLEAR_MEANS)} or more`,
  }));
}

export function lowersOf(
  result: ReschedulingResult,
  scenario: Scenario,
  routing: string,
  strategy: string,
  figure: Figure,
): Judgement {
  return against(result, scenario, routing, strategy, figure, (value, none) => ({
    holds: value < none,
    figure: changeOf(value, none, figure === "completionMeanMinutes" ? "change for all jobs" : "change"),
    evidence: `${figure === "completionMeanMinutes" ? "all jobs " : ""}${minutes(none)} under NoRes, ${minutes(value)} under ${strategy}: ${change(value, none)}`,
  }));
}

export function lowers(result: ReschedulingResult, routing: string, strategy: string): Judgement {
  return lowersOf(result, "high-load", routing, strategy, "wastedMeanMinutes");
}

export function against(
  result: ReschedulingResult,
  scenario: Scenario,
  routing: string,
  strategy: string,
  figure: Figure,
  judge: (value: number, none: number) => Judgement,
): Judgement {
  const names: RowName[] = [
    [scenario, routing, "NoRes"],
    [scenario, routing, strategy],
  ];
  return withRows(result, names, figure, ([none, value]) => judge(value!, none!));
}

export function combined(judgements: readonly Judgement[]): Judgement {
  const open = judgements.find(({ holds }) => holds === null);
  if (open !== undefined) return open;
  const { figure } = judgements[0]!;
  return {
    holds: judgements.every(({ holds }) => holds === true),
    ...(figure === undefined ? {} : { figure }),
    evidence: judgements.map(({ evidence }) => evidence).join("; "),
  };
}

/** The change from one strategy to another, as the figure that decides. */
export function changeOf(value: number, other: number, what = "change"): DecidingFigure {
  return { what, value: value / other - 1, unit: "change" };
}

export function minutes(value: number): string {
  return `${value.toFixed(1)} min`;
}

/** Suspend rates are about 1 %: hundredths of a percent. */
export function rate(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
