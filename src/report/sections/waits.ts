import { marker } from "../charts/marks.ts";
import { percentileChart } from "../charts/percentile-chart.ts";
import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatDuration, formatPercent } from "../numbers.ts";
import type { RunResult } from "../../simulation/result.ts";
import { figure, numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const waitsSection: Section = { id: "waits", title: "How the waits are spread", render };

const percentiles: readonly { readonly name: string; readonly value: (run: RunResult) => number }[] = [
  { name: "median", value: (run) => run.waitMedianSeconds },
  { name: "90 %", value: (run) => run.waitP90Seconds },
  { name: "95 %", value: (run) => run.waitP95Seconds },
  { name: "99 %", value: (run) => run.waitP99Seconds },
  { name: "longest", value: (run) => run.waitMaxSeconds },
];

function render(model: ReportModel): Markup {
  const rows = model.load.runs.map((row) => ({
    name: row.policy,
    values: percentiles.map((percentile) => percentile.value(row.run)),
    emphasized: isBest(model, row),
  }));
  const load = formatPercent(model.load.offeredLoad);
  const chart = percentileChart(
    { title: "Wait", quantity: "seconds", rows },
    {
      id: "waits-spread",
      title: "Percentiles of the wait by policy",
      description: rows
        .map(
          (row) =>
            `${row.name}: median ${formatDuration(row.values[0]!)}, longest ${formatDuration(row.values.at(-1)!)}`,
        )
        .join("; "),
    },
  );
  const legend = markup`<p class="legend">${percentiles.map(
    (percentile, i) =>
      markup`<span><svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">${marker(i, 6, 6, 60)}</svg>${percentile.name}</span>`,
  )}</p>`;
  const body = model.load.runs.map(
    (row) =>
      markup`<tr><th scope="row">${row.policy}</th>${percentiles.map((percentile) => numberCell(formatDuration(percentile.value(row.run))))}</tr>`,
  );
  const table = tableOf(
    `Percentiles of the wait at ${load} load: so many of 100 jobs waited no longer.${model.origin}`,
    [{ title: "Policy" }, ...percentiles.map((percentile) => ({ title: percentile.name, numeric: true }))],
    [markup`<tbody>${body}</tbody>`],
  );
  return markup`${figure(model, markup`${legend}${chart}`, `Waits at ${load} load: the median, the wait that 90, 95 and 99 of 100 jobs did not exceed, and the longest.`)}${table}`;
}
