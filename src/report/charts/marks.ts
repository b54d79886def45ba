import {
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
  symbolWye,
} from "d3-shape";
import { markup } from "../markup.ts";
import type { Markup } from "../markup.ts";

/**
 * How the n-th policy looks in every chart: a colour, a dash and a marker, so
 * that no two among the first 280 look alike even without colour.
 */
const shapes = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolCross,
  symbolStar,
  symbolWye,
];
const colours = 8;
const dashes = ["", "6 3", "2 3", "9 3 2 3", "14 4"];

export function colour(index: number): string {
  return `var(--series-${index % colours})`;
}

export function dash(index: number): string {
  return dashes[index % dashes.length]!;
}

/** Area in square pixels. */
export function marker(index: number, x: number, y: number, area = 46): Markup {
  const path =
    symbol()
      .type(shapes[index % shapes.length]!)
      .size(area)
      .digits(1)() ?? "";
  return markup`<path transform="translate(${x} ${y})" d="${path}" fill="${colour(index)}"/>`;
}

/** The policy's marker on its line, to stand before its name in text. */
export function swatch(index: number): Markup {
  return markup`<svg class="swatch" viewBox="0 0 26 12" aria-hidden="true"><path d="M0 6H26" stroke="${colour(index)}" stroke-dasharray="${dash(index)}" stroke-width="2"/>${marker(index, 13, 6)}</svg>`;
}
