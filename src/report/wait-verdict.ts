import { confidence, fewestDays, NO_MATTER_SECONDS } from "../simulation/comparison/wait-comparison.ts";
import type { WaitComparison } from "../simulation/comparison/wait-comparison.ts";
import type { AllWaits, Expected } from "./all-waits.ts";
import {
  formatChange,
  formatChangeRange,
  formatDuration,
  formatPercent,
  formatPercentRange,
} from "./numbers.ts";
import { runtimeClasses } from "../simulation/figures/waits-by-part.ts";
import { AS_IT_WAS, type Reference } from "./reference.ts";
import type { PolicyRun } from "./runs.ts";
import { daysText, silenceText } from "./silence-text.ts";

export function hardlyWaits({ run }: { readonly run: { readonly waitMeanSeconds: number } }): boolean {
  return run.waitMeanSeconds < NO_MATTER_SECONDS;
}

/** The longest run time of the shortest jobs that are counted apart. */
const SHORT_SECONDS = 60;

/** A load at which policies usually differ, and how much more than a higher load of its own a log is asked for. */
const BUSY = 0.9;
const MORE = 1.5;

/**
 * What to try where hardly any job waits, as a sentence with a blank before it; empty where no load can be reached.
 *
 * @param highest of the loads that were run
 */
export function higherLoadAdvice(highest: number): string {
  if (!(highest > 0)) return "";
  const load = highest < BUSY ? BUSY : Math.ceil(highest * MORE * 10) / 10;
  return ` At a higher load, as with --load ${load}, policies differ more.`;
}

/** Below this the intervals come with a caution: batches of less than five days are not yet independent. */
const enoughDays = 28;

/** What a sentence by waits is about. */
export interface Judged {
  readonly waits: AllWaits;
  readonly ranked: readonly PolicyRun[];
  readonly reference: Reference;
  readonly best: PolicyRun;
  /** Whether the simulation follows the record, so that a policy `would have` done what it did there. */
  readonly isFollowed: boolean;
  /** The highest load that was run. */
  readonly highestLoad: number;
}

/** Whether not even the best of those that were run is better than what the farm is compared with: nothing is to change. */
export function isNoBetter({ best, reference }: Pick<Judged, "best" | "reference">): boolean {
  return best.policy !== reference.policy && best.run.waitMeanSeconds >= reference.run.waitMeanSeconds;
}

/** The sentence of a verdict by waits, after "at 95 % load, ". */
export function waitSentence(judged: Judged): string {
  const { waits, ranked, reference, best, highestLoad } = judged;
  const before = formatDuration(reference.run.waitMeanSeconds);
  const after = formatDuration(best.run.waitMeanSeconds);
  const isBest = best.policy === reference.policy;
  if (best.run.started === 0 || reference.run.started === 0)
    return "nothing can be said of the policies: no job could be started.";
  if (ranked.length === 1 && isBest)
    return `the mean wait under ${best.policy} is ${after}; no other policy was run to compare it with.`;
  if (reference.run.waitMeanSeconds === 0 && ranked.every(({ run }) => run.waitMeanSeconds === 0))
    return "no job waits under any policy: they are all equal.";
  if (hardlyWaits(reference) && hardlyWaits(best)) {
    const shortest = isBest ? rest(waits) : `under ${best.policy}, the best, it is ${after}.`;
    return `there is nothing to win: hardly any job waits, ${before} on average ${underText(reference)}; ${shortest}${higherLoadAdvice(highestLoad)}`;
  }
  if (isBest) return `no policy has a shorter mean wait than ${reference.policy} (${before}); ${rest(waits)}`;
  const compared = waits.againstBaseline.find(({ policy }) => policy === best.policy)!;
  if (isNoBetter(judged)) {
    const by = compared.judgement === "longer" ? ", clearly longer" : "";
    return `no policy that was run has a shorter mean wait than the ${before} ${underText(reference)}: under ${best.policy}, the best of them, it is ${after}${by}.`;
  }
  return shorterSentence(judged, compared, before, after);
}

function shorterSentence(
  { waits, reference, best, isFollowed }: Judged,
  compared: WaitComparison,
  before: string,
  after: string,
): string {
  const change = compared.change ?? 0;
  const shortest = `${best.policy} has the shortest mean wait in this log, ${after}, ${formatPercent(-change)} below the ${before} ${underText(reference)}`;
  if (compared.silence !== null) {
    const why = silenceText(compared.silence, waits.days);
    return compared.judgement === "shorter"
      ? `${best.policy} has the shortest mean wait, ${after}, less than half of the ${before} ${underText(reference)}; ${why}, so that no nearer figure can be given.`
      : `${shortest}; ${why}.`;
  }
  const { expected } = waits;
  if (expected === null || expected.judgement !== "shorter") {
    const interval = expected?.interval ?? compared.interval;
    const range =
      interval === null
        ? ""
        : `: over months like this, ${formatChangeRange(interval.low, interval.high)} is expected (95 % confidence)`;
    return `there is no clear difference: ${shortest}, which may be chance${range}.`;
  }
  return isFollowed
    ? `${best.policy} would have cut the mean wait from ${before} ${underText(reference)} to ${after}; over months like this it is expected to be ${shorterText(expected)}.`
    : `jobs wait ${after} on average under ${best.policy}, and ${before} ${underText(reference)}; over months like this the wait is expected to be ${shorterText(expected)}.`;
}

/** `as recorded`, `under easy`. */
export function underText({ policy }: Pick<Reference, "policy">): string {
  return policy === AS_IT_WAS ? "as recorded" : `under ${policy}`;
}

/** `22 % shorter (95 % confidence: 18 to 26 %)`. */
export function shorterText({ change, interval }: Pick<Expected, "change" | "interval">): string {
  const range =
    interval === null ? "" : ` (95 % confidence: ${formatPercentRange(-interval.high, -interval.low)})`;
  return `${formatPercent(-change)} shorter${range}`;
}

/** How the others compare with a reference that is itself the best. */
function rest(waits: AllWaits): string {
  const others = waits.againstBaseline;
  const longer = others.filter((row) => row.judgement === "longer").length;
  if (longer === others.length) return "all others are clearly worse.";
  const silent = others.find((row) => row.judgement === "cannot be judged")?.silence;
  if (silent != null) return `${silenceText(silent, waits.days)}.`;
  if (longer === 0) return "none of the others is clearly different.";
  return `${longer} of the ${others.length} others ${longer === 1 ? "is" : "are"} clearly worse.`;
}

/** How sure the verdict is and what that rests on, in a sentence or two; empty where there is no interval. */
export function confidenceSentence({ waits, best, ranked }: Judged): string {
  const compared = waits.againstBaseline.find(({ policy }) => policy === best.policy);
  const { expected } = waits;
  if (compared === undefined || expected?.interval == null || expected.nextMonth === null) return "";
  if (compared.judgement === "no clear difference" && Math.abs(compared.change ?? 0) < 0.01) return "";
  const basis =
    compared.by === "resampling" ? "logs drawn from this one and simulated again" : "five parts of this log";
  const least =
    expected.leastSeen === null
      ? ""
      : ` Shown by ${basis}; a gain of less than ${formatPercent(expected.leastSeen)} would not have shown.`;
  const change = compared.change ?? 0;
  const chosen =
    expected.isCrossFitted && change < 0 && Math.abs(expected.change - change) >= 0.005
      ? ` The ${formatChange(change)} of this log are of the best of ${ranked.length} policies; chosen on half the log and measured on the other, ${formatChange(expected.change)}.`
      : "";
  return `The next month alone: ${formatChangeRange(expected.nextMonth.low, expected.nextMonth.high)}.${chosen}${least}`;
}

export function waitCautions({ waits, ranked, reference, best }: Judged): string[] {
  const cautions: string[] = [];
  if (waits.days < fewestDays) {
    cautions.push(
      `The log has jobs on ${daysText(waits.days)} (of 24 hours from the first submission on): no confidence interval is given below ${fewestDays}.`,
    );
  } else if (waits.days < enoughDays && waits.againstBaseline.some(isByDays)) {
    cautions.push(
      `The log has jobs on only ${waits.days} days, and a backlog carries over from one to the next: take the ${Math.round(100 * confidence)} % as rough.`,
    );
  }
  const pace = standstillCaution(ranked) ?? paceCaution(reference, best);
  return pace === null ? cautions : [...cautions, pace];
}

/** Whether there is an interval, from the log's days alone. */
function isByDays({ by, interval }: WaitComparison): boolean {
  return by === "days" && interval !== null;
}

/** Where at least this part of the jobs run for a minute or less, machines stand idle between cycles. */
const MANY_SHORT = 0.25;

/** Told where cycles are so far apart, for jobs so short, that they are a limit to the work done. */
function standstillCaution(ranked: readonly PolicyRun[]): string | null {
  const intervals = ranked.map(({ run }) => run.intervalSeconds);
  const longest = Math.max(...intervals);
  if (!(longest > Math.min(...intervals) && longest >= SHORT_SECONDS / 4)) return null;
  const { waitsBy, started } = ranked[0]!.run;
  const short = waitsBy?.runtimes.find(({ name }) => name === runtimeClasses[0])?.jobs ?? 0;
  if (!(short / started >= MANY_SHORT)) return null;
  const slow = ranked.filter(({ run }) => run.intervalSeconds === longest);
  return `${formatPercent(short / started)} of the jobs run for a minute or less, and ${slow.length} of the ${ranked.length} policies start jobs only every ${formatDuration(longest)}: between two cycles their machines stand idle, which the others' do not. --interval 0 compares all without that.`;
}

/** Told only where the difference is of the size of an interval between cycles. */
function paceCaution(reference: Reference, best: PolicyRun): string | null {
  const [one, other] = [reference.run.intervalSeconds, best.run.intervalSeconds];
  if (one === undefined || one === other) return null;
  const longer = Math.max(one, other);
  if (Math.abs(reference.run.waitMeanSeconds - best.run.waitMeanSeconds) > longer) return null;
  return `${reference.policy} and ${best.policy} do not run equally often: one up to ${formatDuration(longer)} apart. A wait of about half that is the interval's, not the policy's; --interval gives all the same.`;
}
