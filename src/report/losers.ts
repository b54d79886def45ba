import { direction, type Gains, type PartGain } from "./gains.ts";
import { formatDuration } from "./numbers.ts";
import { underText } from "./wait-verdict.ts";

/** In the order in which a loser is named. */
const named = [
  ["users", "user"],
  ["queues", "queue"],
  ["projects", "project"],
  ["job sizes", "jobs of"],
  ["run times", "jobs that run"],
] as const;

/** Who would lose most, by name, and the longest wait of all, in a sentence; empty where nothing is known. */
export function losersSentence(gains: Gains | null): string {
  if (gains === null) return "";
  const { longestBeforeSeconds, longestAfterSeconds, against, best } = gains;
  const longest = `the longest wait of all is ${formatDuration(longestAfterSeconds)} under ${best}, and ${formatDuration(longestBeforeSeconds)} ${underText({ policy: against })}`;
  for (const [kind, one] of named) {
    const parts = gains.kinds.find((each) => each.kind === kind)?.parts ?? [];
    const losers = parts.filter((part) => direction(part) === 1).toSorted((a, b) => longer(b) - longer(a));
    const [worst] = losers;
    if (worst === undefined) continue;
    const others =
      losers.length === 1 ? "" : `, and ${losers.length - 1} more of the ${parts.length} ${kind} looked at`;
    return `Who would lose most: ${one} ${worst.name}, whose mean wait of ${formatDuration(worst.beforeSeconds)} becomes ${formatDuration(worst.afterSeconds)}${longestOf(worst)}${others}; ${longest}.`;
  }
  const kinds = gains.kinds.map(({ kind }) => kind);
  return kinds.length === 0
    ? `${longest[0]!.toUpperCase()}${longest.slice(1)}.`
    : `None of the ${kinds.join(", ")} looked at waits clearly longer; ${longest}.`;
}

function longer({ beforeSeconds, afterSeconds }: PartGain): number {
  return afterSeconds - beforeSeconds;
}

function longestOf({ longestAfterSeconds }: PartGain): string {
  return ` (at most ${formatDuration(longestAfterSeconds)})`;
}
