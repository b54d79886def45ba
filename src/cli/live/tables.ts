import { printable } from "./farm.ts";

export interface Column<Item> {
  readonly title: string;
  readonly text: (item: Item) => string;
  /** Numbers stand at the right. */
  readonly right?: true;
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
