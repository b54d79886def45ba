import { barChart } from "../charts/bar-chart.ts";
import { extremes } from "../finding.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { bestOf, metrics } from "../metrics.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatDuration, formatPercent } from "../numbers.ts";
import { AS_IT_WAS } from "../reference.ts";
import { isOwnPace } from "../verdict.ts";
import { beside, figure, type Section } from "./parts.ts";
import { figureComparison, figuresByLoad } from "./policies-figures.ts";
import { waitComparison, waitsByLoad } from "./policies-waits.ts";

export const policiesSection: Section = {
  id: "policies",
  title: "The policies compared",
  finding: ({ verdict }) => {
    const figures = verdict.ranked.map(({ policy, run }) => {
      const value = verdict.measure.value(run) ?? Number.NaN;
      return { name: policy, value, text: verdict.measure.format(value) };
    });
    const [best, worst] = [figures[0]!, figures.at(-1)!];
    const name = verdict.measure.title.toLowerCase();
    return best.text === worst.text
      ? `${verdict.measure.title} ${best.text} under ${figures.length === 1 ? best.name : "all"}.`
      : `${best.name} has the lowest ${name}, ${best.text}; ${worst.name} the highest, ${worst.text}.`;
  },
  render,
};

/** The policies against each other at the headline's load. */
export interface Comparison {
  readonly table: Markup;
  /** None where there are none to draw. */
  readonly intervals: Markup;
  readonly bars: Markup;
}

export function comparisonOf(model: ReportModel): Comparison {
  const { verdict } = model;
  return verdict.waits === null
    ? { table: figureComparison(verdict), intervals: none, bars: bars(model) }
    : { ...waitComparison(model, verdict, verdict.waits), bars: bars(model) };
}

/** What the policies are judged by, the best first. */
function bars({ input, load, verdict }: ReportModel): Markup {
  const { measure, ranked, best } = verdict;
  if (ranked.length === 1) return none;
  const { recorded } = input;
  const was = recorded === undefined || !isOwnPace(load) ? null : measure.value(recorded);
  const values = [
    ...(was === null ? [] : [{ name: AS_IT_WAS, value: was }]),
    ...ranked.map(({ policy, run }) => ({ name: policy, value: measure.value(run) ?? Number.NaN })),
  ].map((each) => ({ ...each, text: measure.format(each.value), emphasized: each.name === best }));
  const chart = barChart(
    {
      title: measure.title,
      quantity: measure.format === formatDuration ? "seconds" : "number",
      bars: values,
    },
    { id: "policies-bars", title: `${measure.title} by policy`, description: extremes(values) },
  );
  return figure(chart, `${measure.title} at ${formatPercent(verdict.offeredLoad)} load; lower is better.`);
}

function render(model: ReportModel): Markup {
  const { verdict } = model;
  const { table, intervals, bars } = comparisonOf(model);
  const byLoad = verdict.waits === null ? figuresByLoad(model) : waitsByLoad(model);
  const ties = verdict.ties === "" ? none : markup`<p>${verdict.ties}</p>`;
  const also = verdict.hasVerdict ? alsoBest(model) : none;
  // Without intervals the bars stand beside the verdict.
  const compared = beside(markup`${table}${byLoad}`, intervals === none ? none : bars);
  return markup`${ties}${also}${compared}`;
}

/** In which other figures the best policy is best, and in which another one is. */
function alsoBest(model: ReportModel): Markup {
  const runs = model.load.runs.map((row) => row.run);
  const best = model.load.runs.find((row) => isBest(model, row))!;
  const others = metrics.flatMap((metric) => {
    if (metric === model.verdict.measure) return [];
    const winners = bestOf(metric, runs);
    return winners.size === 0 ? [] : [{ title: metric.title.toLowerCase(), won: winners.has(best.run) }];
  });
  const won = others.filter((metric) => metric.won).map((metric) => metric.title);
  const lost = others.filter((metric) => !metric.won).map((metric) => metric.title);
  if (others.length === 0) return none;
  const praise = won.length === 0 ? "" : `${best.policy} is also best in ${list(won)}. `;
  const reserve = lost.length === 0 ? "" : `Another policy is best in ${list(lost)}: see all figures.`;
  return markup`<p>At ${formatPercent(model.load.offeredLoad)} load: ${praise}${reserve}</p>`;
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)!}`;
}
