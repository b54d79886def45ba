import {
  compareWaits,
  drawnUnits,
  drawsTellMore,
  FEWEST_UNITS,
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
  /** Those that it was tried on: by resampling, those of two whole weeks or more, and of users enough. */
  readonly logs: number;
  /** Pairs of policies on each log. */
  readonly compared: number;
  /** Those that were judged at all. */
  readonly judged: number;
  /** Of those judged, the part whose interval holds the truth: two policies that are the same, and two that differ. */
  readonly coveredOfEqual: number;
  readonly coveredOfOther: number;
  /** Of all pairs of policies that are the same, those called clearly different. */
  readonly falseAlarms: number;
  /** Of all logs, those on which some of the equal policies is called clearly worse than the best. */
  readonly falseLosers: number;
  /** Of all pairs of policies that differ, those called so: its power. */
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
  /** Each log by what the verdict judges it by; null as `byResampling`. */
  readonly asVerdict: Calibration | null;
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

/** A comparison of two policies on one log, by their numbers. */
type Compare = (trial: Trial, one: number, other: number, comparisons: number) => WaitComparison;

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
    const units = drawnUnits(workload);
    const isDrawn = wholeWeeks(workload) >= FEWEST_WEEKS && units >= FEWEST_UNITS;
    trials.push({
      runs: contestants.map((each) => each.run(workload, machines, own)),
      units,
      drawn: Array.from({ length: isDrawn ? draws : 0 }, (_, draw) => {
        const again = resampled(workload, 1000 * own + draw);
        return contestants.map((each) => each.run(again, machines, 1000 * own + draw + 1).waitMeanSeconds);
      }),
    });
    onProgress?.(log + 1);
  }
  const sum = (policies: readonly number[], of: readonly Trial[]): number =>
    of.reduce(
      (total, { runs }) =>
        total + policies.reduce((all, at) => all + runs[at]!.waitMeanSeconds * runs[at]!.started, 0),
      0,
    );
  const numbers = Array.from({ length: equals }, (_, number) => number);
  const changeOf = (of: readonly Trial[]): number => (sum([equals], of) / sum(numbers, of)) * equals;
  const truthOf = (trial: Trial): number => Math.log(changeOf(trials.filter((each) => each !== trial)));
  const drawn = trials.filter((trial) => trial.drawn.length > 0);
  const asVerdict: Compare = (trial, ...pair) =>
    trial.drawn.length > 0 && drawsTellMore(trial.units, silencesOf(trial, contestants.length))
      ? byDraws(trial, ...pair)
      : byDays(trial, ...pair);
  return {
    setting: setting.name,
    logs,
    waitMeanSeconds: trials.reduce((total, { runs }) => total + runs[0]!.waitMeanSeconds, 0) / logs,
    change: changeOf(trials) - 1,
    byDays: calibrationOf(trials, equals, byDays, truthOf),
    byResampling: drawn.length === 0 ? null : calibrationOf(drawn, equals, byDraws, truthOf),
    asVerdict: drawn.length === 0 ? null : calibrationOf(trials, equals, asVerdict, truthOf),
  };
}

const byDays: Compare = ({ runs }, one, other, comparisons) =>
  compareWaits(waitsOf(runs, one), waitsOf(runs, other), comparisons);

const byDraws: Compare = ({ runs, drawn, units }, one, other, comparisons) => {
  const raised = (means: readonly number[], at: number): number =>
    means[at]! + RAISE * runs[at]!.waitMeanSeconds;
  const logarithms = drawn.map((means) => Math.log(raised(means, other) / raised(means, one)));
  return compareWaits(waitsOf(runs, one), waitsOf(runs, other), comparisons, { logarithms, units });
};

function waitsOf(runs: readonly RunResult[], at: number): { policy: string; run: RunResult } {
  return { policy: String(at), run: runs[at]! };
}

/** As a verdict asks it, of all policies against the first. */
function silencesOf(trial: Trial, policies: number): WaitComparison["silence"][] {
  return Array.from({ length: policies - 1 }, (_, at) => byDays(trial, 0, at + 1, 1).silence);
}

/** @param truthOf the logarithm of other ÷ equal, as the other logs have it */
function calibrationOf(
  trials: readonly Trial[],
  equals: number,
  compare: Compare,
  truthOf: (trial: Trial) => number,
): Calibration {
  const numbers = Array.from({ length: equals }, (_, number) => number);
  const pairs = numbers.flatMap((one) => numbers.slice(one + 1).map((other) => [one, other] as const));
  const ofEqual = trials.flatMap((trial) =>
    pairs.map(([one, other]) => ({ ...compare(trial, one, other, 1), truth: 0 })),
  );
  const ofOther = trials.flatMap((trial) => {
    const truth = truthOf(trial);
    return numbers.map((each) => ({ ...compare(trial, each, equals, 1), truth }));
  });
  const [judgedEqual, judgedOther] = [ofEqual, ofOther].map((all) =>
    all.filter(({ interval }) => interval !== null),
  ) as [typeof ofEqual, typeof ofOther];
  const covers = ({ interval, truth }: (typeof ofEqual)[number]): boolean =>
    Math.log1p(interval!.low) <= truth && truth <= Math.log1p(interval!.high);
  const share = (some: number, all: number): number => (all === 0 ? Number.NaN : some / all);
  return {
    logs: trials.length,
    compared: ofEqual.length + ofOther.length,
    judged: judgedEqual.length + judgedOther.length,
    coveredOfEqual: share(judgedEqual.filter(covers).length, judgedEqual.length),
    coveredOfOther: share(judgedOther.filter(covers).length, judgedOther.length),
    falseAlarms: share(ofEqual.filter(isClear).length, ofEqual.length),
    falseLosers: share(trials.filter((trial) => hasLoser(trial, numbers, compare)).length, trials.length),
    found: share(ofOther.filter(isClear).length, ofOther.length),
  };
}

function isClear({ judgement }: WaitComparison): boolean {
  return judgement === "shorter" || judgement === "longer";
}

/** Whether some of the equal policies is clearly worse than the best of them, as the verdict compares: all pairs count. */
function hasLoser(trial: Trial, numbers: readonly number[], compare: Compare): boolean {
  const mean = (at: number): number => trial.runs[at]!.waitMeanSeconds;
  const best = numbers.reduce((least, each) => (mean(each) < mean(least) ? each : least), 0);
  const pairs = (numbers.length * (numbers.length - 1)) / 2;
  return numbers.some((each) => each !== best && compare(trial, best, each, pairs).judgement === "longer");
}
