import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { columnName, linearAxis } from "./axis.ts";
import { frame, horizontalAxis, titleRoom } from "./frame.ts";
import type { ChartOptions } from "./frame.ts";
import { nameLabel, nameLabelWidth, rowsOf } from "./label.ts";
import { marker } from "./marks.ts";

interface IntervalChartData {
  readonly title: string;
  readonly rows: readonly IntervalRow[];
}

export interface IntervalRow {
  readonly name: string;
  readonly index: number;
  /** Relative changes: −0.2 is a fifth less. */
  readonly value: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly emphasized?: boolean;
}

const width = 384;

/** One row a policy: the estimate, its interval, and the line of no difference. */
export function intervalChart(data: IntervalChartData, options: ChartOptions): Markup {
  const names = data.rows.map((row) => row.name);
  const { middles, bottom } = rowsOf(names, 8, 24);
  const area = {
    left: 18 + nameLabelWidth(names),
    right: width - 32,
    top: 8,
    bottom,
    width,
  };
  // The axis covers all estimates but not all intervals, so that one bad policy does not squeeze the others.
  const farthest = Math.max(0.05, ...data.rows.map((row) => Math.abs(row.value)).filter(Number.isFinite));
  const bound = (value: number): number => Math.max(-2 * farthest, Math.min(2 * farthest, value));
  const ends = data.rows
    .flatMap((row) => [row.value, ...(row.interval === null ? [] : [row.interval.low, row.interval.high])])
    .filter(Number.isFinite)
    .map(bound);
  const axis = linearAxis([Math.min(0, ...ends), Math.max(0, ...ends)], [area.left, area.right], "change", 5);
  const zero = axis.position(0);
  const whiskerOf = ({ low, high }: { low: number; high: number }, y: number): Markup => {
    const from = axis.position(low);
    const to = axis.position(high);
    const caps = [low, high].map((end, i) => {
      const x = [from, to][i]!;
      const edge = [area.left, area.right][i]!;
      // An arrow instead if the interval extends beyond the picture.
      return bound(end) !== end && x === edge
        ? markup`<path class="whisker" d="M${x + (i === 0 ? 6 : -6)} ${y - 5}L${x} ${y}l${i === 0 ? 6 : -6} 5"/>`
        : markup`<path class="whisker" d="M${x} ${y - 5}v10"/>`;
    });
    return markup`<path class="whisker" d="M${from} ${y}H${to}"/>${caps}`;
  };
  const rows = data.rows.map((row, i) => {
    const middle = middles[i]!;
    const label = nameLabel(row.name, area.left - 12, middle, {
      anchor: "end",
      bold: row.emphasized === true,
    });
    const whisker = row.interval === null ? none : whiskerOf(row.interval, middle);
    return markup`${label}${whisker}${marker(row.index, axis.position(row.value), middle, 60)}`;
  });
  return frame(
    options,
    width,
    area.bottom + 44 + titleRoom(data.title, width),
    markup`${horizontalAxis(axis, area, data.title)}<path class="zero" d="M${zero} ${area.top}V${area.bottom}"/>${rows}`,
    {
      columns: [
        "name",
        columnName(data.title, "change"),
        columnName("95 % low", "change"),
        columnName("95 % high", "change"),
      ],
      rows: data.rows.map(({ name, value, interval }) => [
        name,
        value,
        interval?.low ?? null,
        interval?.high ?? null,
      ]),
    },
  );
}
