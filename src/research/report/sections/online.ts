import type { OnlineLine, OnlineSummary } from "../../study/online/summary.ts";
import { lineChart, type LineChartData } from "../../../report/charts/line-chart.ts";
import { extremes } from "../../../report/finding.ts";
import { markup, none } from "../../../report/markup.ts";
import type { Markup } from "../../../report/markup.ts";
import { priorityCaption, priorityTable } from "../priority-table.ts";
import type { StudyModel } from "../input.ts";
import { formatCount, formatNumber, formatPercent } from "../../../report/numbers.ts";
import { cell, figure, grid, numberCell, tableOf } from "../../../report/sections/parts.ts";
import type { Section } from "../../../report/sections/parts.ts";

/** What the study of online fractional scheduling found, beside what was published. */
export const onlineSection: Section<StudyModel> = {
  id: "online",
  title: "Stretch and bandwidth of online fractional scheduling",
  render,
};

function render(model: StudyModel): Markup {
  const { online } = model.input;
  if (online === undefined) return none;
  const against = online.degradation.map(({ penaltySeconds, lines }) =>
    chart(
      `degradation-${penaltySeconds}`,
      { title: "Offered load", quantity: "share" },
      { title: "Maximum stretch ÷ bound", quantity: "number" },
      lines,
      `Degradation of the maximum stretch from its clairvoyant bound against load, ${penaltyText(penaltySeconds)}: means over ${formatCount(online.traces)} traces; lower is better. Published shape: FCFS and EASY rise by orders of magnitude, the fractional algorithms stay low.`,
    ),
  );
  return markup`${grid(against)}${bandwidthTable(online)}${priorityFigures(online)}${periodCharts(online)}`;
}

function periodCharts({ byPeriod }: OnlineSummary): Markup {
  if (byPeriod === null) return none;
  const { load, penaltySeconds, bandwidth, degradation } = byPeriod;
  const at = `${load === null ? "all slices" : `at ${formatPercent(load)} load`}, ${penaltyText(penaltySeconds)}`;
  const x = { title: "Period in minutes", quantity: "number" } as const;
  const inMinutes = (lines: readonly OnlineLine[]): OnlineLine[] =>
    lines.map(({ policy, points }) => ({
      policy,
      points: points.map(([seconds, y]): [number, number] => [seconds / 60, y]),
    }));
  return grid([
    chart(
      "period-bandwidth",
      x,
      { title: "GB/s of pauses and moves", quantity: "number" },
      inMinutes(bandwidth),
      `Bandwidth against the period, ${at}. Published shape: it falls as the period grows.`,
    ),
    chart(
      "period-degradation",
      x,
      { title: "Maximum stretch ÷ bound", quantity: "number" },
      inMinutes(degradation),
      `Degradation against the period, ${at}. Published shape: it rises slowly over a broad range.`,
    ),
  ]);
}

function priorityFigures({ byPriority }: OnlineSummary): Markup {
  if (byPriority === null) return none;
  const [head, ...rows] = priorityTable(byPriority);
  return tableOf(
    priorityCaption(byPriority),
    head!.map((title, i) => ({ title, numeric: i > 1 })),
    [
      markup`<tbody>${rows.map((row) => markup`<tr>${row.map((text, i) => (i > 1 ? numberCell(text) : cell(text)))}</tr>`)}</tbody>`,
    ],
  );
}

function chart(
  id: string,
  x: LineChartData["x"],
  y: LineChartData["y"],
  lines: readonly OnlineLine[],
  caption: string,
): Markup {
  const series = lines
    .map(({ policy, points }, index) => ({ name: policy, index, emphasized: false, points }))
    .filter(({ points }) => points.length > 0);
  const description = extremes(
    series.map(({ name, points }) => {
      const value = points.at(-1)![1];
      return { name, value, text: formatNumber(value) };
    }),
  );
  return figure(
    lineChart({ x, y, series }, { id, title: `${y.title} against ${x.title.toLowerCase()}`, description }),
    caption,
  );
}

function bandwidthTable({ bandwidth, bandwidthLoad, degradation }: OnlineSummary): Markup {
  const penalty = degradation.at(-1)?.penaltySeconds ?? 0;
  const figures = ["pauseMean", "pauseMax", "migrationMean", "migrationMax"] as const;
  const rows = bandwidth.map(
    (row) =>
      markup`<tr>${cell(row.policy)}${figures.map((name) => numberCell(`${row[name].toFixed(2)} (${row.published?.[name].toFixed(2) ?? "–"})`))}</tr>`,
  );
  return tableOf(
    `GB/s moved to storage and back by pauses, and between nodes by moves, at loads of ${formatPercent(bandwidthLoad)} and more, ${penaltyText(penalty)}; in brackets what was published, which seems to count a pause once, not out and back.`,
    [
      { title: "Algorithm" },
      { title: "pauses, mean", numeric: true },
      { title: "pauses, most", numeric: true },
      { title: "moves, mean", numeric: true },
      { title: "moves, most", numeric: true },
    ],
    [markup`<tbody>${rows}</tbody>`],
  );
}

function penaltyText(seconds: number): string {
  return seconds === 0 ? "no penalty" : `penalty of ${formatCount(seconds)} s`;
}
