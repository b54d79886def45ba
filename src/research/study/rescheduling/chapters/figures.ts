import type { FarmRunResult } from "../../../../simulation/index.ts";
import type { TaskFigures } from "./tasks.ts";

/** What is kept of a run. Lower is better in all of them; null where no job counts. */
export interface ChapterFigures extends TaskFigures {
  /** AvgCT of Zhang 2010, section 3.1, over the jobs that were suspended at least once, and over all. */
  readonly completionMeanSuspendedMinutes: number | null;
  readonly completionMeanMinutes: number | null;
  /** AvgWCT: waiting, suspended, and run in vain before a restart. */
  readonly wastedMeanMinutes: number | null;
  /** The last part of it. */
  readonly wastedRestartMinutes: number | null;
  /** Run by attempts that another attempt at the same job overtook, mean over all jobs. In no completion time. */
  readonly duplicateMeanMinutes: number | null;
  readonly movesPerThousandJobs: number;
}

export type ChapterFigure = keyof ChapterFigures;

/** Short names of the figures, for the heads of tables. */
export const figureNames: Readonly<Record<ChapterFigure, string>> = {
  completionMeanSuspendedMinutes: "CT suspended",
  completionMeanMinutes: "CT all",
  wastedMeanMinutes: "wasted",
  wastedRestartMinutes: "lost by restarts",
  duplicateMeanMinutes: "run in vain",
  movesPerThousandJobs: "moves per 1,000 jobs",
  taskCompletionMeanMinutes: "CT of tasks",
  taskMostlyCompleteMeanMinutes: "95 % of a task",
};

export function figuresOf(run: FarmRunResult, ofTasks: TaskFigures): ChapterFigures {
  return {
    completionMeanSuspendedMinutes: run.completionMeanSuspendedMinutes,
    completionMeanMinutes: run.completionMeanMinutes,
    wastedMeanMinutes: run.wastedMeanMinutes,
    wastedRestartMinutes: run.wastedRestartMinutes,
    duplicateMeanMinutes: run.duplicateMeanMinutes,
    movesPerThousandJobs: (1000 * run.moves) / Math.max(1, run.jobs),
    ...ofTasks,
  };
}
