import { printable } from "./printable.ts";

export interface Column<Item> {
  readonly title: string;
  readonly text: (item: Item) => string;
  /** Numbers stand at the right. */
  readonly right?: true;
  /** Where there is too little room it is left out: those with the least number first. Absent: never. */
  readonly leftOut?: number;
}

/** What stands last is cut where a window ends; so much of it is to be seen. */
const LAST_CHARACTERS = 16;

/** A table for a window of so many columns, in which what matters least is left out. */
export function tableWithin<Item>(
  columns: readonly Column<Item>[],
  items: readonly Item[],
  width: number,
): string {
  let shown = columns;
  for (const column of columns
    .filter(({ leftOut }) => leftOut !== undefined)
    .sort((a, b) => a.leftOut! - b.leftOut!)) {
    if (widthOf(shown, items) <= width) break;
    shown = shown.filter((each) => each !== column);
  }
  return table(shown, items);
}

function widthOf<Item>(columns: readonly Column<Item>[], items: readonly Item[]): number {
  return columns.reduce((sum, { title, text }, at) => {
    const widest = Math.max(title.length, ...items.map((item) => printable(text(item)).length));
    return sum + (at === columns.length - 1 ? Math.min(widest, LAST_CHARACTERS) : widest + 2);
  }, 0);
}

/** A table for a terminal, without lines. */
export function table<Item>(columns: readonly Column<Item>[], items: readonly Item[]): string {
  const rows = [
    columns.map(({ title }) => title),
    ...items.map((item) => columns.map(({ text }) => printable(text(item)))),
  ];
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) =>
          columns[at]!.right === true ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
