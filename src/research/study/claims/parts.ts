import { studentQuantile } from "../../../simulation/index.ts";
import { meanOf } from "../means.ts";
import type { DecidingFigure, Judgement } from "./judgement.ts";
import { inUnit, type Unit } from "./wording.ts";

/** The figures of parts of an input: its weeks, or tenths of its jobs. */
export interface Parts<Figures> {
  /** What they are, as in "tenths of the log". */
  readonly what: string;
  /** Of each part alone. */
  readonly alone: readonly Figures[];
  /** Of the input without each part, in the same order. */
  readonly without: readonly Figures[];
}

/** What the parts of an input say of a claim. */
export interface JudgedAlone {
  readonly parts: string;
  readonly count: number;
  /** The parts that can tell by themselves, and those of them in which the claim holds. */
  readonly judged: number;
  readonly holding: number;
  /** Null: no single figure decides, it has none without one of the parts, or there are too few parts. */
  readonly interval: FigureInterval | null;
}

/** The figure that decides, and between what it lies with 95 % confidence. */
interface FigureInterval {
  readonly what: string;
  readonly unit: Unit;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** With fewer parts an interval says nothing. */
const MIN_PARTS = 4;

/**
 * Puts together what parts say of a claim.
 *
 * The interval is the jackknife's (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 11), around the
 * figure that the claim is judged by: how much it changes when each part is left out. A mean of the parts' own ratios
 * would weigh a quiet tenth as much as one with a long queue. Parts of one log are not independent, so the interval is
 * too narrow where a queue outlives a part.
 *
 * @param whole by the whole input
 * @param alone by each part
 * @param without by the input without each part
 * @returns undefined where no part can tell
 */
export function judgedAlone(
  whole: Judgement,
  alone: readonly Judgement[],
  without: readonly Judgement[],
  parts: string,
): JudgedAlone | undefined {
  const told = alone.filter(({ holds }) => holds !== null);
  if (told.length === 0) return undefined;
  return {
    parts,
    count: alone.length,
    judged: told.length,
    holding: told.filter(({ holds }) => holds === true).length,
    interval: whole.figure === undefined ? null : intervalOf(whole.figure, without),
  };
}

/** `lead of mix-fit +3.2 points (95 %: +1.1 points to +5.3 points); holds in 9 of 10 tenths of the log`. */
export function aloneText({ parts, count, judged, holding, interval }: JudgedAlone): string {
  const rest = judged === count ? "" : `, and ${count - judged} of ${count} cannot tell`;
  const holds = `holds in ${holding} of ${judged} ${parts}${rest}`;
  if (interval === null) return holds;
  const [value, low, high] = [interval.value, interval.low, interval.high].map((each) =>
    inUnit(each, interval.unit),
  );
  return `${interval.what} ${value} (95 %: ${low} to ${high}); ${holds}`;
}

function intervalOf(
  { what, unit, value }: DecidingFigure,
  without: readonly Judgement[],
): FigureInterval | null {
  const count = without.length;
  if (count < MIN_PARTS) return null;
  const scale = scaleOf(unit);
  const values = without.map(({ figure }) => (figure === undefined ? NaN : scale.to(figure.value)));
  const middle = scale.to(value);
  if (![middle, ...values].every(Number.isFinite)) return null;
  const mean = meanOf(values);
  const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  const margin = studentQuantile(0.95, count - 1) * Math.sqrt(((count - 1) / count) * squares);
  return { what, unit, value, low: scale.from(middle - margin), high: scale.from(middle + margin) };
}

interface Scale {
  to(value: number): number;
  from(scaled: number): number;
}

/** Ratios are taken by their logarithms: half as much is as far from equal as twice as much, and none is negative. */
function scaleOf(unit: Unit): Scale {
  if (unit === "change") return { to: Math.log1p, from: Math.expm1 };
  if (unit === "times" || unit === "GB/s") return { to: Math.log, from: Math.exp };
  return { to: (value) => value, from: (scaled) => scaled };
}
