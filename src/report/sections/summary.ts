import { swatch } from "../charts/marks.ts";
import { columnStyle, columnTitle } from "../columns.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { bestOf, metrics } from "../metrics.ts";
import type { Figures } from "../metrics.ts";
import type { ReportModel } from "../model.ts";
import { counted, formatNumber, formatPercent } from "../numbers.ts";
import { AS_IT_WAS } from "../reference.ts";
import type { LoadRuns } from "../runs.ts";
import { otherLoads } from "../table.ts";
import { sameText, tellingMetrics } from "../telling-metrics.ts";
import { isOwnPace } from "../verdict.ts";
import { numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const summarySection: Section = {
  id: "summary",
  title: "All figures",
  finding: ({ table, input }) => {
    const { columns } = tellingMetrics(metrics, table.loads, input.recorded);
    return `${counted(columns.length, "figure")} of ${counted(table.policies.length, "policy", "policies")} at ${counted(table.loads.length, "load")}.`;
  },
  render,
};

function render(model: ReportModel): Markup {
  const { recorded } = model.input;
  const telling = tellingMetrics(metrics, model.table.loads, recorded);
  const { columns } = telling;
  const runs: Figures[] = model.table.loads.flatMap((load) => load.runs.map(({ run }) => run));
  const styles = columns.map((metric) =>
    columnStyle(
      [...runs, ...(recorded === undefined ? [] : [recorded])].map((run) => metric.value(run)),
      metric.format,
    ),
  );
  const cellsOf = (run: Figures, isBest: (column: number) => boolean): Markup[] =>
    columns.map((metric, i) => {
      const value = metric.value(run);
      return numberCell(styles[i]!.text(value), isBest(i));
    });
  const group = (load: LoadRuns): Markup => {
    const best = columns.map((metric) =>
      bestOf(
        metric,
        load.runs.map((row) => row.run),
      ),
    );
    const was =
      recorded !== undefined && isOwnPace(load)
        ? markup`<tr class="recorded"><th scope="row">${AS_IT_WAS} (recorded)</th>${cellsOf(recorded, () => false)}</tr>`
        : none;
    const rows = load.runs.map(
      (row) =>
        markup`<tr><th scope="row">${swatch(row.index)}${row.policy}</th>${cellsOf(row.run, (i) => best[i]!.has(row.run))}</tr>`,
    );
    return markup`<tbody><tr class="group"><th colspan="${columns.length + 1}" scope="rowgroup">${formatPercent(load.offeredLoad)} load${otherLoads(load)} (β = ${formatNumber(load.beta)})</th></tr>${was}${rows}</tbody>`;
  };
  const table = tableOf(
    `All policies at all loads${recorded === undefined ? "" : ", beside what was recorded"}; ★ is the best of a column at one load.`,
    [
      { title: "Policy" },
      ...columns.map(({ title }, i) => ({ title: columnTitle(title, styles[i]!), numeric: true })),
    ],
    model.table.loads.map(group),
  );
  const same = sameText(telling);
  return markup`<div class="dense">${table}</div>${same === "" ? none : markup`<p class="gloss">${same}</p>`}`;
}
