import { barChart } from "../charts/bar-chart.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { formatCount, formatPercent, formatShare } from "../numbers.ts";
import { figure, grid } from "./parts.ts";
import type { Section } from "./parts.ts";

export const winsSection: Section = { id: "wins", title: "Which heuristics win", render };

const tied = "The sum may exceed 100 %: where several heuristics tie, each is counted.";

function render(model: ReportModel): Markup {
  const chosen = model.load.runs.flatMap((row) => {
    const { wins, matchingCycles } = row.run;
    if (wins === undefined) return [];
    return [
      winsChart(
        model,
        `wins-${row.index}`,
        `What ${row.policy} chose`,
        wins,
        `Share of the ${formatCount(matchingCycles)} cycles that started jobs in which a heuristic would have started the most, under ${row.policy} at ${formatPercent(model.load.offeredLoad)} load. ${tied}`,
      ),
    ];
  });
  const { bucketWins } = model.input;
  const buckets =
    bucketWins === undefined
      ? []
      : [
          winsChart(
            model,
            "wins-buckets",
            "Buckets won",
            bucketWins.wins,
            `Share of ${formatCount(bucketWins.buckets)} buckets of ${formatCount(bucketWins.jobs)} jobs in which a heuristic placed the most jobs into an empty pool. ${tied}`,
          ),
        ];
  const charts = [...chosen, ...buckets];
  if (charts.length === 0) return none;
  const maxJobs =
    chosen.length === 0
      ? none
      : markup`<p>In every cycle Max-Jobs tries each of its heuristics on the same queue and keeps the schedule that starts the most jobs.</p>`;
  return markup`${maxJobs}${grid(charts)}`;
}

function winsChart(
  model: ReportModel,
  id: string,
  title: string,
  wins: Readonly<Record<string, number>>,
  caption: string,
): Markup {
  const bars = Object.entries(wins)
    .map(([name, value]) => ({ name, value, text: formatShare(value) }))
    .sort((a, b) => b.value - a.value);
  const description = bars.map((bar) => `${bar.name}: ${bar.text}`).join("; ");
  return figure(model, barChart({ title, quantity: "share", bars }, { id, title, description }), caption);
}
