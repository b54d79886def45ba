import type { RunResult } from "../../simulation/result.ts";

/** The figures of a sweep's run that are told. */
export type SweepFigures = Pick<
  RunResult,
  | "offeredLoad"
  | "jobs"
  | "rejected"
  | "waitMeanSeconds"
  | "waitMedianSeconds"
  | "waitP95Seconds"
  | "slowdownMean"
  | "boundedSlowdownMean"
  | "queueLengthMean"
  | "coreUtilizationMean"
  | "makespanSeconds"
>;

/** A line of a sweep's results. */
export interface SweepRow {
  readonly log: string;
  readonly policy: string;
  /** What was asked for; null: the log's own pace. */
  readonly load: number | null;
  readonly estimates: string;
  /** Null where nothing is drawn: one run stands for all seeds. */
  readonly seed: number | null;
  readonly run: SweepFigures;
}

/** What is told of a log beside its runs. */
export interface SweepLogFacts {
  readonly name: string;
  readonly synthetic: boolean;
  readonly on: string;
  /** Which of its jobs were taken, in words; absent: all. */
  readonly part?: string;
  /** What its runs cannot see of its farm, in sentences. */
  readonly unseen: readonly string[];
}

/** All that is told of a sweep. The same input gives the same table and page. */
export interface SweepInput {
  readonly title: string;
  readonly logs: readonly SweepLogFacts[];
  readonly policies: readonly string[];
  readonly baseline: string;
  readonly loads: readonly (number | null)[];
  readonly estimates: readonly string[];
  readonly rows: readonly SweepRow[];
  readonly settings: readonly { readonly name: string; readonly value: string }[];
  readonly command: string;
  readonly version: string;
}

export function loadName(load: number | null): string {
  return load === null ? "log" : String(load);
}

/** What the runs of each log cannot see, in sentences that begin with its name. */
export function unseenOfSweep({ logs }: Pick<SweepInput, "logs">): string[] {
  return logs.flatMap(({ name, unseen }) => unseen.map((sentence) => `${name}: ${sentence}`));
}
