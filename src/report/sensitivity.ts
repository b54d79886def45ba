import { counted, formatChange, formatDuration, formatPercent } from "./numbers.ts";
import type { Reference } from "./reference.ts";
import type { PolicyRun } from "./runs.ts";
import type { Trial, Trials } from "./trials.ts";

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
  const told = (["more", "fewer"] as const).flatMap((direction) => {
    const trial = onMachines(direction, policy, trials);
    return trial === null ? [] : [`${formatDuration(trial.waitMeanSeconds)} with ${trial.what}`];
  });
  if (told.length === 0) return "";
  const queue = trials?.busyQueue;
  const where =
    queue === undefined
      ? ""
      : `${formatPercent(queue.waitsShare)} of all waiting is in queue ${queue.name}, which has ${queue.machines} of ${counted(queue.allMachines, "machine")}; `;
  return `Other machines in place of another policy: ${where}simulated, the mean wait under ${policy} is ${formatDuration(run.waitMeanSeconds)}, ${told.join(", ")}.`;
}

/** More machines of one queue help if the mean wait is at most this part of what it was. */
const HELPS = 0.9;

/** What to do about the queue that most waiting is in, where more machines of it would help; empty where not. */
export function busyQueueSentence(
  { policy, run }: Pick<Reference, "policy" | "run">,
  trials: Trials | undefined,
): string {
  const queue = trials?.busyQueue;
  const more = onMachines("more", policy, trials);
  if (queue === undefined || more === null || more.waitMeanSeconds > HELPS * run.waitMeanSeconds) return "";
  return `Jobs wait for the machines of queue ${queue.name}: see whether others can take its jobs too.`;
}

function onMachines(
  direction: Trial["on"],
  policy: string,
  trials: Trials | undefined,
): { readonly what: string; readonly waitMeanSeconds: number } | null {
  const trial = trials?.sensitivity.find(({ on }) => on === direction);
  const waits = trial?.waits.find((each) => each.policy === policy);
  return trial === undefined || waits === undefined || trial.isOfOtherJobs === true
    ? null
    : { what: trial.what, waitMeanSeconds: waits.waitMeanSeconds };
}
