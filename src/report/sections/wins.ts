import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { formatCount, formatPercent } from "../numbers.ts";
import { grid } from "./parts.ts";
import type { Section } from "./parts.ts";
import { tied, winsChart } from "./wins-chart.ts";

export const winsSection: Section = {
  id: "wins",
  title: "What Max-Jobs chose",
  finding: ({ load }) =>
    load.runs
      .flatMap(({ policy, run }) => {
        const [most] = Object.entries(run.wins ?? {}).sort(([, a], [, b]) => b - a);
        return most === undefined
          ? []
          : [`${policy} kept the schedule of ${most[0]} in ${formatPercent(most[1])} of its cycles.`];
      })
      .join(" "),
  render,
};

function render(model: ReportModel): Markup {
  const chosen = model.load.runs.flatMap((row) => {
    const { wins, soleWins, matchingCycles } = row.run;
    if (wins === undefined || soleWins === undefined) return [];
    return [
      winsChart(
        `wins-${row.index}`,
        `What ${row.policy} chose`,
        { wins, soleWins },
        `Share of the ${formatCount(matchingCycles)} cycles that started jobs in which a heuristic reached the most, under ${row.policy} at ${formatPercent(model.load.offeredLoad)} load. ${tied}`,
      ),
    ];
  });
  if (chosen.length === 0) return none;
  return markup`<p>In every cycle Max-Jobs tries each of its heuristics on the same queue and keeps the schedule that starts the most jobs; max-cores, max-wait and max-starved keep the one of the most cores, waits, or squares of waits.</p>${grid(chosen)}`;
}
