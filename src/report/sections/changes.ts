import { intervalChart, type IntervalRow } from "../charts/interval-chart.ts";
import { extremes } from "../finding.ts";
import { none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { formatChange } from "../numbers.ts";
import { figure } from "./parts.ts";

/**
 * Policies that are worse by more are not drawn: they would squeeze all others into one point. It depends on the others,
 * those that at most double the figure.
 */
function farthestChange(changes: readonly number[]): number {
  const others = changes.filter((change) => change <= 1).map(Math.abs);
  return others.length === 0 ? 4 : Math.min(4, Math.max(1, 10 * Math.max(...others)));
}

/**
 * What becomes of a figure under each policy, with its intervals; none where there is nothing to draw.
 *
 * @param rows a change that is not known is null
 */
export function changesFigure(
  id: string,
  title: string,
  rows: readonly (Omit<IntervalRow, "value"> & { readonly value: number | null })[],
  caption: string,
): Markup {
  const farthest = farthestChange(rows.flatMap(({ value }) => value ?? []));
  const shown = rows.flatMap((row) =>
    row.value === null || row.value > farthest ? [] : [{ ...row, value: row.value }],
  );
  if (shown.length === 0) return none;
  const isDrawn = new Set(shown.map(({ name }) => name));
  const left = rows.flatMap(({ name }) => (isDrawn.has(name) ? [] : [name]));
  const rest = left.length === 0 ? "" : ` Too far to the right to be drawn: ${left.join(", ")}.`;
  const described = shown.map(({ name, value }) => ({ name, value, text: formatChange(value) }));
  const chart = intervalChart(
    { title, rows: shown },
    {
      id,
      title: `Change: ${title.charAt(0).toLowerCase()}${title.slice(1)}`,
      description: extremes(described),
    },
  );
  return figure(chart, caption + rest);
}
