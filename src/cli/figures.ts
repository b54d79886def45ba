import type { Verdict } from "../report/index.ts";
import type { Fidelity, RecordedRun, RunResult } from "../simulation/index.ts";

/**
 * The figures of a run without its series over time, which are in the report's `results.json`. The series of a farm
 * are included where `--pool-detail` asked for them.
 */
export function figures({
  series: _series,
  days: _days,
  farmFrames: _farmFrames,
  fillFactorSteps: _fillFactorSteps,
  farmSeries,
  ...rest
}: RunResult): Omit<RunResult, "series" | "days" | "farmFrames" | "fillFactorSteps"> {
  return rest.pools === undefined || farmSeries === undefined ? rest : { ...rest, farmSeries };
}

/** Without the wall-clock time, so that the figures of a run are the same whenever and wherever it is made. */
export function untimed<Run extends Pick<RunResult, "simulationSeconds" | "simulatedJobsPerSecond">>({
  simulationSeconds: _seconds,
  simulatedJobsPerSecond: _rate,
  ...rest
}: Run): Omit<Run, "simulationSeconds" | "simulatedJobsPerSecond"> {
  return rest;
}

/** The record, without its series over time. */
export function recordedFigures({
  series: _series,
  days: _days,
  ...rest
}: RecordedRun): Omit<RecordedRun, "series" | "days"> {
  return rest;
}

/** The check, without the figures that every run has. */
export function fidelityFigures({
  days: _days,
  waitsBy: _waitsBy,
  ...rest
}: Fidelity): Omit<Fidelity, "days" | "waitsBy"> {
  return rest;
}

/** What `--json` tells of the verdict. */
export function verdictFigures({
  offeredLoad,
  baseline,
  best,
  waits,
  figure,
  gains,
  hasVerdict,
  standing,
  unseen,
  sentence,
  losers,
  confidence,
  better,
  ties,
  sensitivity,
  machines,
  busyQueue,
  cautions,
}: Verdict): object {
  const comparison = waits?.againstBaseline.find(({ policy }) => policy === best);
  return {
    offeredLoad,
    baseline,
    best: hasVerdict ? best : null,
    ...(comparison === undefined || !hasVerdict
      ? {}
      : {
          waitChange: comparison.change,
          waitChangeInterval: comparison.interval,
          silence: comparison.silence,
          intervalBy: comparison.by,
          expected: waits!.expected,
        }),
    ...(figure === null || !hasVerdict ? {} : { figureChange: figure }),
    ...(waits === null || !hasVerdict ? {} : { comparisons: waits.againstBaseline }),
    standing: hasVerdict ? standing : "cannot be judged",
    unseen: unseen.map(plain),
    sentence: plain(sentence),
    losers: plain(losers),
    confidence: plain(confidence),
    better: plain(better),
    ties,
    sensitivity,
    machines: plain(machines),
    busyQueue,
    ...(gains === null || !hasVerdict ? {} : { gains }),
    cautions: cautions.map(plain),
  };
}

/** Spaces that do not break are for pages. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
