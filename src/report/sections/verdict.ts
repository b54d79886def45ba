import { intervalChart } from "../charts/interval-chart.ts";
import { swatch } from "../charts/marks.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { bestOf, metrics } from "../metrics.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatChange, formatChangeRange, formatDuration, formatPercent } from "../numbers.ts";
import type { Verdict } from "../verdict.ts";
import type { WaitComparison } from "../wait-comparison.ts";
import { cell, figure, numberCell, shortCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const verdictSection: Section = { id: "verdict", title: "Verdict", render };

function render(model: ReportModel): Markup {
  const { verdict, input } = model;
  const look = input.workload.synthetic ? "headline synthetic" : "headline";
  const cautions = verdict.cautions.map((caution) => markup`<p class="caution">${caution}</p>`);
  return markup`<p class="${look}">${verdict.sentence}</p>${cautions}${alsoBest(model)}${comparison(model)}${byLoad(model)}`;
}

/** Whether the shortest mean wait was bought with something else. */
function alsoBest(model: ReportModel): Markup {
  const runs = model.load.runs.map((row) => row.run);
  const best = model.load.runs.find((row) => isBest(model, row))!;
  const others = metrics.slice(1).flatMap((metric) => {
    const winners = bestOf(metric, runs);
    return winners.size === 0 ? [] : [{ title: metric.title.toLowerCase(), won: winners.has(best.run) }];
  });
  const won = others.filter((metric) => metric.won).map((metric) => metric.title);
  const lost = others.filter((metric) => !metric.won).map((metric) => metric.title);
  if (others.length === 0) return none;
  const praise = won.length === 0 ? "" : `${best.policy} is also best in ${list(won)}. `;
  const reserve = lost.length === 0 ? "" : `Another policy is best in ${list(lost)}: see the summary.`;
  return markup`<p>${praise}${reserve}</p>`;
}

function comparison(model: ReportModel): Markup {
  const { verdict, load } = model;
  if (verdict.againstBaseline.length === 0) return none;
  const rows = load.runs.toSorted((a, b) => a.run.waitMeanSeconds - b.run.waitMeanSeconds);
  const body = rows.map((row) => {
    const base = find(verdict.againstBaseline, row.policy);
    const best = find(verdict.againstBest, row.policy);
    return markup`<tr><th scope="row">${swatch(row.index)}${row.policy}</th>${numberCell(formatDuration(row.run.waitMeanSeconds), isBest(model, row))}${numberCell(base === undefined ? "baseline" : changeText(base))}${shortCell(base?.judgement ?? "–")}${shortCell(best === undefined ? "the best" : againstBest(best))}</tr>`;
  });
  const table = tableOf(
    `Mean wait at ${formatPercent(load.offeredLoad)} load, against ${verdict.baseline} and against the best.${model.origin}`,
    [
      { title: "Policy" },
      { title: "Mean wait", numeric: true },
      { title: `Against ${verdict.baseline} (95 % confidence)`, numeric: true },
      { title: "Judgement" },
      { title: `Against ${verdict.best}` },
    ],
    [markup`<tbody>${body}</tbody>`],
  );
  const shown = rows.flatMap((row) => {
    const base = find(verdict.againstBaseline, row.policy);
    return base === undefined || base.change === null
      ? []
      : [
          {
            name: row.policy,
            index: row.index,
            value: base.change,
            interval: base.interval,
            emphasized: isBest(model, row),
          },
        ];
  });
  if (shown.length === 0) return table;
  const intervals = shown.some((row) => row.interval !== null);
  const chart = intervalChart(
    { title: `Mean wait against ${verdict.baseline}`, rows: shown },
    {
      id: "verdict-intervals",
      title: `Change of the mean wait against ${verdict.baseline}`,
      description: shown.map((row) => `${row.name}: ${formatChange(row.value)}`).join("; "),
    },
  );
  const caption = intervals
    ? `Left of the line: jobs wait less than under ${verdict.baseline}. The bars are the 95 % confidence intervals; one that crosses the line means no clear difference.`
    : `Left of the line: jobs wait less than under ${verdict.baseline}. The log is too short for confidence intervals.`;
  return markup`${table}${figure(model, chart, caption)}`;
}

/** Does the answer depend on the load? */
function byLoad(model: ReportModel): Markup {
  if (model.verdicts.length < 2) return none;
  const rows = model.verdicts.map(
    (verdict) =>
      markup`<tr><th scope="row">${formatPercent(verdict.offeredLoad)}</th>${shortCell(verdict.best)}${numberCell(bestText(verdict))}${cell(alike(verdict))}</tr>`,
  );
  return tableOf(
    `The best policy at every load.${model.origin}`,
    [
      { title: "Load" },
      { title: "Shortest mean wait" },
      { title: `Against ${model.baseline} (95 % confidence)`, numeric: true },
      { title: "Not clearly worse than the best" },
    ],
    [markup`<tbody>${rows}</tbody>`],
  );
}

function bestText(verdict: Verdict): string {
  const row = verdict.againstBaseline.find((each) => each.policy === verdict.best);
  return row === undefined ? "baseline" : changeText(row);
}

function alike(verdict: Verdict): string {
  if (verdict.againstBest.some((row) => row.judgement === "cannot be judged")) return "cannot be judged";
  const alike = verdict.againstBest.filter((row) => row.judgement !== "longer").map((row) => row.policy);
  if (alike.length === 0) return "none";
  return alike.length === verdict.againstBest.length && alike.length > 1 ? "all others" : alike.join(", ");
}

function againstBest(row: WaitComparison): string {
  switch (row.judgement) {
    case "longer":
      return row.change === null ? "clearly worse" : `clearly worse, ${formatChange(row.change)}`;
    case "shorter":
      return "better";
    case "no clear difference":
      return "no clear difference";
    default:
      return row.change === null ? "–" : formatChange(row.change);
  }
}

function changeText(row: WaitComparison): string {
  if (row.change === null) return "nobody waits there";
  if (row.interval === null) return formatChange(row.change);
  return `${formatChange(row.change)} (${formatChangeRange(row.interval.low, row.interval.high)})`;
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)!}`;
}

function find(list: readonly WaitComparison[], policy: string): WaitComparison | undefined {
  return list.find((row) => row.policy === policy);
}
