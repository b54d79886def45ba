import { columnReading } from "../charts/axis.ts";
import { columnStyle, columnTitle } from "../columns.ts";
import type { Figure, FigureData } from "../figures/figure.ts";
import { markup, none } from "../markup.ts";
import type { Hole, Markup } from "../markup.ts";
import type { PageModel, ReportModel } from "../model.ts";

/** A chapter of the report; one that has nothing to show renders none. */
export interface Section<Model extends PageModel = ReportModel> {
  readonly id: string;
  readonly title: string;
  /** What it comes to, in a sentence: the chapter is then folded, and this is what is seen of it. */
  readonly finding?: (model: Model) => string;
  readonly render: (model: Model) => Markup;
}

/** A chart with its legend and its caption, and its values as a table. */
export function figure(chart: Markup, caption: string, legend = none): Markup {
  return markup`<figure>${legend}${chart}<figcaption>${caption}</figcaption>${valuesOf(chart)}</figure>`;
}

/** A chart as wide as the page. */
export function wideFigure(chart: Markup, caption: string): Markup {
  return markup`<figure class="wide">${chart}<figcaption>${caption}</figcaption>${valuesOf(chart)}</figure>`;
}

/** What stands side by side as far as the page is wide. */
export function grid(parts: readonly Markup[]): Markup {
  return markup`<div class="grid">${parts}</div>`;
}

/** What is read, and a narrower picture of it. */
export function beside(read: Markup, picture: Markup): Markup {
  return picture === none ? read : markup`<div class="beside"><div>${read}</div><div>${picture}</div></div>`;
}

/** Many small charts of one scale under one caption. */
export function panels(charts: readonly Markup[], caption: string, legend: Markup): Markup {
  const all = markup`${charts}`;
  return markup`<figure class="wide">${legend}<div class="panels">${all}</div><figcaption>${caption}</figcaption>${valuesOf(all)}</figure>`;
}

export function legendOf(
  entries: readonly { readonly name: string; readonly mark: Markup; readonly width?: number }[],
): Markup {
  return markup`<p class="legend">${entries.map(
    ({ name, mark, width = 26 }) =>
      markup`<span><svg class="swatch" viewBox="0 0 ${width} 12" aria-hidden="true">${mark}</svg>${name}</span>`,
  )}</p>`;
}

/** A table of more rows is for a file, not for reading. */
const ROWS_SHOWN = 100;

/** What charts draw, as tables: for those who cannot see them, and for those who want the figures. */
function valuesOf({ figures = [] }: Markup): Markup {
  const told = figures.filter((each) => shownData(each).rows.length <= ROWS_SHOWN);
  if (told.length === 0) return none;
  const title = told[0]!.title + (told.length > 1 ? `, and ${told.length - 1} more` : "");
  return markup`<details class="values"><summary>As a table<span class="unseen">: ${title}</span></summary>${told.map(valueTable)}</details>`;
}

function shownData({ digest, data }: Figure): FigureData {
  return digest ?? data;
}

function valueTable(of: Figure): Markup {
  const { columns, rows } = shownData(of);
  const shown = columns.map((name, i) => {
    const { title, format } = columnReading(name);
    const numbers = rows.map((row) => row[i]!).filter((value) => typeof value !== "string");
    const style = columnStyle(numbers, format);
    return { title: columnTitle(title, style), numeric: numbers.length > 0, style };
  });
  const body = rows.map((row) => {
    const cells = row.map((value, i) =>
      typeof value === "string" ? cell(value) : numberCell(shown[i]!.style.text(value)),
    );
    return markup`<tr>${cells}</tr>`;
  });
  return tableOf(`${of.title}.`, shown, [markup`<tbody>${body}</tbody>`]);
}

/** A table that scrolls by itself where the page is too narrow for it. */
export function tableOf(
  caption: string,
  head: readonly { readonly title: string; readonly numeric?: boolean }[],
  body: readonly Markup[],
): Markup {
  const cells = head.map(({ title, numeric = false }) =>
    title === "" ? markup`<td></td>` : markup`<th scope="col"${numeric ? right : left}>${title}</th>`,
  );
  return markup`<figure class="table"><figcaption>${caption}</figcaption><div class="scroll" tabindex="0" role="group" aria-label="${caption}"><table><thead><tr>${cells}</tr></thead>${body}</table></div></figure>`;
}

/** A column of figures, all written in one unit. */
export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => number | null;
  /** How one of them alone is written. */
  readonly format: (value: number) => string;
  /** Figures that are written in the same unit, since they are compared with it. */
  readonly scale?: (row: Row) => readonly (number | null)[];
}

/**
 * A table of figures, a line a row.
 *
 * @param all rows of tables that are compared with it, by which units are chosen
 */
export function figureTable<Row>(
  caption: string,
  rows: readonly Row[],
  first: { readonly title: string; readonly name: (row: Row) => Hole },
  columns: readonly Column<Row>[],
  all: readonly Row[] = rows,
): Markup {
  const styles = columns.map(({ value, format, scale = (row) => [value(row)] }) =>
    columnStyle(all.flatMap(scale), format),
  );
  const body = rows.map(
    (row) =>
      markup`<tr><th scope="row">${first.name(row)}</th>${columns.map(({ value }, i) => numberCell(styles[i]!.text(value(row))))}</tr>`,
  );
  const head = columns.map(({ title }, i) => ({ title: columnTitle(title, styles[i]!), numeric: true }));
  return tableOf(caption, [{ title: first.title }, ...head], [markup`<tbody>${body}</tbody>`]);
}

const right = markup` class="n"`;
const left = none;

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
