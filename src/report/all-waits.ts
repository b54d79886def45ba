import type { Fidelity } from "../simulation/recorded/fidelity.ts";
import { crossFitted } from "../simulation/comparison/cross-fitted.ts";
import {
  compareWaits,
  judgementOf,
  moved,
  type Interval,
  type WaitComparison,
} from "../simulation/comparison/wait-comparison.ts";
import { listText } from "./list-text.ts";
import { formatDuration } from "./numbers.ts";
import type { Reference } from "./reference.ts";
import type { PolicyRun } from "./runs.ts";
import { replicatesOf, type Trials } from "./trials.ts";

/** The waits under all policies, compared with the reference and with the best. */
export interface AllWaits {
  /** Days of the log on which jobs were submitted. */
  readonly days: number;
  /** Every policy but the reference against it, shortest mean wait first. */
  readonly againstBaseline: readonly WaitComparison[];
  /** Every policy but the best against it, shortest mean wait first. */
  readonly againstBest: readonly WaitComparison[];
  /** What the best policy is expected to bring on other days like these; null where it is the reference. */
  readonly expected: Expected | null;
  /** Policies with the same mean wait, best first; one for each such wait. */
  readonly ties: readonly Tie[];
}

/** Policies whose mean waits read the same. */
export interface Tie {
  readonly policies: readonly string[];
  readonly wait: string;
}

/** The change of the mean wait that choosing the best policy brings. */
export interface Expected {
  /** Measured on days that the policy was not chosen by, where several were tried. */
  readonly change: number;
  readonly isCrossFitted: boolean;
  readonly interval: Interval | null;
  readonly nextMonth: Interval | null;
  readonly judgement: WaitComparison["judgement"];
  /** The least part by which a policy would have to be better to be called clearly so; null where there is no interval. */
  readonly leastSeen: number | null;
}

/**
 * The intervals hold together (Bonferroni). Against a reference chosen beforehand there are as many comparisons as other
 * policies; the best is chosen from the same waits, so against it all pairs count.
 */
export function compareAllWaits(
  ranked: readonly PolicyRun[],
  reference: Reference,
  best: PolicyRun,
  trials: Trials | undefined,
  fidelity: Fidelity | undefined,
): AllWaits {
  const others = ranked.filter(({ policy }) => policy !== reference.policy);
  const againstBaseline = others.map((row) => {
    const own = reference.kind === "record" ? fidelity : undefined;
    const simulated = own === undefined ? reference : { policy: own.policy, run: own };
    const replicates =
      simulated.policy === row.policy ? null : replicatesOf(trials, waitOf(simulated), waitOf(row));
    const compared = compareWaits(reference, row, Math.max(1, others.length), replicates);
    return own === undefined ? compared : withMisfit(compared, own);
  });
  const rivals = ranked.filter(({ policy }) => policy !== best.policy);
  const pairs = (ranked.length * (ranked.length - 1)) / 2;
  const againstBest = rivals.map((row) =>
    compareWaits(best, row, Math.max(1, pairs), replicatesOf(trials, waitOf(best), waitOf(row))),
  );
  const expected = expectedOf(againstBaseline, ranked, reference, best);
  return {
    days: reference.run.days.length,
    againstBaseline: againstBaseline.map((row) =>
      row.policy === best.policy && expected !== null ? { ...row, ...intervalsOf(expected) } : row,
    ),
    againstBest,
    expected,
    ties: tiesOf(ranked),
  };
}

/** What the best policy's comparison has, so that it reads the same wherever it is told. */
function intervalsOf({
  interval,
  nextMonth,
  judgement,
}: Expected): Pick<WaitComparison, "interval" | "nextMonth" | "judgement"> {
  return { interval, nextMonth, judgement };
}

function waitOf({ policy, run }: Pick<Reference, "policy"> & { run: { waitMeanSeconds: number } }): {
  policy: string;
  waitMeanSeconds: number;
} {
  return { policy, waitMeanSeconds: run.waitMeanSeconds };
}

/** Widens an interval against the record until it holds that against the site's own policy simulated, too. */
function withMisfit(compared: WaitComparison, { waitMeanRatio }: Fidelity): WaitComparison {
  const { interval, nextMonth, judgement } = compared;
  if (interval === null || nextMonth === null || waitMeanRatio === null || !(waitMeanRatio > 0))
    return compared;
  const widened = (each: Interval): Interval => {
    const other = moved(each, -Math.log(waitMeanRatio));
    return { low: Math.min(each.low, other.low), high: Math.max(each.high, other.high) };
  };
  const wide = widened(interval);
  const isClear = judgement !== "no clear difference" && judgementOf(wide) === judgement;
  return {
    ...compared,
    interval: wide,
    nextMonth: widened(nextMonth),
    judgement: isClear ? judgement : "no clear difference",
  };
}

function expectedOf(
  againstBaseline: readonly WaitComparison[],
  ranked: readonly PolicyRun[],
  reference: Reference,
  best: PolicyRun,
): Expected | null {
  const compared = againstBaseline.find(({ policy }) => policy === best.policy);
  if (compared === undefined || compared.change === null || !(compared.change > -1)) return null;
  const { interval, nextMonth } = compared;
  const measured = Math.log1p(compared.change);
  const chosen =
    againstBaseline.length > 1
      ? crossFitted(
          reference.run,
          ranked.map(({ run }) => run),
        )
      : null;
  // Where choosing on other days does better than on these, there was no luck to take off.
  const shift = chosen === null ? 0 : Math.max(0, chosen - measured);
  const shifted = interval === null ? null : moved(interval, shift);
  const isClear = shifted !== null && judgementOf(shifted) === compared.judgement;
  return {
    change: Math.exp(measured + shift) - 1,
    isCrossFitted: chosen !== null,
    interval: shifted,
    nextMonth: nextMonth === null ? null : moved(nextMonth, shift),
    judgement: shifted === null || isClear ? compared.judgement : "no clear difference",
    leastSeen: interval === null ? null : 1 - Math.sqrt((1 + interval.low) / (1 + interval.high)),
  };
}

/** Policies between which nobody would choose, as a sentence; empty where there are none. */
export function tiesSentence({ ties }: AllWaits): string {
  return ties
    .map(({ policies, wait }) => `${listText(policies)} have the same mean wait, ${wait}.`)
    .join(" ");
}

function tiesOf(ranked: readonly PolicyRun[]): Tie[] {
  const byWait = new Map<string, string[]>();
  for (const { policy, run } of ranked) {
    const wait = formatDuration(run.waitMeanSeconds);
    byWait.set(wait, [...(byWait.get(wait) ?? []), policy]);
  }
  return [...byWait].flatMap(([wait, policies]) => (policies.length > 1 ? [{ policies, wait }] : []));
}
