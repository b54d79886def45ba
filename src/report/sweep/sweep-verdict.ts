import { listText } from "../list-text.ts";
import { formatChange, formatChangeRange } from "../numbers.ts";
import type { Tile } from "../tiles.ts";
import { ratiosOf, sweepMeasures, type Ratio } from "./ratios.ts";
import type { SweepInput } from "./sweep-input.ts";

type Known = Ratio & { readonly ratio: number };

/** What a sweep comes to by its first measure; null where no pair of runs has a ratio. */
export interface SweepVerdict {
  readonly decision: string;
  readonly tiles: readonly Tile[];
}

export function sweepVerdict(sweep: SweepInput): SweepVerdict | null {
  const [measure] = sweepMeasures;
  const { logs, all } = ratiosOf(sweep, measure!);
  const best = all
    .filter((each): each is Known => each.ratio !== null)
    .toSorted((a, b) => a.ratio - b.ratio)[0];
  if (best === undefined) return null;
  const { policy, ratio, interval } = best;
  const isShorter = ratio < 1 && (interval === null || interval.high < 1);
  const onLogs = logs
    .flatMap(({ log, ratios }) => {
      const there = ratios.find((each) => each.policy === policy)!.ratio;
      return there === null ? [] : [{ log, ratio: there }];
    })
    .toSorted((a, b) => b.ratio - a.ratio);
  const [worst] = onLogs;
  const better = onLogs.filter((each) => each.ratio < 1).length;
  const loses = worst !== undefined && worst.ratio > 1;
  const change = (of: number): string => formatChange(of - 1);
  const weak = sweep.logs.filter(({ unseen }) => unseen.length > 0).map(({ name }) => name);
  const but = weak.length === 0 ? "" : ` But the runs of ${listText(weak)} do not see enough: read below.`;
  return {
    decision: isShorter
      ? `Jobs wait least under ${policy}, over all logs`
      : `Under no policy jobs clearly wait less than under ${sweep.baseline}, over all logs`,
    tiles: [
      {
        question: `${measure!.title} against ${sweep.baseline}`,
        answer: change(ratio),
        note: `${policy}, as a geometric mean in which each log counts alike.`,
        // None is claimed where runs know what no farm does, or miss machines.
        isGain: isShorter && interval !== null && weak.length === 0,
      },
      {
        question: "Where it loses most",
        answer: loses ? worst.log : "On no log",
        note:
          worst === undefined
            ? ""
            : loses
              ? `The mean wait is ${change(worst.ratio)} there.`
              : `Least is gained on ${worst.log}: ${change(worst.ratio)}.`,
      },
      {
        question: "How sure",
        answer: `Better on ${better} of ${onLogs.length} ${onLogs.length === 1 ? "log" : "logs"}`,
        note:
          interval === null
            ? `Nothing is drawn twice: there is no interval. Other logs may differ.${but}`
            : `95 % over what is drawn: ${formatChangeRange(interval.low - 1, interval.high - 1)}. Other logs may differ.${but}`,
      },
    ],
  };
}
