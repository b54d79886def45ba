import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { Axis } from "./axis.ts";

/** What every chart is told besides its data. */
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
}

export function frame(options: ChartOptions, width: number, height: number, body: Markup): Markup {
  const { id, title, description } = options;
  return markup`<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="${id}-t ${id}-d"><title id="${id}-t">${title}</title><desc id="${id}-d">${description}</desc>${body}</svg>`;
}

/** What fits below the narrowest area. */
const titleLength = 36;

/** Labels below, lines upwards through the area. */
export function horizontalAxis(axis: Axis, area: Area, title = ""): Markup {
  const ticks = axis.ticks.map(
    (tick) =>
      markup`<path class="grid" d="M${tick.at} ${area.top}V${area.bottom}"/><text class="tick" x="${tick.at}" y="${area.bottom + 18}" text-anchor="middle">${tick.label}</text>`,
  );
  const name =
    title === ""
      ? []
      : [
          markup`<text class="axis" x="${(area.left + area.right) / 2}" y="${area.bottom + 36}" text-anchor="middle">${shorten(title, titleLength)}</text>`,
        ];
  return markup`${ticks}<path class="base" d="M${area.left} ${area.bottom}H${area.right}"/>${name}`;
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

/** Names longer than this are cut in the middle; titles and tables have them whole. */
const nameLength = 18;
/** Of a bold letter, in the widest of the usual system fonts. */
export const letterWidth = 8.2;

export function nameLabel(name: string): string {
  return shorten(name, nameLength);
}

/** Room that the longest of the labels takes. */
export function nameLabelWidth(names: readonly string[]): number {
  const longest = Math.max(1, ...names.map((name) => Array.from(nameLabel(name)).length));
  return Math.ceil(longest * letterWidth);
}

/** Long names keep their ends: what tells two policies apart often stands last. */
export function shorten(name: string, characters: number): string {
  const letters = Array.from(name);
  if (letters.length <= characters) return name;
  const head = Math.ceil((characters - 1) / 2);
  return `${letters.slice(0, head).join("")}…${letters.slice(letters.length - (characters - 1 - head)).join("")}`;
}
