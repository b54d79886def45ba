import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { formatChange } from "../numbers.ts";
import { otherChangeText } from "../sensitivity.ts";
import type { Verdict } from "../verdict.ts";
import { numberCell, tableOf, type Section } from "./parts.ts";

/** What the verdict rests on, and what it would be if something were otherwise. */
export const surenessSection: Section = {
  id: "sure",
  title: "How sure that is",
  finding: ({ verdict }) => rangeText(verdict) || verdict.confidence,
  render,
};

function render({ verdict }: ReportModel): Markup {
  const { confidence, sensitivity, best } = verdict;
  const told = confidence === "" ? none : markup`<p>${confidence}</p>`;
  if (sensitivity.length < 2) return told;
  const cells = sensitivity.map((change) => numberCell(otherChangeText(change)));
  const table = tableOf(
    "The change of the mean wait, and how it depends on what was assumed.",
    [{ title: "" }, ...sensitivity.map(({ what }) => ({ title: what, numeric: true }))],
    [markup`<tbody><tr><th scope="row">${best}</th>${cells}</tr></tbody>`],
  );
  return markup`${told}${table}`;
}

function rangeText({ sensitivity }: Verdict): string {
  const changes = sensitivity.flatMap(({ change }) => (change === null ? [] : [change]));
  if (changes.length < 2) return "";
  const [least, most] = [Math.min(...changes), Math.max(...changes)].map(formatChange);
  return least === most
    ? `The change of the mean wait is ${least} under all that was assumed otherwise.`
    : `The change of the mean wait lies between ${least} and ${most}, with what was assumed otherwise.`;
}
