import type { Fidelity, NearestBecause } from "../simulation/recorded/fidelity.ts";
import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import { formatChange, formatChangeRange, formatDuration, formatNumber, formatPercent } from "./numbers.ts";
import type { PolicyRun } from "./runs.ts";
import { compareWaits, hardlyWaits, higherLoadAdvice } from "./wait-comparison.ts";
import type { Standing, WaitComparison } from "./wait-comparison.ts";
import { daysText, shorterText, type AllWaits } from "./wait-verdict.ts";

/** The name of the record among policies. */
export const AS_IT_WAS = "as it was";

/**
 * The sentence that compares the best policy with the record, after "at 95 % load, ".
 *
 * If the simulation of the policy nearest to the site's own is far from the record, a shorter wait than recorded is
 * mostly due to what the simulation leaves out. The sentence then compares the best policy with that simulation.
 */
export function recordedSentence(
  waits: AllWaits,
  recorded: RecordedRun,
  best: PolicyRun,
  fidelity: Fidelity | undefined,
): string {
  if (best.run.started === 0) return "nothing can be said of the policies: no job could be started.";
  const was = formatDuration(recorded.waitMeanSeconds);
  const is = formatDuration(best.run.waitMeanSeconds);
  if (recorded.waitMeanSeconds === 0 && best.run.waitMeanSeconds === 0) {
    return "no job waited, neither as recorded nor under any policy: they are all equal.";
  }
  if (hardlyWaits({ run: recorded }) && hardlyWaits(best)) {
    return `there is nothing to win: hardly any job waited. The recorded mean wait is ${was}; the shortest simulated one is ${is}, under ${best.policy}.${higherLoadAdvice(best.run.offeredLoad)}`;
  }
  if (fidelity !== undefined && !fidelity.isNear) return farSentence(waits, was, is, best, fidelity);
  const comparison = waits.againstBaseline.find((row) => row.policy === best.policy)!;
  const change = comparison.change ?? 0;
  if (comparison.interval === null) {
    return change < 0
      ? `${best.policy} has the shortest simulated mean wait, ${is}, ${formatPercent(-change)} below the ${was} that were recorded; with ${daysText(waits)} the log is too short to say whether that is more than chance.`
      : `no policy that was run has a shorter mean wait than the ${was} that were recorded; under ${best.policy}, the best of them, it is ${is}.`;
  }
  switch (comparison.judgement) {
    case "shorter":
      return `${best.policy} would have cut the mean wait by ${shorterText(comparison)} against what ran: from ${was} to ${is}.`;
    case "longer":
      return `no policy that was run would have shortened the mean wait of ${was} that was recorded; under ${best.policy}, the best of them, it is ${is}.`;
    default:
      return `there is no clear difference to what ran: ${best.policy} has the shortest simulated mean wait, ${is}, ${formatChange(change)} against the ${was} that were recorded, but the 95 % confidence interval, ${formatChangeRange(comparison.interval.low, comparison.interval.high)}, contains zero.`;
  }
}

function farSentence(waits: AllWaits, was: string, is: string, best: PolicyRun, fidelity: Fidelity): string {
  const near = formatDuration(fidelity.waitMeanSeconds);
  // What is simulated only for the check may have a shorter one.
  const isOfOthers = fidelity.waitMeanSeconds < best.run.waitMeanSeconds;
  const opening = `the recorded mean wait is ${was}; simulated, ${best.policy} has the shortest${isOfOthers ? " of the policies asked for" : ""}, ${is}.`;
  const doubt = "the simulation does not include all that jobs waited for";
  if (fidelity.policy === best.policy) {
    return `${opening} That policy is ${nearestText(fidelity.because)}, so the difference is no gain: ${doubt}.`;
  }
  if (hardlyWaits({ run: fidelity }) && hardlyWaits(best)) {
    return `${opening} But ${doubt}: under ${fidelity.policy}, ${nearestText(fidelity.because)}, hardly any job waits either (${near}). Against that there is nothing to win.`;
  }
  const own = againstNearest(waits, best, fidelity);
  const against = `${opening} But ${doubt}: under ${fidelity.policy}, ${nearestText(fidelity.because)}, the simulated mean wait is ${near}.`;
  if (own.judgement === "shorter")
    return `${against} Against that, jobs wait ${shorterText(own)} less under ${best.policy}.`;
  if (own.judgement === "longer" && own.change !== null) {
    return `${against} None of the policies that were run is better: jobs wait ${longerText(own.change)} under ${best.policy}.`;
  }
  const change = own.change === null ? "" : ` (${formatChange(own.change)})`;
  return own.interval === null
    ? `${against} The log is too short to say whether ${best.policy} differs from that by more than chance${change}.`
    : `${against} Against that, there is no clear difference${change}.`;
}

/** `50 % longer`; above twice as long `85 times as long`. */
function longerText(change: number): string {
  return change < 1 ? `${formatPercent(change)} longer` : `${formatNumber(1 + change)} times as long`;
}

/**
 * How the best policy compares with the record or, if the simulation is far from the record, with the nearest policy.
 */
export function standingToRecord(
  waits: AllWaits,
  recorded: RecordedRun,
  best: PolicyRun,
  fidelity: Fidelity | undefined,
): Standing {
  const isNear = fidelity === undefined || fidelity.isNear;
  if (hardlyWaits(best) && hardlyWaits({ run: isNear ? recorded : fidelity })) return "nothing to win";
  if (isNear) return waits.againstBaseline.find((row) => row.policy === best.policy)!.judgement;
  return fidelity.policy === best.policy
    ? "no clear difference"
    : againstNearest(waits, best, fidelity).judgement;
}

function againstNearest(waits: AllWaits, best: PolicyRun, fidelity: Fidelity): WaitComparison {
  return compareWaits({ policy: fidelity.policy, run: fidelity }, best, waits.againstBaseline.length);
}

export function nearestText(because: NearestBecause): string {
  switch (because) {
    case "named":
      return "the policy that you named as yours";
    case "usual":
      return "near to the batch system's default";
    case "presumed":
      return "assumed to be the farm's own policy";
    case "closest":
      return "the one that comes nearest to the record";
    case "farm":
      return "as the farm file has it";
  }
}

/** Cautions about a verdict, from the record. */
export function recordedCautions(recorded: RecordedRun, ranked: readonly PolicyRun[]): string[] {
  const cautions: string[] = [];
  const { coreUtilizationMax, jobs, jobsWithoutWait } = recorded;
  if (coreUtilizationMax > 1.01) {
    cautions.push(
      `The record has up to ${formatPercent(coreUtilizationMax)} of these machines' cores in use at once: the log is of a larger farm, or its jobs ask for less than they are read to.`,
    );
  }
  const started = ranked[0]?.run.started ?? 0;
  const apart = Math.abs(started - jobs) / Math.max(1, started, jobs);
  if (jobsWithoutWait > 0 && apart > 0.01) {
    cautions.push(
      `The recorded figures are of ${jobs} jobs, the simulated ones of ${started}: the log does not tell the wait of the others.`,
    );
  }
  return cautions;
}
