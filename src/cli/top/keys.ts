import type { Choice } from "./screen.ts";

/** What a key asks for beside another choice. */
export type Wish = "quit" | "why" | null;

const NAMES: Readonly<Record<string, string>> = {
  "\u001b[A": "up",
  "\u001bOA": "up",
  "\u001b[B": "down",
  "\u001bOB": "down",
  "\u001b[5~": "page-up",
  "\u001b[6~": "page-down",
  "\u001b[H": "home",
  "\u001b[F": "end",
  "\u001b": "escape",
  "\r": "enter",
  "\n": "enter",
  "\u007f": "rubout",
  "\b": "rubout",
  "\u0003": "interrupt",
  "\u0004": "interrupt",
};
const IS_NAME = new Set(Object.values(NAMES));
const PAGE = 10;
/** By how many lines a text moves. */
const LINES: Readonly<Record<string, number>> = { up: -1, down: 1, "page-up": -PAGE, "page-down": PAGE };
const LONGEST_FILTER = 60;

/** The keys in what a terminal sent: names, and characters as they are. */
export function keysIn(text: string): string[] {
  const keys: string[] = [];
  // An escape sequence ends with a letter or a tilde; others than those above are passed over.
  // eslint-disable-next-line no-control-regex
  for (const [key] of text.matchAll(/\u001b(?:\[[\d;]*[A-Za-z~]|O[A-Za-z])|[^]/gu))
    if (NAMES[key] !== undefined) keys.push(NAMES[key]);
    else if (!/[\p{Cc}\p{Cf}]/u.test(key)) keys.push(key);
  return keys;
}

/**
 * What is chosen after a key.
 *
 * @param count the jobs that the filter leaves
 */
export function afterKey(choice: Choice, key: string, count: number): { choice: Choice; wish: Wish } {
  const { filter, isTyping, chosen, why } = choice;
  const as = (more: Partial<Choice>): { choice: Choice; wish: Wish } => ({
    choice: { ...choice, ...more },
    wish: null,
  });
  if (key === "interrupt") return { choice, wish: "quit" };
  if (isTyping) {
    if (key === "enter") return as({ isTyping: false });
    if (key === "escape") return as({ isTyping: false, filter: "", chosen: 0 });
    if (key === "rubout") return as({ filter: Array.from(filter).slice(0, -1).join(""), chosen: 0 });
    if (IS_NAME.has(key) || filter.length >= LONGEST_FILTER) return as({});
    return as({ filter: filter + key, chosen: 0 });
  }
  if (key === "q") return { choice, wish: "quit" };
  if (why !== null) {
    if (key === "escape" || key === "enter") return as({ why: null, whyFrom: 0 });
    return as({ whyFrom: Math.max(0, choice.whyFrom + (LINES[key] ?? 0)) });
  }
  const to = (place: number): { choice: Choice; wish: Wish } =>
    as({ chosen: Math.max(0, Math.min(count - 1, place)) });
  switch (key) {
    case "up":
      return to(chosen - 1);
    case "down":
      return to(chosen + 1);
    case "page-up":
      return to(chosen - PAGE);
    case "page-down":
      return to(chosen + PAGE);
    case "home":
      return to(0);
    case "end":
      return to(count - 1);
    case "/":
      return as({ isTyping: true });
    case "escape":
      return as({ filter: "", chosen: 0 });
    case "enter":
      return { choice, wish: count > 0 ? "why" : null };
    default:
      return as({});
  }
}
