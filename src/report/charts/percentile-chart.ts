import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { columnName, valueAxis } from "./axis.ts";
import type { Quantity } from "./axis.ts";
import { frame, horizontalAxis } from "./frame.ts";
import type { ChartOptions } from "./frame.ts";
import { nameLabel, nameLabelWidth, rowsOf } from "./label.ts";
import { marker } from "./marks.ts";

interface PercentileChartData {
  readonly title: string;
  readonly quantity: Quantity;
  /** Of the values of each row. */
  readonly percentiles: readonly string[];
  readonly rows: readonly PercentileRow[];
}

interface PercentileRow {
  readonly name: string;
  /** Ascending; the n-th has the n-th marker. */
  readonly values: readonly number[];
  readonly emphasized?: boolean;
}

const width = 384;

/** One row a policy, one marker a percentile, all on one line. */
export function percentileChart(data: PercentileChartData, options: ChartOptions): Markup {
  const names = data.rows.map((row) => row.name);
  const { middles, bottom } = rowsOf(names, 8, 24);
  const area = {
    left: 14 + nameLabelWidth(names),
    right: width - 24,
    top: 8,
    bottom,
    width,
  };
  const axis = valueAxis(
    data.rows.flatMap((row) => row.values),
    [area.left + 8, area.right],
    data.quantity,
  );
  const rows = data.rows.map((row, i) => {
    const middle = middles[i]!;
    const places = row.values.filter((value) => Number.isFinite(value)).map((value) => axis.position(value));
    const label = nameLabel(row.name, area.left - 8, middle, {
      anchor: "end",
      bold: row.emphasized === true,
    });
    const extent =
      places.length === 0
        ? []
        : [markup`<path class="range" d="M${Math.min(...places)} ${middle}H${Math.max(...places)}"/>`];
    return markup`${label}${extent}${places.map((x, k) => marker(k, x, middle, 60))}`;
  });
  const title = data.title + (axis.logarithmic ? " (log scale)" : "");
  const table = {
    columns: ["name", ...data.percentiles.map((name) => columnName(`${data.title}, ${name}`, data.quantity))],
    rows: data.rows.map(({ name, values }) => [name, ...values]),
  };
  const legend = data.percentiles.map((name, i) => ({ name, mark: marker(i, 13, 6, 60).text }));
  const body = markup`${horizontalAxis(axis, area, title)}${rows}`;
  return frame(options, width, area.bottom + 44, body, table, legend);
}
