import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";

/** Of a bold letter, in the widest of the usual system fonts. */
export const letterWidth = 8.2;
/** Of what stands beside an axis: digits, signs, units. */
const tickLetterWidth = 7.6;

/** Room that a label beside an axis takes. */
export function tickWidth(label: string): number {
  return label.length * tickLetterWidth;
}

/** A line of a name is no longer than this; titles and tables have all of it. */
const lineLength = 18;
/** From one line of a name to the next. */
const leading = 13;

/** Most telling first: a policy and its heuristic are parted before the words of either. */
const breaks = [/[/+,:]+/g, / +/g, /[-_.]+/g];

/** One line, or two where it is longer; what does not fit on two is cut in the middle. */
export function nameLines(name: string): string[] {
  if (lengthOf(name) <= lineLength) return [name];
  for (const separator of breaks) {
    const places = [...name.matchAll(separator)].map((match) => match.index + match[0].length);
    const parted = places
      .map((at) => [name.slice(0, at).trim(), name.slice(at).trim()])
      .filter((lines) => lines.every((line) => line !== "" && lengthOf(line) <= lineLength))
      .sort((a, b) => longest(a) - longest(b));
    if (parted[0] !== undefined) return parted[0];
  }
  const letters = Array.from(shorten(name, 2 * lineLength));
  return [letters.slice(0, lineLength).join(""), letters.slice(lineLength).join("")];
}

/** What the lines of the names take, the widest. */
export function nameLabelWidth(names: readonly string[]): number {
  return Math.ceil(Math.max(1, ...names.map((name) => longest(nameLines(name)))) * letterWidth);
}

/** A name with the space that parts it from the next: more than what parts its own lines. */
export function nameHeight(name: string): number {
  const lines = nameLines(name).length;
  return leading * lines + 4 * lines;
}

/** Rows of a chart, one a name, each as high as its name needs. */
export function rowsOf(
  names: readonly string[],
  top: number,
  leastHeight: number,
): { readonly middles: readonly number[]; readonly bottom: number } {
  let bottom = top;
  const middles = names.map((name) => {
    const height = Math.max(leastHeight, nameHeight(name));
    bottom += height;
    return bottom - height / 2;
  });
  return { middles, bottom };
}

/** A name beside its mark, whose height is `middle`. */
export function nameLabel(
  name: string,
  x: number,
  middle: number,
  { anchor, bold }: { readonly anchor: "start" | "end"; readonly bold: boolean },
): Markup {
  const lines = nameLines(name);
  const first = round(middle + 4 - ((lines.length - 1) * leading) / 2);
  const text =
    lines.length === 1
      ? markup`${name}`
      : markup`${lines.map((line, i) => markup`<tspan x="${x}" y="${round(first + i * leading)}">${line}</tspan>`)}`;
  return markup`<text class="label" x="${x}" y="${first}" text-anchor="${anchor}" font-weight="${bold ? "bold" : "normal"}">${text}</text>`;
}

/** Long texts keep their ends: what tells two policies apart often stands last. */
export function shorten(text: string, characters: number): string {
  const letters = Array.from(text);
  if (letters.length <= characters) return text;
  const head = Math.ceil((characters - 1) / 2);
  return `${letters.slice(0, head).join("")}…${letters.slice(letters.length - (characters - 1 - head)).join("")}`;
}

function longest(lines: readonly string[]): number {
  return Math.max(...lines.map(lengthOf));
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}

function round(position: number): number {
  return Math.round(position * 10) / 10;
}
