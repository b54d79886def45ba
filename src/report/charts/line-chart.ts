import { line } from "d3-shape";
import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { columnName, linearAxis, valueAxis } from "./axis.ts";
import type { Axis, Quantity } from "./axis.ts";
import { frame, horizontalAxis, leftOf, verticalAxis } from "./frame.ts";
import type { ChartOptions } from "./frame.ts";
import { nameHeight, nameLabel, nameLabelWidth } from "./label.ts";
import { colour, dash, marker } from "./marks.ts";

export interface LineChartData {
  readonly x: {
    readonly title: string;
    readonly quantity: Quantity;
    /** Whether it begins at zero, or is logarithmic, as the values have it; it spans the values otherwise. */
    readonly isFromZero?: boolean;
  };
  readonly y: { readonly title: string; readonly quantity: Quantity };
  readonly series: readonly LineSeries[];
  /** Marks without lines between them. */
  readonly isScattered?: boolean;
  /** Twice as wide, for points that lie close together. */
  readonly isWide?: boolean;
}

interface LineSeries {
  readonly name: string;
  /** The policy's place in the study: its colour, dash and marker. */
  readonly index: number;
  /** Drawn heavier. */
  readonly emphasized: boolean;
  readonly points: readonly (readonly [x: number, y: number])[];
}

const usualWidth = 384;

/** One line a policy, its name at its right end. */
export function lineChart(data: LineChartData, options: ChartOptions): Markup {
  const width = usualWidth * (data.isWide === true ? 2 : 1);
  const names = data.series.map((series) => series.name);
  const height = Math.max(300, 70 + names.reduce((sum, name) => sum + nameHeight(name), 0));
  const [top, bottom] = [30, height - 44];
  const points = data.series.flatMap((series) => series.points);
  const y = valueAxis(
    points.map(([, value]) => value),
    [bottom, top],
    data.y.quantity,
  );
  const area = { left: leftOf(y, 58), right: width - 32 - nameLabelWidth(names), top, bottom, width };
  const xs = points.map(([x]) => x).filter((x) => Number.isFinite(x));
  const across = [area.left + 8, area.right - 8] as const;
  const x =
    data.x.isFromZero === true
      ? valueAxis(xs, across, data.x.quantity)
      : linearAxis(
          xs.length === 0 ? [0, 1] : [Math.min(...xs), Math.max(...xs)],
          across,
          data.x.quantity,
          5,
          "keep domain",
        );

  const drawn = data.series.map((series) => ({
    ...series,
    places: series.points
      .filter(([, value]) => Number.isFinite(value))
      .map(([at, value]): [number, number] => [x.position(at), y.position(value)]),
  }));
  const lines = drawn.map((series) => {
    const path = data.isScattered === true ? "" : (line().digits(1)(series.places) ?? "");
    const stroke = series.emphasized ? 3 : 1.5;
    return markup`<g><path class="line" d="${path}" stroke="${colour(series.index)}" stroke-width="${stroke}" stroke-dasharray="${dash(series.index)}"/>${series.places.map(([px, py]) => marker(series.index, px, py))}</g>`;
  });

  const ended = drawn.filter((series) => series.places.length > 0);
  const middles = spread(
    ended.map((series) => ({ wanted: series.places.at(-1)![1], height: nameHeight(series.name) })),
    area.top - 14,
    area.bottom + 8,
  );
  const labels = ended.map((series, i) => {
    const [endX, endY] = series.places.at(-1)!;
    const labelX = area.right + 22;
    const middle = middles[i]!;
    const label = nameLabel(series.name, labelX + 4, middle, { anchor: "start", bold: series.emphasized });
    return markup`<path class="leader" d="M${endX + 5} ${endY}L${labelX - 10} ${middle}"/>${marker(series.index, labelX - 4, middle, 36)}${label}`;
  });
  const titleOf = (axis: Axis, title: string): string => title + (axis.logarithmic ? " (log scale)" : "");
  return frame(
    options,
    width,
    height,
    markup`${verticalAxis(y, area, titleOf(y, data.y.title))}${horizontalAxis(x, area, titleOf(x, data.x.title))}${lines}${labels}`,
    {
      columns: ["name", columnName(data.x.title, data.x.quantity), columnName(data.y.title, data.y.quantity)],
      rows: data.series.flatMap(({ name, points }) => points.map(([at, value]) => [name, at, value])),
    },
  );
}

/** Moves labels apart until none overlaps, as near to their lines as order allows. Returns their middles. */
function spread(
  labels: readonly { readonly wanted: number; readonly height: number }[],
  top: number,
  bottom: number,
): number[] {
  const order = labels.map((_, i) => i).sort((a, b) => labels[a]!.wanted - labels[b]!.wanted || a - b);
  const placed = labels.map(({ wanted }) => wanted);
  let from = top;
  for (const i of order) {
    const half = labels[i]!.height / 2;
    placed[i] = Math.max(placed[i]!, from + half);
    from = placed[i] + half;
  }
  let to = bottom;
  for (const i of order.toReversed()) {
    const half = labels[i]!.height / 2;
    placed[i] = Math.round(Math.min(placed[i]!, to - half) * 10) / 10;
    to = placed[i] - half;
  }
  return placed;
}
