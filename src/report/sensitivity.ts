import { formatChange, formatDuration } from "./numbers.ts";
import type { Reference } from "./reference.ts";
import type { PolicyRun } from "./runs.ts";
import { FEWER_MACHINES, MORE_MACHINES, type Trials } from "./trials.ts";

/** The change of the mean wait where something is otherwise. */
export interface OtherChange {
  /** `exact estimates`. */
  readonly what: string;
  /** Null where no job waits under the reference, or other jobs are rejected. */
  readonly change: number | null;
  /** Whether other jobs are rejected, so that there is nothing to compare. */
  readonly isOfOtherJobs?: true;
}

/** `−12 %`, or why there is no figure. */
export function otherChangeText({ change, isOfOtherJobs }: OtherChange): string {
  if (isOfOtherJobs === true) return "not told (not the same jobs fit)";
  return change === null ? "no waits" : formatChange(change);
}

const DAYS_PER_WEEK = 7;

/**
 * How the change depends on what was assumed: on other estimates and machines, and on parts of the log.
 *
 * @param reference a policy that was simulated: where nothing is otherwise but the policy
 */
export function sensitivityOf(
  reference: Pick<Reference, "policy" | "run">,
  best: PolicyRun,
  trials: Trials | undefined,
): OtherChange[] {
  if (reference.policy === best.policy) return [];
  const simulated = (trials?.sensitivity ?? []).flatMap(
    ({ what, waits: those, isOfOtherJobs }): OtherChange[] => {
      if (isOfOtherJobs === true) return [{ what, change: null, isOfOtherJobs }];
      const of = (policy: string): number | undefined =>
        those.find((each) => each.policy === policy)?.waitMeanSeconds;
      const [before, after] = [of(reference.policy), of(best.policy)];
      return before === undefined || after === undefined ? [] : [{ what, change: changeOf(before, after) }];
    },
  );
  const last = Math.max(0, ...reference.run.days.map(({ day }) => day));
  const parts: readonly (readonly [what: string, has: (day: number) => boolean])[] = [
    ["first half", (day) => day <= last / 2],
    ["second half", (day) => day > last / 2],
    ["odd weeks", (day) => Math.floor(day / DAYS_PER_WEEK) % 2 === 0],
    ["even weeks", (day) => Math.floor(day / DAYS_PER_WEEK) % 2 === 1],
  ];
  const isLong = last >= 4 * DAYS_PER_WEEK;
  const ofParts = parts.slice(0, isLong ? 4 : 2).map(([what, has]) => {
    const sum = ({ days }: { days: PolicyRun["run"]["days"] }): number =>
      days.reduce((total, { day, waitSumSeconds }) => total + (has(day) ? waitSumSeconds : 0), 0);
    return { what, change: changeOf(sum(reference.run), sum(best.run)) };
  });
  return [
    { what: "as it is", change: changeOf(reference.run.waitMeanSeconds, best.run.waitMeanSeconds) },
    ...simulated,
    ...ofParts,
  ];
}

function changeOf(before: number, after: number): number | null {
  return before > 0 ? after / before - 1 : null;
}

/** `The change of the mean wait: as it is −12 %; exact estimates −14 %, …`; empty where there is nothing to tell. */
export function sensitivitySentence(changes: readonly OtherChange[]): string {
  if (changes.length < 2) return "";
  const told = changes.map((change) => `${change.what} ${otherChangeText(change)}`);
  return `The change of the mean wait under other assumptions: ${told.join(", ")}.`;
}

/**
 * What other machines would do to the mean wait without another policy; empty where they were not tried.
 *
 * @param policy what the farm does now, simulated
 */
export function machinesSentence(
  { policy, run }: Pick<Reference, "policy" | "run">,
  trials: Trials | undefined,
): string {
  const told = [MORE_MACHINES, FEWER_MACHINES].flatMap((machines) => {
    const trial = trials?.sensitivity.find(({ what }) => what === machines);
    const wait = trial?.waits.find((each) => each.policy === policy)?.waitMeanSeconds;
    return wait === undefined || trial?.isOfOtherJobs === true
      ? []
      : [`${formatDuration(wait)} with ${machines}`];
  });
  if (told.length === 0) return "";
  return `Other machines in place of another policy: simulated, the mean wait under ${policy} is ${formatDuration(run.waitMeanSeconds)}, ${told.join(", ")}.`;
}
