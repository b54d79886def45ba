import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { columnName, linearAxis, valueAxis } from "./axis.ts";
import type { Quantity } from "./axis.ts";
import { frame, horizontalAxis, titleRoom } from "./frame.ts";
import type { ChartOptions } from "./frame.ts";
import { nameLabel, nameLabelWidth, rowsOf, tickWidth } from "./label.ts";
import { marker } from "./marks.ts";

interface BarChartData {
  readonly title: string;
  readonly quantity: Quantity;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly name: string;
  readonly value: number;
  /** How much of the value is drawn dark; not drawn where the axis is logarithmic. */
  readonly part?: number;
  /** The value in words, at the end of the bar. */
  readonly text: string;
  readonly emphasized?: boolean;
}

const width = 384;

/** One bar a row; dots instead where the values span orders of magnitude, since a bar needs a zero. */
export function barChart(data: BarChartData, options: ChartOptions): Markup {
  const names = data.bars.map((bar) => bar.name);
  const { middles, bottom } = rowsOf(names, 8, 22);
  const textWidth = Math.max(0, ...data.bars.map((bar) => tickWidth(bar.text)));
  const area = {
    left: 14 + nameLabelWidth(names),
    right: width - Math.max(76, 12 + textWidth),
    top: 8,
    bottom,
    width,
  };
  const values = data.bars.map((bar) => bar.value).filter(Number.isFinite);
  const range = [area.left, area.right] as const;
  // Shares are parts of a whole: their lengths have to add up.
  const axis =
    data.quantity === "share"
      ? linearAxis([0, Math.max(0, ...values)], range, "share", 4)
      : valueAxis(values, range, data.quantity, 4);
  const rect = (name: string, value: number, middle: number): Markup => {
    const length = Math.max(0, Math.round((axis.position(value) - area.left) * 10) / 10);
    return markup`<rect class="${name}" x="${area.left}" y="${middle - 7}" width="${length}" height="14"/>`;
  };
  const rows = data.bars.map((bar, i) => {
    const middle = middles[i]!;
    const end = axis.position(bar.value);
    const label = nameLabel(bar.name, area.left - 8, middle, {
      anchor: "end",
      bold: bar.emphasized === true,
    });
    const shape = !Number.isFinite(bar.value)
      ? none
      : axis.logarithmic
        ? markup`<path class="leader" d="M${area.left} ${middle}H${end}"/>${marker(0, end, middle, 60)}`
        : markup`${rect(bar.emphasized === true ? "bar best" : "bar", bar.value, middle)}${bar.part === undefined ? none : rect("bar best", bar.part, middle)}`;
    return markup`${label}${shape}<text class="value" x="${end + 8}" y="${middle + 4}">${bar.text}</text>`;
  });
  const title = data.title + (axis.logarithmic ? " (log scale)" : "");
  const hasParts = data.bars.some((bar) => bar.part !== undefined);
  return frame(
    options,
    width,
    area.bottom + 44 + titleRoom(title, width),
    markup`${horizontalAxis(axis, area, title)}${rows}`,
    {
      columns: ["name", columnName(data.title, data.quantity), ...(hasParts ? ["of it drawn dark"] : [])],
      rows: data.bars.map(({ name, value, part }) => [name, value, ...(hasParts ? [part ?? null] : [])]),
    },
  );
}
