import { line } from "d3-shape";
import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { columnName, linearAxis, valueAxis } from "./axis.ts";
import type { Axis, Quantity } from "./axis.ts";
import { frame, horizontalAxis, leftOf, verticalAxis } from "./frame.ts";
import type { ChartOptions } from "./frame.ts";
import { letterWidth, shorten } from "./label.ts";
import { colour } from "./marks.ts";

interface TimelineData {
  readonly size: keyof typeof sizes;
  /** Written above the lines. */
  readonly heading: string;
  readonly timeSeconds: readonly number[];
  /** The end of the time axis and the top of the other, so that panels can be compared. */
  readonly untilSeconds: number;
  readonly top: number;
  readonly quantity: Quantity;
  readonly lines: readonly TimelineLine[];
}

interface TimelineLine {
  readonly name: string;
  readonly values: readonly number[];
  readonly index: number;
  readonly dash: string;
  /** What a point stands for where there are more samples than an eye can part. */
  readonly summary: "mean" | "maximum";
}

/** A panel is one of many; full stands beside charts of other kinds. */
const sizes = { panel: { width: 300, height: 150 }, full: { width: 384, height: 210 } } as const;
const pointsAtMost = 150;

/** Lines over time, on a scale that the caller sets, so that panels can be compared. */
export function timeline(data: TimelineData, options: ChartOptions): Markup {
  const { width, height } = sizes[data.size];
  const [top, bottom] = [26, height - 25];
  const y = valueAxis([data.top], [bottom, top], data.quantity, 3);
  const area = { left: leftOf(y, 52), right: width - 16, top, bottom, width };
  const x = linearAxis([0, data.untilSeconds], [area.left, area.right], "seconds", 4, "keep domain");
  const lines = data.lines.map(
    (series) =>
      markup`<path class="line" d="${pathOf(data.timeSeconds, series, x, y)}" stroke="${colour(series.index)}" stroke-width="1.4" stroke-dasharray="${series.dash}"/>`,
  );
  return frame(
    options,
    width,
    height,
    markup`<text class="axis" x="4" y="13">${shorten(data.heading, Math.floor((width - 8) / letterWidth))}</text>${verticalAxis(y, area)}${horizontalAxis(x, area)}${lines}`,
    {
      columns: ["time (s)", ...data.lines.map(({ name }) => columnName(name, data.quantity))],
      rows: data.timeSeconds.map((time, i) => [time, ...data.lines.map(({ values }) => values[i] ?? null)]),
    },
    data.lines.map(({ name, index, dash }) => ({
      name,
      mark: markup`<path class="line" d="M0 6H26" stroke="${colour(index)}" stroke-width="1.4" stroke-dasharray="${dash}"/>`
        .text,
    })),
  );
}

function pathOf(times: readonly number[], series: TimelineLine, x: Axis, y: Axis): string {
  const group = Math.max(1, Math.ceil(times.length / pointsAtMost));
  const points: [number, number][] = [];
  for (let from = 0; from < times.length; from += group) {
    const values = series.values.slice(from, from + group).filter((value) => Number.isFinite(value));
    if (values.length === 0) continue;
    const value =
      series.summary === "maximum"
        ? Math.max(...values)
        : values.reduce((sum, item) => sum + item, 0) / values.length;
    const middle = times[Math.min(times.length - 1, from + (group >> 1))]!;
    points.push([x.position(middle), y.position(value)]);
  }
  return line().digits(1)(points) ?? "";
}
