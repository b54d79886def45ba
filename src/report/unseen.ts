import { isAssumed, type Fidelity } from "../simulation/recorded/fidelity.ts";
import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import type { PartWaits, WaitsByPart } from "../simulation/figures/waits-by-part.ts";
import type { MachineUse, WithoutLimits } from "./input.ts";
import { NO_MATTER_SECONDS } from "../simulation/comparison/wait-comparison.ts";
import { listText } from "./list-text.ts";
import { counted, formatDuration, formatPercent } from "./numbers.ts";
import { nearestText } from "./reference.ts";
import { AS_BELIEVED, type Trials } from "./trials.ts";

/** A machine with more than this part of the jobs stands out, where there are several. */
const MOST_JOBS = 0.9;
/** Simulated and recorded mean waits of a queue or user are alike within this factor, or a minute. */
const ALIKE_FACTOR = 2;
const ALIKE_SECONDS = 60;

/** What the simulation cannot see of the farm, in sentences; none where nothing stands out. */
export function unseenOf(
  recorded: RecordedRun | undefined,
  fidelity: Fidelity | undefined,
  use: MachineUse | undefined,
  withoutLimits?: WithoutLimits,
  trials?: Trials,
): string[] {
  return [
    ...(use === undefined ? [] : machinesUnseen(use)),
    ...(withoutLimits === undefined ? [] : [limitsUnseen(withoutLimits, trials)]),
    ...(recorded === undefined || fidelity === undefined ? [] : [validation(recorded, fidelity)]),
  ];
}

/** What it means for the simulation that jobs have no limits. */
export function limitsUnseen({ jobsShare, policies }: WithoutLimits, trials?: Trials): string {
  const jobs = jobsShare === 1 ? "No job has" : `${formatPercent(jobsShare)} of the jobs have no`;
  const limit = jobsShare === 1 ? "a limit of its run time in the log" : "limit of their run time in the log";
  return `${jobs} ${limit}: simulated, ${listText(policies)} ${policies.length === 1 ? "plans" : "plan"} with how long they really ran, which no farm knows before. ${believedText(policies, trials)}`;
}

function believedText(policies: readonly string[], trials: Trials | undefined): string {
  const trial = trials?.sensitivity.find(({ what }) => what === AS_BELIEVED);
  const told = (trial?.waits ?? []).filter(({ policy }) => policies.includes(policy));
  if (told.length === 0)
    return "Most batch systems believe that such jobs run for years, and let them hardly pass others.";
  const waits = told.map(
    ({ policy, waitMeanSeconds }) => `${formatDuration(waitMeanSeconds)} under ${policy}`,
  );
  return `Most batch systems believe that such jobs run for years: so planned, the mean wait is ${listText(waits)}.`;
}

function machinesUnseen({ isInferred, machines, queue, used, busiest }: MachineUse): string[] {
  const inferred = isInferred
    ? [
        "The machines are inferred, each only as large as what ran on it: that the simulation comes near the record then proves little.",
      ]
    : [];
  if (isInferred && queue?.machines === 1 && machines > 1 && queue.jobsShare > MOST_JOBS)
    inferred.push(
      `${formatPercent(queue.jobsShare)} of the jobs are of queue ${queue.name}, and all of these ran on 1 of ${counted(machines, "machine")}: if the queue has more than the log shows, jobs would have waited less than simulated.`,
    );
  const open = queue?.machines ?? machines;
  const jobs = queue === undefined ? "jobs" : `jobs of queue ${queue.name}`;
  const of = `${queue === undefined ? "" : "its "}${counted(open, "machine")}`;
  const ran =
    busiest !== undefined && open > 1 && busiest.jobsShare > MOST_JOBS
      ? `${formatPercent(busiest.jobsShare)} of the ${jobs} ran on 1 of ${of} (${busiest.name})`
      : used !== undefined && used < open / 2
        ? `J${jobs.slice(1)} ran on ${used} of ${of}`
        : null;
  if (ran === null) return inferred;
  const question =
    queue === undefined
      ? "a partition or constraint that the log does not tell? Simulated, all machines are open to all jobs."
      : "a constraint that the log does not tell? Simulated, all of these are open to them.";
  return [...inferred, `${ran}: ${question}`];
}

/** How the simulation of the site's policy compares with the record, in a sentence or two. */
function validation(recorded: RecordedRun, fidelity: Fidelity): string {
  const { policy, because, waitMeanSeconds, waitDayCorrelation, isMeanNear, isNear } = fidelity;
  const means = `a mean wait of ${formatDuration(waitMeanSeconds)} where ${formatDuration(recorded.waitMeanSeconds)} was recorded`;
  const days =
    waitDayCorrelation === null
      ? ""
      : isMeanNear
        ? `; day by day it ${followsText(waitDayCorrelation)}`
        : `; its rise and fall from day to day ${followsText(waitDayCorrelation)}`;
  const parts = partsText(recorded.waitsBy, fidelity.waitsBy);
  const opening = `Simulated, ${policy} (${nearestText(because)}) has ${means}${days}${parts}.`;
  if (isNear) return opening;
  const why =
    waitMeanSeconds > recorded.waitMeanSeconds
      ? "the farm may have had more, or larger, machines than were given"
      : isStartLatency(recorded.waitMeanSeconds, waitMeanSeconds)
        ? "jobs waited for no machine, only for the farm to start them (its cycle, prologs, nodes that boot)"
        : "the simulation leaves out much of what jobs waited for, such as limits of users, reservations and priorities";
  if (fidelity.nearer !== undefined)
    return `${opening} ${fidelity.nearer} follows the record: if that is what ran, say so (--baseline ${fidelity.nearer}). Until then simulated policies are compared with each other, not with the record.`;
  return isMeanNear
    ? `${opening} The means are near by chance, so simulated policies are compared with each other, not with the record.`
    : `${opening} ${isAssumed(because) ? "Another policy may have run (name it with --baseline), or " : ""}${isAssumed(because) ? why : `${why[0]!.toUpperCase()}${why.slice(1)}`}: simulated policies are compared with each other, not with the record.`;
}

/** Recorded mean waits above this, in seconds, are not of starting jobs alone. */
const LONGEST_START_SECONDS = 600;

/** Whether what was recorded is about how long the farm takes to start a job: hardly any waits in the simulation. */
export function isStartLatency(recordedSeconds: number, simulatedSeconds: number): boolean {
  return simulatedSeconds < NO_MATTER_SECONDS && recordedSeconds < LONGEST_START_SECONDS;
}

/** A correlation in words. */
export function followsText(correlation: number): string {
  const figure = correlation.toFixed(2).replace("-", "−");
  const words =
    correlation >= 0.8
      ? "follows the record closely"
      : correlation >= 0.5
        ? "follows the record roughly"
        : correlation >= 0.2
          ? "follows the record weakly"
          : "does not follow the record";
  return `${words} (correlation ${figure})`;
}

/** The parts that are compared of each kind: the mean wait of a few jobs says little about a simulation. */
const MOST_PARTS = 20;

const kinds = [
  ["queues", "queue"],
  ["users", "user"],
  ["cores", "job size"],
] as const;

/** In how many parts of the log the two are alike. */
function partsText(recorded: WaitsByPart, simulated: WaitsByPart | undefined): string {
  const told = kinds.flatMap(([key, one]) => {
    const all = recorded[key] ?? [];
    const pairs = paired(all.slice(0, MOST_PARTS), simulated?.[key] ?? []);
    const alike = pairs.filter(([was, is]) => isAlike(was.waitMeanSeconds, is.waitMeanSeconds)).length;
    return pairs.length < 2
      ? []
      : [
          all.length > MOST_PARTS
            ? `${alike} of the ${counted(pairs.length, one)} with the most jobs`
            : `${alike} of ${counted(pairs.length, one)}`,
        ];
  });
  return told.length === 0 ? "" : `; within a factor of ${ALIKE_FACTOR} are ${listText(told)}`;
}

export function paired(
  recorded: readonly PartWaits[],
  simulated: readonly PartWaits[],
): [was: PartWaits, is: PartWaits][] {
  const known = new Map(simulated.map((part) => [part.name, part]));
  return recorded.flatMap((was): [PartWaits, PartWaits][] => {
    const is = known.get(was.name);
    return is === undefined ? [] : [[was, is]];
  });
}

export function isAlike(was: number, is: number): boolean {
  if (Math.abs(was - is) < ALIKE_SECONDS) return true;
  return was <= ALIKE_FACTOR * is && is <= ALIKE_FACTOR * was;
}
