import { direction, lost, partName, type Gains, type PartGain } from "./gains.ts";
import { formatCount, formatDuration } from "./numbers.ts";
import { underText } from "./wait-verdict.ts";

/** In the order in which a loser is named. */
const kindsInOrder = ["users", "queues", "projects", "job sizes", "run times"];

/**
 * Who would lose most: of those who wait clearly longer, the one with the largest sum over its jobs. Who waits long anyhow
 * may have a larger sum and hardly notice it.
 */
export interface Loser {
  /** `user 17`, `jobs of 5 to 16 cores`. */
  readonly name: string;
  readonly part: PartGain;
  /** How many more lose of how many, and what they are. */
  readonly others: number;
  readonly of: number;
  readonly kind: string;
}

/** Null where none waits clearly longer. */
export function loserOf(gains: Gains): Loser | null {
  for (const kind of kindsInOrder) {
    const parts = gains.kinds.find((each) => each.kind === kind)?.parts ?? [];
    const losers = parts.filter((part) => direction(part) === 1).toSorted((a, b) => lost(b) - lost(a));
    const [part] = losers;
    if (part !== undefined)
      return { name: partName(kind, part), part, others: losers.length - 1, of: parts.length, kind };
  }
  return null;
}

/** Who would lose most, by name, and the longest wait of all, in a sentence; empty where nothing is known. */
export function losersSentence(gains: Gains | null): string {
  if (gains === null) return "";
  const { longestBeforeSeconds, longestAfterSeconds, against, best } = gains;
  const [before, after] = [formatDuration(longestBeforeSeconds), formatDuration(longestAfterSeconds)];
  const longest =
    before === after
      ? `the longest wait of all stays ${after}`
      : `the longest wait of all is ${after} under ${best}, and ${before} ${underText({ policy: against })}`;
  const loser = loserOf(gains);
  if (loser !== null) {
    const { name, part, others, of, kind } = loser;
    const more = others === 0 ? "" : `, and ${others} more of the ${of} ${kind} would wait longer`;
    return `Who would lose most: ${name}, whose mean wait of ${formatDuration(part.beforeSeconds)} becomes ${formatDuration(part.afterSeconds)} (${formatCount(part.jobs)} jobs, at most ${formatDuration(part.longestAfterSeconds)})${more}; ${longest}.`;
  }
  const kinds = gains.kinds.map(({ kind }) => kind);
  return kinds.length === 0
    ? `${longest[0]!.toUpperCase()}${longest.slice(1)}.`
    : `None of the ${kinds.join(", ")} waits clearly longer; ${longest}.`;
}
