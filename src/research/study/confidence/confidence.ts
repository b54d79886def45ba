import {
  compareWaits,
  drawnUnits,
  FEWEST_WEEKS,
  resampled,
  wholeWeeks,
  type RunResult,
  type WaitComparison,
} from "../../../simulation/index.ts";
import { InputError } from "../../../workload/index.ts";
import type { ConfidenceSetting } from "./settings.ts";

export interface ConfidenceOptions {
  /** Logs of each setting; each has a seed of its own, from `seed` on. */
  readonly logs: number;
  readonly seed: number;
  /** Logs drawn from each and simulated again; 0: only the log's days are tried. */
  readonly draws: number;
  /** Policies that are the same, all of which are compared. */
  readonly equals: number;
  readonly onProgress?: (logsDone: number) => void;
}

/** How often one kind of interval was right, of 1. */
export interface Calibration {
  /** Those that it was tried on: by resampling, those of two whole weeks or more. */
  readonly logs: number;
  /** Comparisons that were judged at all. */
  readonly judged: number;
  /** Of those judged, the part whose interval holds the truth: two policies that are the same, and two that differ. */
  readonly coveredOfEqual: number;
  readonly coveredOfOther: number;
  /** Of all comparisons of two policies that are the same, those called clearly different. */
  readonly falseAlarms: number;
  /** Of all logs, those on which some of the equal policies is called clearly worse than the best. */
  readonly falseLosers: number;
  /** Of all comparisons of two policies that differ, those called so: its power. */
  readonly found: number;
}

export interface ConfidenceRow {
  readonly setting: string;
  readonly logs: number;
  readonly waitMeanSeconds: number;
  /** The change of the mean wait under the other policy, over all logs. */
  readonly change: number;
  readonly byDays: Calibration;
  /** Null where no logs were drawn, or all are too short. */
  readonly byResampling: Calibration | null;
}

/** Below this the truth, which is known from the other logs, is too uncertain. */
const FEWEST_LOGS = 5;
/** As the verdict has it: a drawn log without waits says little instead of all. */
const RAISE = 0.02;

interface Trial {
  readonly runs: readonly RunResult[];
  /** That the logs are drawn by. */
  readonly units: number;
  /** Mean waits on each drawn log, policy by policy. */
  readonly drawn: readonly (readonly number[])[];
}

/**
 * Tries how often the verdict's intervals hold what they promise, on logs of which the truth is known from the others.
 *
 * @throws InputError where there are too few logs or policies
 */
export function studyConfidence(setting: ConfidenceSetting, options: ConfidenceOptions): ConfidenceRow {
  const { logs, seed, draws, equals, onProgress } = options;
  if (logs < FEWEST_LOGS) throw new InputError(`at least ${FEWEST_LOGS} logs are needed`);
  if (equals < 2) throw new InputError("at least two equal policies are needed");
  const contestants = [
    ...Array.from({ length: equals }, (_, number) => setting.equal(number + 1)),
    setting.other,
  ];
  const trials: Trial[] = [];
  for (let log = 0; log < logs; log++) {
    const own = seed + log;
    const { workload, machines } = setting.log(own);
    const isLong = wholeWeeks(workload) >= FEWEST_WEEKS;
    trials.push({
      runs: contestants.map((each) => each.run(workload, machines, own)),
      units: drawnUnits(workload),
      drawn: Array.from({ length: isLong ? draws : 0 }, (_, draw) => {
        const again = resampled(workload, 1000 * own + draw);
        return contestants.map((each) => each.run(again, machines, 1000 * own + draw + 1).waitMeanSeconds);
      }),
    });
    onProgress?.(log + 1);
  }
  const sum = (policy: number, of: readonly Trial[] = trials): number =>
    of.reduce((total, { runs }) => total + runs[policy]!.waitMeanSeconds * runs[policy]!.started, 0);
  const drawn = trials.filter((trial) => trial.drawn.length > 0);
  const calibrated = (isDrawn: boolean): Calibration =>
    calibrationOf(isDrawn ? drawn : trials, equals, isDrawn, (trial) => {
      const others = trials.filter((each) => each !== trial);
      return Math.log(sum(equals, others) / sum(0, others));
    });
  return {
    setting: setting.name,
    logs,
    waitMeanSeconds: trials.reduce((total, { runs }) => total + runs[0]!.waitMeanSeconds, 0) / logs,
    change: sum(equals) / sum(0) - 1,
    byDays: calibrated(false),
    byResampling: drawn.length === 0 ? null : calibrated(true),
  };
}

/** @param truthOf the logarithm of other ÷ equal, as the other logs have it */
function calibrationOf(
  trials: readonly Trial[],
  equals: number,
  isDrawn: boolean,
  truthOf: (trial: Trial) => number,
): Calibration {
  const compare = (trial: Trial, one: number, other: number, comparisons: number): WaitComparison => {
    const waits = (at: number): { policy: string; run: RunResult } => ({
      policy: String(at),
      run: trial.runs[at]!,
    });
    const raised = (means: readonly number[], at: number): number =>
      means[at]! + RAISE * trial.runs[at]!.waitMeanSeconds;
    const replicates = isDrawn
      ? {
          logarithms: trial.drawn.map((means) => Math.log(raised(means, other) / raised(means, one))),
          units: trial.units,
        }
      : null;
    return compareWaits(waits(one), waits(other), comparisons, replicates);
  };
  const ofEqual = trials.map((trial) => compare(trial, 0, 1, 1));
  const ofOther = trials.map((trial) => compare(trial, 0, equals, 1));
  const covers = ({ interval }: WaitComparison, truth: number): boolean =>
    Math.log1p(interval!.low) <= truth && truth <= Math.log1p(interval!.high);
  const truths = trials.map(truthOf);
  const share = (some: number, all: number): number => (all === 0 ? Number.NaN : some / all);
  const judgedEqual = ofEqual.filter(({ interval }) => interval !== null);
  const judgedOther = ofOther.flatMap((each, log) => (each.interval === null ? [] : [{ each, log }]));
  return {
    logs: trials.length,
    judged: judgedEqual.length + judgedOther.length,
    coveredOfEqual: share(judgedEqual.filter((each) => covers(each, 0)).length, judgedEqual.length),
    coveredOfOther: share(
      judgedOther.filter(({ each, log }) => covers(each, truths[log]!)).length,
      judgedOther.length,
    ),
    falseAlarms: share(ofEqual.filter(isClear).length, trials.length),
    falseLosers: share(trials.filter((trial) => hasLoser(trial, equals, compare)).length, trials.length),
    found: share(ofOther.filter(isClear).length, trials.length),
  };
}

function isClear({ judgement }: WaitComparison): boolean {
  return judgement === "shorter" || judgement === "longer";
}

/** Whether some of the equal policies is clearly worse than the best of them, as the verdict compares: all pairs count. */
function hasLoser(
  trial: Trial,
  equals: number,
  compare: (trial: Trial, one: number, other: number, comparisons: number) => WaitComparison,
): boolean {
  const numbers = Array.from({ length: equals }, (_, number) => number);
  const mean = (at: number): number => trial.runs[at]!.waitMeanSeconds;
  const best = numbers.reduce((least, each) => (mean(each) < mean(least) ? each : least), 0);
  const pairs = (equals * (equals - 1)) / 2;
  return numbers.some((each) => each !== best && compare(trial, best, each, pairs).judgement === "longer");
}
