import { setTimeout as pause } from "node:timers/promises";

import { InputError } from "../../workload/errors.ts";
import { print } from "../terminal.ts";

const LOOK_MILLISECONDS = 1000;
/** Of a terminal that does not say. */
const [COLUMNS, ROWS] = [80, 24];

/**
 * Shows a text again and again in the place of the last one, until somebody ends the process.
 *
 * @param text what to show on so many rows
 * @throws InputError where there is no terminal
 */
export async function watch(text: (rows: number) => Promise<string>): Promise<never> {
  const { stdout } = process;
  if (!stdout.isTTY) throw new InputError("--watch draws on a terminal; croft events --follow prints lines");
  for (let isFirst = true; ; isFirst = false) {
    const [columns, rows] = [stdout.columns || COLUMNS, stdout.rows || ROWS];
    await print(`${isFirst ? "\u001b[2J" : ""}${frame(await text(rows - 1), columns, rows - 1)}`);
    await pause(LOOK_MILLISECONDS);
  }
}

/** A text over what stands on a terminal: each line ends it there, and nothing of the old one is left below. */
export function frame(text: string, columns: number, rows: number): string {
  const lines = text.split("\n").slice(0, rows);
  return `\u001b[H${lines.map((line) => `${line.slice(0, columns)}\u001b[K`).join("\n")}\u001b[J`;
}
