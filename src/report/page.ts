import { policySummary } from "../simulation/settings/policy-names.ts";
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
  /** Of a folded chapter: what is seen of it. */
  readonly finding?: string;
  /** Stands above the first of those that answer it. */
  readonly interest?: string;
  readonly body: Markup;
}

/** @param interest what those who look for these chapters want to know */
export function chaptersOf<Model extends PageModel>(
  sections: readonly Section<Model>[],
  model: Model,
  interest?: string,
): Chapter[] {
  return sections
    .map(({ id, title, finding, render }) => {
      const body = render(model);
      return {
        id,
        title,
        body,
        ...(interest !== undefined && { interest }),
        ...(body.text !== "" && finding && { finding: finding(model) }),
      };
    })
    .filter((chapter) => chapter.body.text !== "");
}

/** The whole file: head, contents, chapters. */
export function renderPage(input: PageInput, overview: string, chapters: readonly Chapter[]): string {
  const bodies = chapters.map((chapter, i) => {
    const isNew = chapter.interest !== undefined && chapter.interest !== chapters[i - 1]?.interest;
    return markup`${isNew ? markup`<p class="interest">${chapter.interest}</p>` : none}${chapterOf(chapter)}\n`;
  });
  const banner = input.workload.synthetic
    ? markup`<aside class="banner">Synthetic workload, not a real log.</aside>`
    : none;
  // The policy forbids whatever could leave the page, should escaping ever fail.
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="generator" content="Croft ${input.version}"><title>${input.title}</title><style>${{ text: style }}</style></head>
<body>${banner}<header><h1>${input.title}</h1><p>${overview}</p>${contents(chapters)}</header>
<main>
${bodies}</main></body></html>
`;
  return withBreaks(withoutLooseHyphens(withoutLooseUnits(page.text)));
}

function chapterOf({ id, title, finding, body }: Chapter): Markup {
  return finding === undefined
    ? markup`<section id="${id}"><h2>${title}</h2>${body}</section>`
    : markup`<section id="${id}" class="folded"><details><summary><h2>${title}</h2> <span class="finding">${finding}</span></summary><div class="body">${body}</div></details></section>`;
}

/** Links to the chapters that are not folded: those that are folded are their own contents. */
function contents(chapters: readonly Chapter[]): Markup {
  const open = chapters.filter(({ finding }) => finding === undefined);
  if (open.length < 2) return none;
  return markup`<nav aria-label="Contents">${open.map(({ id, title }) => markup`<a href="#${id}">${title}</a>`)}</nav>`;
}

/** What is left as it is, a style, code to copy or a tag; or a number, the space after it, and a unit ahead. */
const LOOSE = /<(style|pre|code)\b.*?<\/\1>|<[^>]*>|(\d) (?=(?:%|[KMGT]iB|min|h|d|s)(?![\p{L}\d]))/gsu;

/** No line may break between a number and its unit, wherever the sentence comes from. */
function withoutLooseUnits(html: string): string {
  return html.replaceAll(LOOSE, (all, _tag, digit?: string) =>
    digit === undefined ? all : `${digit}\u00a0`,
  );
}

/** Longer words do not fit into the first column of a table on a telephone. */
const LONGEST_UNBROKEN = 18;
/** What is left as it is; or what may be a policy's name, as easy-sjbf, in which browsers break lines. */
const HYPHENED = /<(style|pre|code|title|svg)\b.*?<\/\1>|<[^>]*>|[a-z]+(?:-[a-z]+)+/gsu;

/** No line breaks within a policy's name, and the name can be copied as it is: another hyphen would be another name. */
function withoutLooseHyphens(html: string): string {
  return html.replaceAll(HYPHENED, (all) =>
    all.length > LONGEST_UNBROKEN || policySummary(all) === undefined ? all : `<span class="w">${all}</span>`,
  );
}

/** What is left as it is; or a stroke between names, as in easy/best-fit, after which browsers break no line by themselves. */
const STROKE = /<(style|pre|code|title|svg)\b.*?<\/\1>|<[^>]*>|\/(?=\p{L})/gsu;

function withBreaks(html: string): string {
  return html.replaceAll(STROKE, (all) => (all === "/" ? "/<wbr>" : all));
}
