import type { Scenario } from "../rescheduling.ts";
import type { ChapterFigure } from "./figures.ts";

/** A way to run the farm: what is not set is as the farm says. All of it is data, so that equal runs are made once. */
export interface Variant {
  readonly strategy: string;
  /** `round-robin` unless given. */
  readonly routing?: string;
  /** Virtual pools know the pools as they were so long ago. */
  readonly viewAgeSeconds?: number;
  /** Whether jobs wait at their virtual pool while no pool has room. */
  readonly hasQueue?: boolean;
  /** What every restart in another pool takes, on top of the farm's own transfers. The first sending takes none. */
  readonly restartDelaySeconds?: number;
  /** Null: a restart loses all that was run. */
  readonly checkpointSeconds?: number | null;
  readonly waitThresholdSeconds?: number;
  readonly checkSeconds?: number;
  /** All machines are slower by this part: 0.1 makes 60 s of 66. */
  readonly slowdown?: number;
  /** The pools are split between two sites, and so are the jobs: see `splitBetweenSites`. */
  readonly sites?: TwoSites;
}

export interface TwoSites {
  /** Whether a job may be restarted at the other site as well. */
  readonly restarts: "own site" | "both sites";
  readonly delaySeconds: number;
}

export interface NamedVariant extends Variant {
  /** What is different, in few words. */
  readonly name: string;
}

/** A question that the paper left for later. */
interface Question {
  /** As on the command line. */
  readonly name: string;
  readonly question: string;
  /** Its place in Zhang 2010. */
  readonly source: string;
}

/** A chapter that is run: variants compared with a baseline. */
export interface TriedChapter extends Question {
  readonly baseline: NamedVariant;
  readonly variants: readonly NamedVariant[];
  /** Lower is better in all; the first decides. */
  readonly figures: readonly ChapterFigure[];
  /** What the model leaves out, and what else the answer has to be read with. */
  readonly limits: string;
  /** Why it is run on synthetic weeks only; absent: logs as well. */
  readonly onlyWeeks?: string;
}

/** A chapter that says why the simulator cannot answer it. */
export interface UntriedChapter extends Question {
  readonly notTried: string;
}

export type Chapter = TriedChapter | UntriedChapter;

/** Every chapter is run under both. */
export const chapterScenarios: readonly Scenario[] = ["normal", "high-load"];
