import { CsvLine } from "../../input/csv-line.ts";
import { recognise } from "./fields.ts";

const DELIMITERS = [",", ";", "\t", "|"];
/** The largest number of comments, or damaged lines, before the header. */
const MAX_LINES = 50;

/** The byte between the fields of a header: the delimiter that gives the most known names. */
export function delimiterOf(line: string): number {
  const counts = DELIMITERS.map((delimiter) => knownNames(fieldsOf(line, delimiter.charCodeAt(0))));
  const best = counts.indexOf(Math.max(...counts));
  const delimiter =
    counts[best] === 0 ? (DELIMITERS.find((each) => line.includes(each)) ?? ",") : DELIMITERS[best]!;
  return delimiter.charCodeAt(0);
}

/** The fields of a line; none if its quotes are not balanced. */
export function fieldsOf(line: string, delimiter: number): string[] {
  const fields = new CsvLine(delimiter);
  const bytes = Buffer.from(`${line}\n`);
  if (!fields.split(bytes, 0, bytes.length - 1)) return [];
  return Array.from({ length: Math.min(fields.count, 1024) }, (_, field) => fields.text(field));
}

/** What spreadsheets are told in a first line: `sep=;`. */
const SEPARATOR_LINE = /^sep=.$/i;

/** The text of the header in a line; null if it is a comment, blank, or says what the delimiter is. In a comment with known names, it is what follows `#`. */
export function headerText(line: string): string | null {
  const text = line.replace(/^\u{feff}/u, "").trim();
  if (text === "" || SEPARATOR_LINE.test(text)) return null;
  if (!text.startsWith("#")) return text;
  const uncommented = text.replace(/^#+\s*/, "");
  return isLogHeader(uncommented) ? uncommented : null;
}

/** Whether a line names columns of a log of jobs: two or more known names, one of them a time. */
export function isLogHeader(line: string): boolean {
  const names = fieldsOf(line, delimiterOf(line));
  const known = names.map((name) => recognise(name)?.field).filter((field) => field !== undefined);
  const times = ["submit", "start", "end", "runtime", "wait", "walltime"];
  return new Set(known).size >= 2 && known.some((field) => times.includes(field)) && !names.some(isNumber);
}

/** The first line that may be a header. */
export function firstHeader(text: string): string {
  for (const line of text.split(/\r?\n/, MAX_LINES)) {
    const header = headerText(line);
    if (header !== null) return header;
  }
  return "";
}

function knownNames(names: readonly string[]): number {
  return names.filter((name) => recognise(name) !== null).length;
}

function isNumber(name: string): boolean {
  return /^-?\d/.test(name);
}
