import { InputError } from "../../errors.ts";
import { headerOf, orderOf } from "./columns.ts";
import type { SacctHeader } from "./columns.ts";

export const BAR = 124;

/** How the fields of a log are separated. */
export interface Layout {
  readonly header: SacctHeader;
  readonly delimiter: number;
  readonly isHeaderLine: boolean;
}

/** The separator after a first name, which may be in quotes. */
const AFTER_NAME = /^"?[A-Za-z]+"?([^A-Za-z0-9 "'=:(])/;

/** The layout that a line shows: a header, or a job in a known order; null if it is neither. */
export function layoutOf(line: string): Layout | null {
  // A header begins with a name. Whatever follows it separates all fields.
  const delimiter = /^\d/.test(line) ? "|" : AFTER_NAME.exec(line)?.[1];
  if (delimiter === undefined || delimiter.charCodeAt(0) > 127) return null;
  const fields = line.split(delimiter).map((field) => field.replace(/^"(.*)"$/, "$1"));
  const header = headerOf(fields);
  // Other programs write CSV with such names; only sacct writes them with these capitals.
  if (header !== null && (delimiter === "|" || fields.includes("JobID"))) {
    return { header, delimiter: delimiter.charCodeAt(0), isHeaderLine: true };
  }
  const order = delimiter === "|" ? orderOf(fields) : null;
  return order === null ? null : { header: order, delimiter: BAR, isHeaderLine: false };
}

/** Whether the line is a header of sacct's table for people, in which long names are cut. */
export function isAligned(line: string): boolean {
  return /^\s*JobID(Raw)?\s{2,}\S.*\s(State|Submit|Start|Partition|Elapsed)\b/.test(line);
}

/** Whether the line is a job of an unknown order of columns: a number first, and times between bars. */
export function isHeaderless(line: string): boolean {
  return /^\d+[^|]*\|.*\|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\|/.test(line);
}

export function refuseAligned(file: string, line: number): never {
  throw new InputError(
    "this is sacct's table for people, in which columns are cut: run it again with --parsable2 and " +
      "--format=JobID,User,Account,Partition,Submit,Start,End,State,NNodes,NCPUS,ReqTRES,AllocTRES,Timelimit,NodeList",
    { file, line },
  );
}

export function refuseHeaderless(file: string): never {
  throw new InputError(
    "sacct's header is missing, and the columns are not those of Open XDMoD's guide: run sacct again without " +
      "--noheader (-n), or write the names of its --format above the first line, with bars between them",
    { file, line: 1 },
  );
}
