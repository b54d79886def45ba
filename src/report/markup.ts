import type { Figure } from "./figures/figure.ts";

/** A piece of HTML or SVG whose every hole has been escaped. */
export interface Markup {
  readonly text: string;
  /** The charts in it, so that they can be written to files of their own. */
  readonly figures?: readonly Figure[];
}

/** A value in a template: strings and numbers are escaped, markup is not, lists are joined. */
export type Hole = string | number | Markup | readonly Markup[];

/**
 * Writes HTML and SVG so that escaping cannot be forgotten: only what this
 * function made gets through as markup, every other string is text. Safe in
 * element content and in quoted attributes.
 */
export function markup(strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  let text = strings[0]!;
  for (let i = 0; i < holes.length; i++) text += textOf(holes[i]!) + strings[i + 1]!;
  const figures = holes.flatMap(figuresOf);
  return figures.length === 0 ? { text } : { text, figures };
}

/** No markup at all: for parts that are not there. */
export const none: Markup = { text: "" };

export function escapeText(text: string): string {
  return (
    text
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;")
      // Control characters are not allowed in HTML, escaped or not.
      .replace(/\p{Cc}/gu, (control) => (control === "\n" || control === "\t" ? control : "\ufffd"))
  );
}

function figuresOf(hole: Hole): readonly Figure[] {
  if (typeof hole === "string" || typeof hole === "number") return [];
  return "text" in hole ? (hole.figures ?? []) : hole.flatMap(figuresOf);
}

function textOf(hole: Hole): string {
  if (typeof hole === "string") return escapeText(hole);
  if (typeof hole === "number") return String(hole);
  if ("text" in hole) return hole.text;
  return hole.map((part) => part.text).join("");
}
