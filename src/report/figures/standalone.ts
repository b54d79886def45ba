import { lightColours } from "../style.ts";
import { tickWidth } from "../charts/label.ts";
import { markup } from "../markup.ts";
import type { Figure, LegendEntry } from "./figure.ts";

/** A chart takes its looks from the page's style sheet. These are the same as attributes, which every program reads. */
const attributesOf: Readonly<Record<string, string>> = {
  tick: 'fill="var(--muted)"',
  axis: 'fill="var(--muted)" font-weight="bold"',
  label: 'fill="var(--text)"',
  value: 'fill="var(--text)"',
  grid: 'fill="none" stroke="var(--grid)"',
  base: 'fill="none" stroke="var(--muted)"',
  range: 'fill="none" stroke="var(--muted)" stroke-width="1"',
  leader: 'fill="none" stroke="var(--muted)" stroke-width="0.6" opacity="0.7"',
  zero: 'fill="none" stroke="var(--text)" stroke-width="1.4"',
  whisker: 'fill="none" stroke="var(--text)" stroke-width="1.4"',
  line: 'fill="none" stroke-linejoin="round"',
  bar: 'fill="var(--series-5)"',
  "bar best": 'fill="var(--series-0)"',
};

const colours = new Map(
  Array.from(lightColours.matchAll(/(--[\w-]+):(#\w+)/g), ([, name, colour]) => [name!, colour!]),
);

const legendLine = 18;

/**
 * The figure as an SVG file that needs no style sheet, in the colours of the light page on white. The legend, which
 * stands beside the chart on the page, is below it.
 */
export function standaloneSvg(figure: Figure): string {
  const { svg, width, height: chartHeight, legend } = figure;
  const places = placesOf(legend, width);
  const height = heightOf(figure);
  const entries = legend.map(
    ({ name, mark }, i) =>
      markup`<g transform="translate(${places[i]!.x} ${chartHeight + places[i]!.y})">${{ text: mark }}<text class="label" x="32" y="10">${name}</text></g>`
        .text,
  );
  const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="Helvetica, Arial, sans-serif" font-size="12"`;
  const body = svg
    .replace(`viewBox="0 0 ${width} ${chartHeight}"`, `viewBox="0 0 ${width} ${height}"`)
    .replace("</svg>", `${entries.join("")}</svg>`)
    .replace('<svg class="chart"', head)
    .replace("</desc>", `</desc><rect width="${width}" height="${height}" fill="#fff"/>`)
    .replaceAll(/ class="([^"]*)"/g, (_, name: string) => ` ${lookOf(name)}`)
    .replaceAll(/ stroke-dasharray=""/g, "")
    .replaceAll(/var\((--[\w-]+)\)/g, (_, name: string) => colours.get(name)!);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${body}\n`;
}

/** One beside the other, in as many lines as the width needs. */
function placesOf(
  legend: readonly LegendEntry[],
  width: number,
): { readonly x: number; readonly y: number }[] {
  let [x, y] = [8, 0];
  return legend.map(({ name }) => {
    const needs = 32 + tickWidth(name) + 16;
    if (x > 8 && x + needs > width) [x, y] = [8, y + legendLine];
    const place = { x, y };
    x += needs;
    return place;
  });
}

/** The height of the file's picture: the chart and its legend. */
export function heightOf({ width, height, legend }: Figure): number {
  return height + (legend.length === 0 ? 0 : placesOf(legend, width).at(-1)!.y + legendLine);
}

function lookOf(name: string): string {
  const look = attributesOf[name];
  if (look === undefined) throw new Error(`no look outside the page for the class ${name}`);
  return look;
}
