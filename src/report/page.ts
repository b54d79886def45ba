import type { PageInput } from "./input.ts";
import { markup, none } from "./markup.ts";
import type { Markup } from "./markup.ts";
import type { PageModel } from "./model.ts";
import type { Section } from "./sections/parts.ts";
import { style } from "./style.ts";

/** A chapter that has something to show. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  readonly body: Markup;
}

export function chaptersOf<Model extends PageModel>(
  sections: readonly Section<Model>[],
  model: Model,
): Chapter[] {
  return sections
    .map((section) => ({ id: section.id, title: section.title, body: section.render(model) }))
    .filter((chapter) => chapter.body.text !== "");
}

/** The whole file: head, contents, chapters. */
export function renderPage(input: PageInput, overview: string, chapters: readonly Chapter[]): string {
  const links = chapters.map((chapter) => markup`<a href="#${chapter.id}">${chapter.title}</a>`);
  const bodies = chapters.map(
    (chapter) => markup`<section id="${chapter.id}"><h2>${chapter.title}</h2>${chapter.body}</section>\n`,
  );
  const banner = input.workload.synthetic
    ? markup`<p class="banner" role="note">Synthetic workload, not a real log.</p>`
    : none;
  // The policy forbids whatever could leave the page, should escaping ever fail.
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="generator" content="Croft ${input.version}"><title>${input.title}</title><style>${{ text: style }}</style></head>
<body>${banner}<header><h1>${input.title}</h1><p>${overview}</p><nav aria-label="Contents">${links}</nav></header>
<main>
${bodies}</main></body></html>
`;
  return withoutLooseUnits(page.text);
}

/** What is left as it is, a style, code to copy or a tag; or a number, the space after it, and a unit ahead. */
const LOOSE = /<(style|pre|code)\b.*?<\/\1>|<[^>]*>|(\d) (?=(?:%|[KMGT]iB|min|h|d|s)(?![\p{L}\d]))/gsu;

/** No line may break between a number and its unit, wherever the sentence comes from. */
function withoutLooseUnits(html: string): string {
  return html.replaceAll(LOOSE, (all, _tag, digit?: string) =>
    digit === undefined ? all : `${digit}\u00a0`,
  );
}
