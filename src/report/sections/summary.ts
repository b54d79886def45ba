import { swatch } from "../charts/marks.ts";
import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { bestOf, metrics } from "../metrics.ts";
import type { ReportModel } from "../model.ts";
import { formatNumber, formatPercent } from "../numbers.ts";
import type { LoadRuns } from "../runs.ts";
import { numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const summarySection: Section = { id: "summary", title: "Summary", render };

function render(model: ReportModel): Markup {
  const runs = model.table.loads.flatMap((load) => load.runs.map((row) => row.run));
  const columns = metrics.filter((metric) => runs.some((run) => metric.value(run) !== null));
  const group = (load: LoadRuns): Markup => {
    const best = columns.map((metric) =>
      bestOf(
        metric,
        load.runs.map((row) => row.run),
      ),
    );
    const rows = load.runs.map((row) => {
      const cells = columns.map((metric, i) => {
        const value = metric.value(row.run);
        return numberCell(value === null ? "–" : metric.format(value), best[i]!.has(row.run));
      });
      return markup`<tr><th scope="row">${swatch(row.index)}${row.policy}</th>${cells}</tr>`;
    });
    return markup`<tbody><tr class="group"><th colspan="${columns.length + 1}" scope="rowgroup">${formatPercent(load.offeredLoad)} load (β = ${formatNumber(load.beta)})</th></tr>${rows}</tbody>`;
  };
  const table = tableOf(
    `All policies at all loads; ★ is the best of a column at one load.${model.origin}`,
    [{ title: "Policy" }, ...columns.map((metric) => ({ title: metric.title, numeric: true }))],
    model.table.loads.map(group),
  );
  return markup`<div class="dense">${table}</div>`;
}
