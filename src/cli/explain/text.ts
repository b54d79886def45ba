import { formatDuration } from "../../report/index.ts";
import {
  closedText,
  dominantReason,
  aboveText,
  gpusText,
  latePromiseText,
  unmetText,
  type Ahead,
  type Cause,
  type Explanation,
  type Rank,
  type Reason,
  type StartIf,
  type Step,
  type WaitSpan,
} from "../../simulation/index.ts";
import { memoryText } from "../../core/index.ts";
import { fold, type FoldedSteps } from "./fold.ts";
import { jobs, machines } from "./names-text.ts";
import { promiseText, whereText, wouldDelayText } from "./promise-text.ts";
import { spansText } from "./spans-text.ts";

/**
 * An explanation in words, a step of the job a paragraph. Times count from its submission.
 *
 * @param unixStartSeconds when the log's clock shows 0, in seconds since 1970; undefined: unknown
 */
export function explanationText(explanation: Explanation, unixStartSeconds: number | undefined): string {
  const { job, arrayIndex, submitSeconds, runtimeSeconds, rejected, startSeconds, completedSeconds } =
    explanation;
  const since = (seconds: number): string => `+${plain(formatDuration(seconds - submitSeconds))}`;
  const name = arrayIndex === undefined ? String(job) : `${job}[${arrayIndex}]`;
  const lines = [
    `Job ${name}, submitted ${instantText(submitSeconds, unixStartSeconds)}, runs ${plain(formatDuration(runtimeSeconds))}.`,
  ];
  if (rejected !== undefined) return [...lines, `It was rejected: ${rejected}.`].join("\n");
  if (startSeconds !== null && completedSeconds !== null) {
    lines.push(
      `It first started after ${plain(formatDuration(startSeconds - submitSeconds))} and was done after ${plain(formatDuration(completedSeconds - submitSeconds))}.`,
    );
  }
  lines.push(...waitLines(explanation.waits));
  for (const step of fold(explanation.steps))
    lines.push("", ...("steps" in step ? foldedLines(step, since) : stepLines(step, since)));
  if (explanation.helps.length > 0) {
    lines.push("", "It would have started (each tried in a run of its own):");
    for (const { change, startSeconds: at } of explanation.helps)
      lines.push(`  ${since(at)}  with ${changeText(change)}`);
  }
  if (explanation.alternatives.length > 0) {
    lines.push("", "With this policy in all pools it would have started:");
    const width = Math.max(...explanation.alternatives.map(({ policy }) => policy.length));
    for (const { policy, startSeconds: at } of explanation.alternatives)
      lines.push(`  ${policy.padEnd(width)}  ${at === null ? "never" : since(at)}`);
  }
  return lines.join("\n");
}

/** The reason that kept it for longest, and how the reason changed. */
function waitLines(waits: readonly WaitSpan[]): string[] {
  if (waits.length === 0) return [];
  const lengthOf = ({ fromSeconds, toSeconds }: WaitSpan): number => toSeconds - fromSeconds;
  const longest = waits.reduce((most, each) => (lengthOf(each) > lengthOf(most) ? each : most));
  const changes = spansText(waits.map((each) => ({ token: each.token, seconds: lengthOf(each) })));
  return [`${longest.token}: ${longest.sentence}.`, `It waited: ${changes}.`];
}

/** Jobs that wait before another, and what they ask for. */
export function aheadText(ahead: Ahead): string {
  return `${ahead.jobs === 1 ? "1 job is" : `${ahead.jobs} jobs are`} ahead, ${limitsText(ahead)}`;
}

/** For how many core-hours jobs may run by their limits. How long they are expected to run is a forecast's. */
export function limitsText({ jobs: count, coreHours, withoutLimit }: Ahead): string {
  if (withoutLimit === count) return "without a limit";
  const without =
    withoutLimit === 0 ? "" : `, and ${withoutLimit} of them ${withoutLimit === 1 ? "has" : "have"} no limit`;
  const hours = `${hoursText(coreHours)} core-${coreHours === 1 ? "hour" : "hours"}`;
  return `with ${hours} by ${count === 1 ? "its limit" : "their limits"}${without}`;
}

function changeText({ cores, memoryMiB, estimateSeconds }: StartIf["change"]): string {
  if (memoryMiB !== undefined) return `${memoryMiB} MiB of memory`;
  if (cores !== undefined) return cores === 1 ? "1 core" : `${cores} cores`;
  return `an estimate of ${plain(formatDuration(estimateSeconds ?? 0))}`;
}

/** A date where the log tells dates, else seconds on its clock. */
function instantText(seconds: number, unixStartSeconds: number | undefined): string {
  const date = new Date((seconds + (unixStartSeconds ?? Number.NaN)) * 1000);
  return Number.isNaN(date.getTime())
    ? `at ${Math.round(seconds * 1000) / 1000} s`
    : `${date.toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

function foldedLines({ steps, moves, pools }: FoldedSteps, since: (seconds: number) => string): string[] {
  const [first, last] = [steps[0]!, steps.at(-1)!];
  const time = plain(formatDuration(last.toSeconds - first.fromSeconds));
  const how =
    moves === 0
      ? `waiting in ${pools.join(", ")}, for reasons that took turns`
      : `moved to and fro ${moves === 1 ? "once" : `${moves} times`}: ${pools.join(", ")}`;
  return [`${since(first.fromSeconds)}  ${how}, for ${time} (${steps.length} steps; --json has them all)`];
}

function stepLines(step: Step, since: (seconds: number) => string): string[] {
  const { doing, pool, attempt, because, machines, cycles, reasons, ahead, fromSeconds, toSeconds } = step;
  const where = machines === undefined ? pool : `${pool} on ${machines.join(", ")}`;
  const which = attempt === 1 ? "" : ` (attempt ${attempt})`;
  const time = plain(formatDuration(toSeconds - fromSeconds));
  const at = (seconds: number): string => `at ${since(seconds)}`;
  const lines = [
    `${since(fromSeconds)}  ${doing} ${doing === "in transfer" ? "to" : "in"} ${where}${which} for ${time}`,
  ];
  if (because !== undefined) lines.push(`  ${causeText(because, at)}`);
  if (reasons !== undefined) {
    if (cycles !== undefined) lines.push(`  ${cycles === 1 ? "a cycle" : `${cycles} cycles`} passed it by:`);
    const dominant = doing === "waiting" ? dominantReason(reasons) : null;
    if (dominant !== null) lines.push(`  ${dominant.token}: ${dominant.sentence}`);
    for (const reason of reasons) lines.push(`  - ${reasonText(reason, at)}`);
    if (ahead !== undefined) lines.push(`  - ${aheadText(ahead)}`);
  } else if (doing === "waiting" && toSeconds > fromSeconds) {
    lines.push("  the pool had no cycle until then");
  }
  return lines;
}

export function causeText(cause: Cause, at: (seconds: number) => string): string {
  switch (cause.kind) {
    case "submitted":
      return cause.routing === undefined
        ? "submitted"
        : `submitted; its virtual pool chose the pool (${cause.routing})`;
    case "assigned":
      return `it waited until a pool had room, and its virtual pool chose this one (${cause.routing})`;
    case "started": {
      const { firstSeconds, delay = null, by } = cause;
      const late = { delay, ...(by === undefined ? {} : { by }) };
      return `its turn came, and there was room${firstSeconds === undefined ? "" : `; ${latePromiseText({ firstSeconds, ...late }, at)}`}`;
    }
    case "resumed":
      return "its machines had room for it again";
    case "suspended":
      return cause.by.length === 0
        ? "a job above it took its place"
        : `suspended for ${jobs(cause.by)}${rankText(cause.rank, cause.by.length)}`;
    case "moved":
      return `moved from ${cause.from}, where it ${cause.when === "suspended" ? "was suspended" : "waited for long"} (${cause.strategy})`;
    case "duplicated":
      return `a second attempt beside the first (${cause.strategy})`;
    case "lost":
      return "its machine failed: it starts again";
    case "killed":
      return "ended for a job above it, as its pool cannot suspend: it starts again";
    case "arrived":
      return "it arrived";
  }
}

export function reasonText(reason: Reason, since: (seconds: number) => string): string {
  switch (reason.kind) {
    case "requirement":
      return `${machines(reason.machines)} ${unmetText(reason)}`;
    case "limit":
      return `it would be ${aboveText(reason)}`;
    case "licence":
      return `it asks for ${reason.asked} of the licence ${reason.licence}, of which ${reason.inUse} of ${reason.count} ${reason.inUse === 1 ? "is" : "are"} in use${(reason.by ?? []).length === 0 ? "" : `, by ${jobs(reason.by!)}`}`;
    case "too small":
      return `${machines(reason.machines)} could not hold it even when empty`;
    case "drained":
      return `${machines(reason.machines)} ${reason.machines === 1 ? "takes" : "take"} no jobs${closedText(reason)}`;
    case "refused it":
      return `${machines(reason.machines)} could not start it a short while ago`;
    case "spared":
      return `${reason.jobs} running ${reason.jobs === 1 ? "job" : "jobs"} of lower priority could not be suspended for it a short while ago`;
    case "no pool has room":
      return `none of its pools took it: ${reason.pools.join(", ")}`;
    case "other families":
      return `${machines(reason.machines)} ${reason.machines === 1 ? "is" : "are"} reserved to other families`;
    case "reserved":
      return reason.hasBegun
        ? `${machines(reason.machines)} ${reason.machines === 1 ? "is" : "are"} kept for others by the reservation ${reason.reservation}, which is over ${since(reason.untilSeconds)}`
        : !reason.hasLimit
          ? `it has no time limit (--time), and so does not start on ${machines(reason.machines)} before the reservation ${reason.reservation} is over ${since(reason.untilSeconds)}`
          : `its limit reaches into the reservation ${reason.reservation} of ${machines(reason.machines)}, which begins ${since(reason.fromSeconds)}`;
    case "share used": {
      const { project, of, usedHours, dueHours, before } = reason;
      const unit = of === "memory" ? "GiB-hours" : "core-hours";
      const [whose, its] =
        project === "" ? ["jobs without a project have", "their"] : [`its project ${project} has`, "its"];
      const what = of === "dominant" ? `${unit} of ${its} dominant resource` : unit;
      return `${whose} used ${hoursText(usedHours)} ${what}, as far as that still counts, and ${its} share of what all have used is ${hoursText(dueHours)}: ${jobs(before)}, which came later, ${before.length === 1 ? "goes" : "go"} before it`;
    }
    case "behind":
      return `it comes after job ${reason.job}, which has no room, and no job may pass it`;
    case "would delay": {
      const when =
        reason.startSeconds === null
          ? ""
          : `, which is promised a start ${since(reason.startSeconds)} at the latest`;
      return `${whereText(reason.machines)} would delay job ${reason.job}, the first in the queue${when}`;
    }
    case "promised":
      return promiseText(reason, since);
    case "would delay promises":
      return wouldDelayText(reason, since);
    case "not examined":
      return `a cycle looks at the first ${reason.examined} jobs of the queue, and it was not among them`;
    case "too full": {
      const { machine, coresShort, memoryShortMiB, running, suspended } = reason.nearest;
      const gpus = gpusText(reason.nearest);
      const short = [
        ...(coresShort > 0 ? [coresShort === 1 ? "1 core" : `${coresShort} cores`] : []),
        ...(memoryShortMiB > 0 ? [memoryText(memoryShortMiB)] : []),
        ...(gpus === "" ? [] : [gpus]),
      ];
      const who = [
        ...(running.length > 0 ? [`${jobs(running)} running`] : []),
        ...(suspended.length > 0 ? [`${jobs(suspended)} suspended`] : []),
      ];
      const there = who.length === 0 ? "" : `, with ${who.join(" and ")}`;
      return `${machines(reason.machines)} ${reason.machines === 1 ? "is" : "are"} too full; nearest is ${machine}, which lacks ${short.join(" and ")}${there}`;
    }
    case "kept free": {
      const { tasks, tasksWithRoom, before, beforeCount, rank } = reason;
      if (tasksWithRoom < tasks)
        return `${machines(reason.machines)} ${reason.machines === 1 ? "has" : "have"} room, but for ${tasksWithRoom} of its ${tasks} tasks`;
      const whom =
        beforeCount === 0
          ? "for another job, until the next cycle"
          : `for the ${beforeCount} before it in the queue, first ${jobs(before)}${rankText(rank, before.length)}`;
      return `${machines(reason.machines)} with room ${reason.machines === 1 ? "was" : "were"} kept free ${whom}`;
    }
  }
}

/** Why the first of some jobs comes before this one. */
export function rankText(rank: Rank | undefined, jobs: number): string {
  if (rank === undefined) return "";
  const which = jobs === 1 ? "which" : "of which the first";
  switch (rank.kind) {
    case "owner":
      return `, ${which} is of the group ${rank.group}, whose machines are in this pool`;
    case "priority":
      return `, ${which} has the priority ${rank.priority}, and this one ${rank.ownPriority}`;
    case "share":
      return `, ${which} is of a project that comes before its own by fair share`;
    case "earlier":
      return `, ${which} was submitted earlier`;
  }
}

/** Three digits are enough to compare by. */
export function hoursText(hours: number): string {
  return hours >= 100 ? String(Math.round(hours)) : String(Number(hours.toPrecision(3)));
}

/** A terminal's blanks break where they like. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
