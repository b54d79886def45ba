import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from "node:fs";

import { InputError } from "../../../workload/index.ts";
import { isRow, type OnlineRow } from "./row.ts";

/**
 * The rows of a study as they come, one line of JSON each, below a line that identifies the study. A study that was
 * interrupted does not repeat the runs in it. A partial last line, from a write that was cut off, is removed.
 */
export class ResultsFile {
  readonly path: string;
  /** The rows of an earlier, interrupted run of the same study. */
  readonly earlier: OnlineRow[];

  /** @throws InputError where the file is of another study, or cannot be used */
  constructor(path: string, study: object) {
    this.path = path;
    const head = JSON.stringify({ study: "online", ...study });
    try {
      if (!existsSync(path)) appendFileSync(path, `${head}\n`);
      // Reading a device may never end.
      if (!statSync(path).isFile())
        throw new InputError("it is no file: give a file for results", { file: path });
      const content = readFileSync(path, "utf8");
      const whole = content.slice(0, content.lastIndexOf("\n") + 1);
      const [first, ...lines] = whole.split("\n").slice(0, -1);
      // The file holds only a part of its first line: it was cut off there, and has no rows yet.
      const isBegun = whole === "" && head.startsWith(content);
      // Checked before anything is written to the file.
      if (first !== head && !isBegun) {
        throw new InputError("it holds the results of another study: give another file, or move it away", {
          file: path,
        });
      }
      this.earlier = lines.map((line, i) => rowOf(line, { file: path, line: i + 2 }));
      if (whole.length < content.length) truncateSync(path, Buffer.byteLength(whole));
      if (isBegun) appendFileSync(path, `${head}\n`);
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(`cannot be used for results: ${(error as Error).message}`, { file: path });
    }
  }

  append(row: OnlineRow): void {
    appendFileSync(this.path, `${JSON.stringify(row)}\n`);
  }
}

/** @throws InputError where the line is no row */
function rowOf(line: string, where: { readonly file: string; readonly line: number }): OnlineRow {
  const row = parsed(line);
  if (isRow(row)) return row;
  throw new InputError("the line is no run of this study: take it out, and its run is made again", where);
}

/** Undefined where the text is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
