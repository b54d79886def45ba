import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { valueAxis } from "./axis.ts";
import type { Quantity } from "./axis.ts";
import { frame, horizontalAxis, nameLabel, nameLabelWidth } from "./frame.ts";
import type { ChartOptions } from "./frame.ts";
import { marker } from "./marks.ts";

export interface PercentileChartData {
  readonly title: string;
  readonly quantity: Quantity;
  readonly rows: readonly PercentileRow[];
}

export interface PercentileRow {
  readonly name: string;
  /** Ascending; the n-th has the n-th marker. */
  readonly values: readonly number[];
  readonly emphasized?: boolean;
}

const width = 480;
const rowHeight = 24;

/** One row a policy, one marker a percentile, all on one line. */
export function percentileChart(data: PercentileChartData, options: ChartOptions): Markup {
  const left = 14 + nameLabelWidth(data.rows.map((row) => row.name));
  const area = { left, right: width - 24, top: 8, bottom: 8 + rowHeight * data.rows.length };
  const axis = valueAxis(
    data.rows.flatMap((row) => row.values),
    [area.left + 8, area.right],
    data.quantity,
  );
  const rows = data.rows.map((row, i) => {
    const middle = area.top + rowHeight * (i + 0.5);
    const places = row.values.filter((value) => Number.isFinite(value)).map((value) => axis.position(value));
    const weight = row.emphasized === true ? "bold" : "normal";
    const extent =
      places.length === 0
        ? []
        : [markup`<path class="range" d="M${Math.min(...places)} ${middle}H${Math.max(...places)}"/>`];
    return markup`<text class="label" x="${area.left - 8}" y="${middle + 4}" text-anchor="end" font-weight="${weight}">${nameLabel(row.name)}</text>${extent}${places.map((x, k) => marker(k, x, middle, 60))}`;
  });
  const title = data.title + (axis.logarithmic ? " (log scale)" : "");
  return frame(options, width, area.bottom + 44, markup`${horizontalAxis(axis, area, title)}${rows}`);
}
