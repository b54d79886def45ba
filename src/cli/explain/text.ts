import { formatDuration } from "../../report/index.ts";
import type { Cause, Explanation, Reason, Step } from "../../simulation/index.ts";

/** An explanation in words, a step of the job a paragraph. Times count from its submission. */
export function explanationText(explanation: Explanation): string {
  const { job, submitSeconds, runtimeSeconds, rejected, startSeconds, completedSeconds } = explanation;
  const since = (seconds: number): string => `+${plain(formatDuration(seconds - submitSeconds))}`;
  const lines = [
    `Job ${job}, submitted at ${submitSeconds} s, runs ${plain(formatDuration(runtimeSeconds))}.`,
  ];
  if (rejected !== undefined) return [...lines, `It was rejected: ${rejected}.`].join("\n");
  if (startSeconds !== null && completedSeconds !== null) {
    lines.push(
      `It first started after ${plain(formatDuration(startSeconds - submitSeconds))} and was done after ${plain(formatDuration(completedSeconds - submitSeconds))}.`,
    );
  }
  for (const step of explanation.steps) lines.push("", ...stepLines(step, since));
  if (explanation.alternatives.length > 0) {
    lines.push("", "With this policy in all pools it would have started:");
    const width = Math.max(...explanation.alternatives.map(({ policy }) => policy.length));
    for (const { policy, startSeconds: at } of explanation.alternatives)
      lines.push(`  ${policy.padEnd(width)}  ${at === null ? "never" : since(at)}`);
  }
  return lines.join("\n");
}

function stepLines(step: Step, since: (seconds: number) => string): string[] {
  const { doing, pool, attempt, because, machines, cycles, reasons, fromSeconds, toSeconds } = step;
  const where = machines === undefined ? pool : `${pool} on ${machines.join(", ")}`;
  const which = attempt === 1 ? "" : ` (attempt ${attempt})`;
  const time = plain(formatDuration(toSeconds - fromSeconds));
  const lines = [
    `${since(fromSeconds)}  ${doing} ${doing === "in transfer" ? "to" : "in"} ${where}${which} for ${time}`,
  ];
  if (because !== undefined) lines.push(`  ${causeText(because)}`);
  if (reasons !== undefined) {
    lines.push(`  ${cycles === 1 ? "a cycle" : `${cycles} cycles`} passed it by:`);
    for (const reason of reasons) lines.push(`  - ${reasonText(reason)}`);
  } else if (doing === "waiting" && toSeconds > fromSeconds) {
    lines.push("  the pool had no cycle until then");
  }
  return lines;
}

function causeText(cause: Cause): string {
  switch (cause.kind) {
    case "submitted":
      return `submitted; its virtual pool chose the pool (${cause.routing})`;
    case "started":
      return "its turn came, and there was room";
    case "resumed":
      return "its machines had room for it again";
    case "suspended":
      return cause.by.length === 0 ? "a job above it took its place" : `suspended for ${jobs(cause.by)}`;
    case "moved":
      return `moved from ${cause.from}, where it ${cause.when === "suspended" ? "was suspended" : "waited for long"} (${cause.strategy})`;
    case "duplicated":
      return `a second attempt beside the first (${cause.strategy})`;
    case "arrived":
      return "it arrived";
  }
}

export function reasonText(reason: Reason): string {
  switch (reason.kind) {
    case "requirement":
      return `${machines(reason.machines)} not meet ${reason.part}: ${reason.has}`
        .replace("machine not", "machine does not")
        .replace("machines not", "machines do not");
    case "too small":
      return `${machines(reason.machines)} could not hold it even when empty`;
    case "drained":
      return `${machines(reason.machines)} ${reason.machines === 1 ? "takes" : "take"} no jobs`;
    case "too full": {
      const { machine, coresShort, memoryShortMiB, running, suspended } = reason.nearest;
      const short = [
        ...(coresShort > 0 ? [coresShort === 1 ? "1 core" : `${coresShort} cores`] : []),
        ...(memoryShortMiB > 0 ? [`${memoryShortMiB} MiB`] : []),
      ];
      const who = [
        ...(running.length > 0 ? [`${jobs(running)} running`] : []),
        ...(suspended.length > 0 ? [`${jobs(suspended)} suspended`] : []),
      ];
      const there = who.length === 0 ? "" : `, with ${who.join(" and ")}`;
      return `${machines(reason.machines)} ${reason.machines === 1 ? "is" : "are"} too full; nearest is ${machine}, which lacks ${short.join(" and ") || "a GPU"}${there}`;
    }
    case "kept free": {
      const { tasks, tasksWithRoom, before, beforeCount } = reason;
      if (tasksWithRoom < tasks)
        return `${machines(reason.machines)} ${reason.machines === 1 ? "has" : "have"} room, but for ${tasksWithRoom} of its ${tasks} tasks`;
      const whom =
        beforeCount === 0
          ? "by the policy"
          : `for the ${beforeCount} before it in the queue, first ${jobs(before)}`;
      return `${machines(reason.machines)} with room ${reason.machines === 1 ? "was" : "were"} kept free ${whom}`;
    }
  }
}

function machines(count: number): string {
  return count === 1 ? "1 machine" : `${count} machines`;
}

function jobs(numbers: readonly number[]): string {
  return numbers.length === 1 ? `job ${numbers[0]}` : `jobs ${numbers.join(", ")}`;
}

/** A terminal's blanks break where they like. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}
