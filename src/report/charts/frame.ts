import { wrap } from "../../workload/wrap.ts";
import { markup } from "../markup.ts";
import type { FigureData, LegendEntry } from "../figures/figure.ts";
import type { Markup } from "../markup.ts";
import type { Axis } from "./axis.ts";
import { letterWidth, shorten, tickWidth } from "./label.ts";

/** The options of every chart. */
export interface ChartOptions {
  /** Unique in the document. */
  readonly id: string;
  /** What a screen reader says first. */
  readonly title: string;
  /** What the picture shows, for those who cannot see it. */
  readonly description: string;
}

export interface Area {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** Of the whole chart. */
  readonly width: number;
}

export function frame(
  options: ChartOptions,
  width: number,
  height: number,
  body: Markup,
  data: FigureData,
  legend: readonly LegendEntry[] = [],
  digest?: FigureData,
): Markup {
  const { id, title, description } = options;
  const { text } =
    markup`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>${body}</svg>`;
  return {
    text,
    figures: [{ id, title, svg: text, width, height, data, legend, ...(digest && { digest }) }],
  };
}

const TITLE_LEADING = 15;

/** What the title of an axis takes more than a line, where it is longer than the chart is wide. */
export function titleRoom(title: string, width: number): number {
  return TITLE_LEADING * Math.max(0, titleLines(title, width).length - 1);
}

function titleLines(title: string, width: number): string[] {
  const letters = Math.floor((width - 8) / letterWidth);
  return title === "" ? [] : wrap(title, letters).map((line) => shorten(line, letters));
}

/** Labels below, lines upwards through the area; for a title of several lines there has to be `titleRoom`. */
export function horizontalAxis(axis: Axis, area: Area, title = ""): Markup {
  const ticks = axis.ticks.map(
    (tick) =>
      markup`<path class="grid" d="M${tick.at} ${area.top}V${area.bottom}"/><text class="tick" x="${inside(tick.at, tickWidth(tick.label), area)}" y="${area.bottom + 18}" text-anchor="middle">${tick.label}</text>`,
  );
  const name = titleLines(title, area.width).map((text, line) => {
    const middle = inside((area.left + area.right) / 2, text.length * letterWidth, area);
    return markup`<text class="axis" x="${middle}" y="${area.bottom + 36 + line * TITLE_LEADING}" text-anchor="middle">${text}</text>`;
  });
  return markup`${ticks}<path class="base" d="M${area.left} ${area.bottom}H${area.right}"/>${name}`;
}

/** Where the middle of a text has to be for both its ends to lie within the chart: as near to `middle` as can be. */
function inside(middle: number, textWidth: number, { width }: Area): number {
  const half = Math.min(width, textWidth + 4) / 2;
  return Math.round(Math.max(half, Math.min(width - half, middle)) * 10) / 10;
}

/** The left end of an area whose vertical axis has these labels. */
export function leftOf(axis: Axis, atLeast: number): number {
  return Math.max(atLeast, Math.ceil(9 + Math.max(...axis.ticks.map((tick) => tickWidth(tick.label)))));
}

/** Labels at the left, lines across; the title lies above the area, where it needs no turning of heads. */
export function verticalAxis(axis: Axis, area: Area, title = ""): Markup {
  const ticks = axis.ticks.map(
    (tick) =>
      markup`<path class="grid" d="M${area.left} ${tick.at}H${area.right}"/><text class="tick" x="${area.left - 5}" y="${tick.at + 4}" text-anchor="end">${tick.label}</text>`,
  );
  const name = title === "" ? [] : [markup`<text class="axis" x="2" y="${area.top - 12}">${title}</text>`];
  return markup`${ticks}${name}`;
}
