import { printable } from "../live/printable.ts";

/** Of an answer: what an assistant reads at once. */
export const MOST_CHARACTERS = 60_000;
const MOST_ERROR_CHARACTERS = 2000;

/**
 * An answer as JSON that is never longer than the limit: the last entries of its longest list are left out until it
 * fits. Users wrote the names in it, so that control characters are replaced as for a terminal.
 */
export function answerText(answer: unknown): string {
  let given = cleaned(answer);
  for (;;) {
    const text = JSON.stringify(given);
    if (text.length <= MOST_CHARACTERS) return text;
    const longest = longestList(given);
    if (longest === null || longest.length < 2)
      return JSON.stringify({ leftOut: `the answer has ${text.length} characters: ask for less` });
    given = replaced(given, longest, halved(longest));
  }
}

/** What stands in the place of entries that are left out. */
class LeftOut {
  readonly leftOut: number;
  readonly why = "the answer was too long: ask for less";

  constructor(leftOut: number) {
    this.leftOut = leftOut;
  }
}

/** The first half of a list, and how many were left out of it so far. */
function halved(list: readonly unknown[]): unknown[] {
  const last = list.at(-1);
  const before = last instanceof LeftOut ? last.leftOut : 0;
  const entries = last instanceof LeftOut ? list.slice(0, -1) : list;
  const kept = Math.floor(entries.length / 2);
  return [...entries.slice(0, kept), new LeftOut(before + entries.length - kept)];
}

/** What is wrong, in a few lines. */
export function shortText(text: string): string {
  return printable(text).slice(0, MOST_ERROR_CHARACTERS);
}

function cleaned(value: unknown): unknown {
  if (typeof value === "string") return value.split("\n").map(printable).join("\n");
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [printable(name), cleaned(each)]));
}

/** The list with the most text in it, however deep. */
function longestList(value: unknown): readonly unknown[] | null {
  let longest: readonly unknown[] | null = null;
  let most = 0;
  const look = (each: unknown): void => {
    if (typeof each !== "object" || each === null) return;
    if (Array.isArray(each) && each.length > 1) {
      const { length } = JSON.stringify(each);
      if (length >= most) [longest, most] = [each, length];
    }
    for (const inner of Object.values(each)) look(inner);
  };
  look(value);
  return longest;
}

function replaced(value: unknown, list: readonly unknown[], by: readonly unknown[]): unknown {
  if (value === list) return by;
  if (Array.isArray(value)) return value.map((each) => replaced(each, list, by));
  if (typeof value !== "object" || value === null || value instanceof LeftOut) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, replaced(each, list, by)]));
}
