import { line } from "d3-shape";
import { markup } from "../markup.ts";
import type { FigureData } from "../figures/figure.ts";
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
  /** The end of the time axis and the top of the other, so that panels can be compared. */
  readonly untilSeconds: number;
  readonly top: number;
  readonly quantity: Quantity;
  readonly lines: readonly TimelineLine[];
}

interface TimelineLine {
  readonly name: string;
  readonly timeSeconds: readonly number[];
  readonly values: readonly number[];
  readonly index: number;
  readonly dash: string;
  /** What a point stands for where there are more samples than an eye can part. */
  readonly summary: "mean" | "maximum";
  /** Drawn heavier. */
  readonly emphasized?: boolean;
}

/** A panel is one of many; full stands beside charts of other kinds. */
const sizes = { panel: { width: 300, height: 150 }, full: { width: 384, height: 210 } } as const;
const pointsAtMost = 150;
/** Rows of the table beside the chart: spans of time of one length. */
const spans = 12;

/** Lines over time, on a scale that the caller sets, so that panels can be compared. */
export function timeline(data: TimelineData, options: ChartOptions): Markup {
  const { width, height } = sizes[data.size];
  const [top, bottom] = [26, height - 25];
  const y = valueAxis([data.top], [bottom, top], data.quantity, 3);
  const area = { left: leftOf(y, 52), right: width - 16, top, bottom, width };
  const x = linearAxis([0, data.untilSeconds], [area.left, area.right], "seconds", 4, "keep domain");
  const lines = data.lines.map(
    (series) =>
      markup`<path class="line" d="${pathOf(series, x, y)}" stroke="${colour(series.index)}" stroke-width="${widthOf(series)}" stroke-dasharray="${series.dash}"/>`,
  );
  return frame(
    options,
    width,
    height,
    markup`<text class="axis" x="4" y="13">${shorten(data.heading, Math.floor((width - 8) / letterWidth))}</text>${verticalAxis(y, area)}${horizontalAxis(x, area)}${lines}`,
    {
      columns: ["name", "time (s)", columnName("value", data.quantity)],
      rows: data.lines.flatMap(({ name, timeSeconds, values }) =>
        timeSeconds.map((time, i) => [name, time, values[i] ?? null]),
      ),
    },
    data.lines.map((series) => ({
      name: series.name,
      mark: lineMark(series).text,
    })),
    digestOf(data),
  );
}

/** What a line looks like, 26 wide and 12 high. */
export function lineMark(series: Pick<TimelineLine, "index" | "dash" | "emphasized">): Markup {
  return markup`<path class="line" d="M0 6H26" stroke="${colour(series.index)}" stroke-width="${widthOf(series)}" stroke-dasharray="${series.dash}"/>`;
}

function widthOf({ emphasized }: Pick<TimelineLine, "emphasized">): number {
  return emphasized === true ? 2.2 : 1.4;
}

function digestOf({ lines, untilSeconds, quantity }: TimelineData): FigureData {
  const length = untilSeconds / spans;
  return {
    columns: ["from (s)", ...lines.map(({ name }) => columnName(name, quantity))],
    rows: Array.from({ length: spans }, (_, span) => [
      span * length,
      ...lines.map(({ timeSeconds, values, summary }) => {
        const isLast = span === spans - 1;
        const within = values.filter((value, i) => {
          const at = timeSeconds[i]! / length;
          return Number.isFinite(value) && at >= span && (isLast || at < span + 1);
        });
        return within.length === 0 ? null : summaryOf(within, summary);
      }),
    ]),
  };
}

function summaryOf(values: readonly number[], summary: TimelineLine["summary"]): number {
  return summary === "maximum"
    ? Math.max(...values)
    : values.reduce((sum, item) => sum + item, 0) / values.length;
}

function pathOf(series: TimelineLine, x: Axis, y: Axis): string {
  const times = series.timeSeconds;
  const group = Math.max(1, Math.ceil(times.length / pointsAtMost));
  const points: [number, number][] = [];
  for (let from = 0; from < times.length; from += group) {
    const values = series.values.slice(from, from + group).filter((value) => Number.isFinite(value));
    if (values.length === 0) continue;
    const middle = times[Math.min(times.length - 1, from + (group >> 1))]!;
    points.push([x.position(middle), y.position(summaryOf(values, series.summary))]);
  }
  return line().digits(1)(points) ?? "";
}
