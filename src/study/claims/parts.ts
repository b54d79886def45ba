import { marginOf, meanOf } from "../means.ts";
import type { DecidingFigure, Judgement } from "./judgement.ts";
import { inUnit, type Unit } from "./wording.ts";

/** The figures of parts of an input: its weeks, or tenths of its jobs. */
export interface Parts<Figures> {
  /** What they are, as in "tenths of the log". */
  readonly what: string;
  readonly figures: readonly Figures[];
}

/** What the parts of an input say of a claim, each by itself. */
export interface JudgedAlone {
  readonly parts: string;
  /** The parts that can tell, and those of them in which the claim holds. */
  readonly judged: number;
  readonly holding: number;
  /** Null: no single figure decides, or fewer than two parts have one. */
  readonly interval: FigureInterval | null;
}

/** A figure's mean over parts, and between what it lies with 95 % confidence. */
export interface FigureInterval {
  readonly what: string;
  readonly unit: Unit;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Puts together what parts say of a claim.
 *
 * Parts of one log are batches (Law, Simulation Modeling and Analysis, section 9.5.3): jobs that follow one another are
 * alike, so their interval is nearer to the truth than one over jobs, and still too narrow where a queue outlives a
 * batch.
 *
 * @returns undefined where no part can tell
 */
export function judgedAlone(judgements: readonly Judgement[], parts: string): JudgedAlone | undefined {
  const told = judgements.filter(({ holds }) => holds !== null);
  if (told.length === 0) return undefined;
  const figures = told.flatMap(({ figure }) =>
    figure === undefined || !Number.isFinite(figure.value) ? [] : [figure],
  );
  return {
    parts,
    judged: told.length,
    holding: told.filter(({ holds }) => holds === true).length,
    interval: figures.length < Math.max(2, told.length) ? null : intervalOf(figures),
  };
}

/** `mix-fit's lead +3.2 points (95 %: +1.1 points to +5.3 points); holds in 9 of 10 tenths of the log`. */
export function aloneText({ parts, judged, holding, interval }: JudgedAlone): string {
  const holds = `holds in ${holding} of ${judged} ${parts}`;
  if (interval === null) return holds;
  const [mean, low, high] = [interval.mean, interval.low, interval.high].map((value) =>
    inUnit(value, interval.unit),
  );
  return `${interval.what} ${mean} (95 %: ${low} to ${high}); ${holds}`;
}

function intervalOf(figures: readonly DecidingFigure[]): FigureInterval {
  const [{ what, unit }] = figures as readonly [DecidingFigure];
  const values = figures.map(({ value }) => value);
  const [mean, margin] = [meanOf(values), marginOf(values)];
  return { what, unit, mean, low: mean - margin, high: mean + margin };
}
