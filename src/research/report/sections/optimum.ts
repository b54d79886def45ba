import type { Nearness } from "../../study/optimum/standing.ts";
import type { OptimumResult } from "../../study/optimum/optimum.ts";
import { lineChart } from "../../../report/charts/line-chart.ts";
import { extremes } from "../../../report/finding.ts";
import { markup, none } from "../../../report/markup.ts";
import type { Markup } from "../../../report/markup.ts";
import type { StudyModel } from "../input.ts";
import { formatCount, formatMilliseconds, formatShare } from "../../../report/numbers.ts";
import { cell, numberCell, tableOf, wideFigure } from "../../../report/sections/parts.ts";
import type { Section } from "../../../report/sections/parts.ts";

/** How many of the jobs that could start each policy starts. */
export const optimumSection: Section<StudyModel> = {
  id: "optimum",
  title: "Jobs started, of those that could",
  render({ input: { optimum } }) {
    return optimum === undefined ? none : markup`${table(optimum)}${plot(optimum)}${courseTable(optimum)}`;
  },
};

function table({ standings, compared, provenCycles }: OptimumResult): Markup {
  const best = (of: (row: OptimumResult["standings"][number]) => Nearness): number =>
    Math.max(...standings.map((row) => of(row).share));
  const bests = { reserved: best((row) => row.reserved), unreserved: best((row) => row.unreserved) };
  const cells = (near: Nearness, most: number): Markup[] => [
    numberCell(formatShare(near.share), near.share === most),
    numberCell(formatShare(near.shareWorst)),
    numberCell(formatCount(near.cyclesReached)),
    numberCell(formatMilliseconds(near.secondsMedian)),
  ];
  const rows = standings.map(
    ({ policy, reserved, unreserved }) =>
      markup`<tr>${cell(policy)}${cells(reserved, bests.reserved)}${cells(unreserved, bests.unreserved)}</tr>`,
  );
  const numeric = true;
  return tableOf(
    `Jobs started, of the most that could start, over ${formatCount(compared.length)} cycles in which jobs were left waiting: of all cycles together, in the worst cycle, and in how many cycles the most were started; with the median time of a cycle. The most is proven in ${formatCount(provenCycles)} cycles and an upper bound in the others, so policies are at least so near. Left: with the pool's reservations; right: with none.`,
    [
      { title: "Policy" },
      { title: "started", numeric },
      { title: "worst", numeric },
      { title: "reached", numeric },
      { title: "time", numeric },
      { title: "none reserved: started", numeric },
      { title: "worst", numeric },
      { title: "reached", numeric },
      { title: "time", numeric },
    ],
    [markup`<tbody>${rows}</tbody>`],
  );
}

function plot({ standings, solveSecondsMedian }: OptimumResult): Markup {
  const policies = standings.map(({ policy, reserved, unreserved }, index) => ({
    name: policy,
    index,
    emphasized: false,
    points: [reserved, unreserved].map(({ secondsMedian, share }): [number, number] => [
      secondsMedian * 1000,
      share,
    ]),
  }));
  const solver = {
    name: "linear programs",
    index: standings.length,
    emphasized: false,
    points: [[solveSecondsMedian * 1000, 1] as [number, number]],
  };
  const description = extremes(
    standings.map(({ policy, unreserved }) => ({
      name: policy,
      value: unreserved.share,
      text: `${formatShare(unreserved.share)} in ${formatMilliseconds(unreserved.secondsMedian)}`,
    })),
  );
  const chart = lineChart(
    {
      x: { title: "Milliseconds a cycle", quantity: "number", isFromZero: true },
      y: { title: "Jobs started, of the most that could", quantity: "share" },
      series: [...policies, solver],
      isWide: true,
    },
    {
      id: "optimum-plot",
      title: "Jobs started against time spent",
      description: `None reserved. ${description}`,
    },
  );
  return wideFigure(
    chart,
    "Jobs started against time spent: up and to the left is better. A line leads from a policy with the pool's reservations to the same policy with none, where its name is.",
  );
}

/** The cycles in which the most jobs could start. */
function courseTable({ compared, standings }: OptimumResult): Markup {
  const bestOf = (jobs: readonly number[]): Markup => {
    const most = Math.max(...jobs);
    return markup`${numberCell(formatCount(most))}${cell(standings[jobs.indexOf(most)]!.policy)}`;
  };
  const largest = compared.toSorted((a, b) => b.high - a.high || a.nowSeconds - b.nowSeconds).slice(0, 10);
  const rows = largest.map(
    ({ nowSeconds, waitingJobs, low, high, reserved, unreserved }) =>
      markup`<tr>${numberCell(formatCount(nowSeconds))}${numberCell(formatCount(waitingJobs))}${numberCell(low === high ? formatCount(high) : `${formatCount(low)} to ${formatCount(high)}`)}${bestOf(reserved)}${bestOf(unreserved)}</tr>`,
  );
  return tableOf(
    "The cycles in which the most jobs could start, and the policy that starts the most of them.",
    [
      { title: "Second of the run", numeric: true },
      { title: "Waiting", numeric: true },
      { title: "Could start", numeric: true },
      { title: "Started", numeric: true },
      { title: "by" },
      { title: "None reserved", numeric: true },
      { title: "by" },
    ],
    [markup`<tbody>${rows}</tbody>`],
  );
}
