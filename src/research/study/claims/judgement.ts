import type { Unit } from "./wording.ts";

/** What figures say of a claim. */
export interface Judgement {
  /** Null: these figures cannot tell. */
  readonly holds: boolean | null;
  /** The figures that decide it, or what is missing. */
  readonly evidence: string;
  /** The one figure that decides, or the first of several; absent where there is none. */
  readonly figure?: DecidingFigure;
}

/** The figure that decides a claim, such as a heuristic's lead. */
export interface DecidingFigure {
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
}

export function cannotTell(why: string): Judgement {
  return { holds: null, evidence: why };
}
