import { markup } from "../markup.ts";
import type { Hole, Markup } from "../markup.ts";
import type { PageModel, ReportModel } from "../model.ts";

/** A chapter of the report; one that has nothing to show renders none. */
export interface Section<Model extends PageModel = ReportModel> {
  readonly id: string;
  readonly title: string;
  readonly render: (model: Model) => Markup;
}

/** A chart with its caption. */
export function figure(chart: Markup, caption: string): Markup {
  return markup`<figure>${chart}<figcaption>${caption}</figcaption></figure>`;
}

/** A chart as wide as the page. */
export function wideFigure(chart: Markup, caption: string): Markup {
  return markup`<figure class="wide">${chart}<figcaption>${caption}</figcaption></figure>`;
}

/** Charts side by side as far as the page is wide. */
export function grid(charts: readonly Markup[]): Markup {
  return markup`<div class="grid">${charts}</div>`;
}

/** Many small charts of one scale under one caption. */
export function panels(charts: readonly Markup[], caption: string, legend: Markup): Markup {
  return markup`<figure class="wide">${legend}<div class="panels">${charts}</div><figcaption>${caption}</figcaption></figure>`;
}

/** A table that scrolls by itself where the page is too narrow for it. */
export function tableOf(
  caption: string,
  head: readonly { readonly title: string; readonly numeric?: boolean }[],
  body: readonly Markup[],
): Markup {
  const cells = head.map(
    (column) => markup`<th scope="col"${column.numeric === true ? numeric : text}>${column.title}</th>`,
  );
  return markup`<figure class="table"><figcaption>${caption}</figcaption><div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table><thead><tr>${cells}</tr></thead>${body}</table></div></figure>`;
}

const numeric = markup` class="n"`;
const text = markup``;

export function cell(content: Hole): Markup {
  return markup`<td>${content}</td>`;
}

/** A few words that stay on one line. */
export function shortCell(content: Hole): Markup {
  return markup`<td class="short">${content}</td>`;
}

export function numberCell(content: Hole, best = false): Markup {
  return best
    ? markup`<td class="n best"><b>${content}</b><span class="mark" title="best"> ★</span></td>`
    : markup`<td class="n">${content}</td>`;
}

/** 0 where there are none; a list may be too long to be spread into `Math.max`. */
export function largest(values: readonly number[]): number {
  return values.reduce((most, value) => (value > most ? value : most), 0);
}
