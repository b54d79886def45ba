import type { OnlineSummary } from "../study/index.ts";
import { formatNumber, formatPercent } from "../../report/numbers.ts";

type ByPriority = NonNullable<OnlineSummary["byPriority"]>;

export function priorityCaption({ load }: ByPriority): string {
  return `By the priority under which jobs are paused or left out, ${load === null ? "all slices" : `at ${formatPercent(load)} load`}: maximum stretch ÷ bound, and GB/s of pauses and moves.`;
}

/** The head, then a row for each algorithm and priority. */
export function priorityTable({ rows }: ByPriority): string[][] {
  const penalties = [...new Set(rows.map(({ penaltySeconds }) => penaltySeconds))];
  const kinds = Map.groupBy(rows, ({ policy, priority }) => `${policy}\n${priority}`);
  return [
    [
      "algorithm",
      "priority",
      ...penalties.flatMap((seconds) => [`penalty ${seconds} s`, `GB/s, ${seconds} s`]),
    ],
    ...[...kinds.values()].map((ofKind) => [
      ofKind[0]!.policy,
      ofKind[0]!.priority,
      ...penalties.flatMap((seconds) => {
        const row = ofKind.find(({ penaltySeconds }) => penaltySeconds === seconds);
        return row === undefined
          ? ["–", "–"]
          : [formatNumber(row.degradation), row.gigabytesPerSecond.toFixed(3)];
      }),
    ]),
  ];
}
