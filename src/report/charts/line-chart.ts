import { line } from "d3-shape";
import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { linearAxis, valueAxis } from "./axis.ts";
import type { Quantity } from "./axis.ts";
import { frame, horizontalAxis, nameLabel, nameLabelWidth, verticalAxis } from "./frame.ts";
import type { ChartOptions } from "./frame.ts";
import { colour, dash, marker } from "./marks.ts";

export interface LineChartData {
  readonly x: { readonly title: string; readonly quantity: Quantity };
  readonly y: { readonly title: string; readonly quantity: Quantity };
  readonly series: readonly LineSeries[];
}

export interface LineSeries {
  readonly name: string;
  /** The policy's place in the study: its colour, dash and marker. */
  readonly index: number;
  /** Drawn heavier. */
  readonly emphasized: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const width = 480;
const labelHeight = 14;

/** One line a policy, its name at its right end. */
export function lineChart(data: LineChartData, options: ChartOptions): Markup {
  const height = Math.max(300, 70 + labelHeight * data.series.length);
  const area = {
    left: 58,
    right: width - 32 - nameLabelWidth(data.series.map((series) => series.name)),
    top: 30,
    bottom: height - 44,
  };
  const points = data.series.flatMap((series) => series.points);
  const xs = points.map(([x]) => x).filter((x) => Number.isFinite(x));
  const x = linearAxis(
    xs.length === 0 ? [0, 1] : [Math.min(...xs), Math.max(...xs)],
    [area.left + 8, area.right - 8],
    data.x.quantity,
    5,
    "keep domain",
  );
  const y = valueAxis(
    points.map(([, value]) => value),
    [area.bottom, area.top],
    data.y.quantity,
  );

  const drawn = data.series.map((series) => ({
    ...series,
    places: series.points
      .filter(([, value]) => Number.isFinite(value))
      .map(([at, value]): [number, number] => [x.position(at), y.position(value)]),
  }));
  const lines = drawn.map((series) => {
    const path = line().digits(1)(series.places) ?? "";
    const stroke = series.emphasized ? 3 : 1.5;
    return markup`<g><path class="line" d="${path}" stroke="${colour(series.index)}" stroke-width="${stroke}" stroke-dasharray="${dash(series.index)}"/>${series.places.map(([px, py]) => marker(series.index, px, py))}</g>`;
  });

  const ended = drawn.filter((series) => series.places.length > 0);
  const heights = spread(
    ended.map((series) => series.places.at(-1)![1]),
    area.top - 6,
    area.bottom,
  );
  const labels = ended.map((series, i) => {
    const [endX, endY] = series.places.at(-1)!;
    const labelX = area.right + 22;
    const weight = series.emphasized ? "bold" : "normal";
    return markup`<path class="leader" d="M${endX + 5} ${endY}L${labelX - 10} ${heights[i]!}"/>${marker(series.index, labelX - 4, heights[i]!, 36)}<text class="label" x="${labelX + 4}" y="${heights[i]! + 4}" font-weight="${weight}">${nameLabel(series.name)}</text>`;
  });
  const scaleNote = y.logarithmic ? " (log scale)" : "";
  return frame(
    options,
    width,
    height,
    markup`${verticalAxis(y, area, data.y.title + scaleNote)}${horizontalAxis(x, area, data.x.title)}${lines}${labels}`,
  );
}

/** Moves labels apart until none overlaps, as near to their lines as order allows. */
function spread(wanted: readonly number[], top: number, bottom: number): number[] {
  const order = wanted.map((_, i) => i).sort((a, b) => wanted[a]! - wanted[b]! || a - b);
  const placed = Array.from<number>({ length: wanted.length });
  let next = top;
  for (const i of order) {
    placed[i] = Math.max(wanted[i]!, next);
    next = placed[i] + labelHeight;
  }
  let limit = bottom;
  for (const i of order.toReversed()) {
    placed[i] = Math.round(Math.min(placed[i]!, limit) * 10) / 10;
    limit = placed[i] - labelHeight;
  }
  return placed;
}
