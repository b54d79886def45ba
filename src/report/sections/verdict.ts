import { policySummary } from "../../simulation/settings/policy-names.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { decisionOf, tilesOf, type Tile } from "../tiles.ts";
import { comparisonOf } from "./policies.ts";
import { beside, type Section } from "./parts.ts";

/** The first screen: what to do, the three answers for who decides, and the verdict in full. */
export const verdictSection: Section = { id: "verdict", title: "Verdict", render };

function render(model: ReportModel): Markup {
  const { verdict, input } = model;
  const { unseen, cautions, sentence, machines } = verdict;
  const look = input.workload.synthetic ? "headline synthetic" : "headline";
  const losers = verdict.losers === "" ? none : markup` ${verdict.losers}`;
  const told = markup`${notes("What the simulation cannot see", unseen)}<p class="${look}">${sentence}${losers}</p>${glosses(model)}${verdict.better === "" ? none : markup`<p>${verdict.better}</p>`}${machines === "" ? none : markup`<p>${machines}</p>`}${notes("To keep in mind", cautions)}`;
  const { intervals, bars } = comparisonOf(model);
  return markup`<p class="decision">${decisionOf(model)}</p>${tilesText(tilesOf(model))}${beside(told, intervals === none ? bars : intervals)}`;
}

/** What weakens a verdict, in sentences. */
export function notes(title: string, texts: readonly string[]): Markup {
  if (texts.length === 0) return none;
  return markup`<div class="caution"><p><b>${title}</b></p><ul>${texts.map((text) => markup`<li>${text}</li>`)}</ul></div>`;
}

/** A short description of each policy that the verdict names. */
function glosses({ verdict }: ReportModel): Markup {
  if (!verdict.hasVerdict) return none;
  const named = new Set([verdict.best, verdict.baseline]);
  const told = [...named].flatMap((policy) => {
    const summary = policySummary(policy);
    return summary === undefined ? [] : [markup`<b>${policy}</b>: ${summary}. `];
  });
  return told.length === 0 ? none : markup`<p class="gloss">${told}</p>`;
}

/** @param tiles what is asked, with the answers */
export function tilesText(tiles: readonly Tile[]): Markup {
  if (tiles.length === 0) return none;
  return markup`<dl class="tiles">${tiles.map(
    ({ question, answer, becomes, note, isGain = false }) =>
      markup`<div class="${isGain ? "tile gain" : "tile"}"><dt>${question}</dt><dd class="answer">${answer}${becomes === undefined ? none : markup`<span class="to"> → </span>${isGain ? markup`<span class="w">${becomes}<span class="sign"> ▼</span></span>` : becomes}`}</dd><dd>${note}</dd></div>`,
  )}</dl>`;
}
