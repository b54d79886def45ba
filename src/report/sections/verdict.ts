import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { decisionOf, tilesOf, type Tile } from "../tiles.ts";
import { comparisonOf } from "./policies.ts";
import type { Section } from "./parts.ts";

/** The first screen: what to do, the three answers for who decides, and the verdict in full. */
export const verdictSection: Section = { id: "verdict", title: "Verdict", render };

function render(model: ReportModel): Markup {
  const { verdict, input } = model;
  const { unseen, cautions, sentence } = verdict;
  const look = input.workload.synthetic ? "headline synthetic" : "headline";
  const losers = verdict.losers === "" ? none : markup` ${verdict.losers}`;
  const told = markup`${notes("What the simulation cannot see", unseen)}<p class="${look}">${sentence}${losers}</p>${verdict.better === "" ? none : markup`<p>${verdict.better}</p>`}${notes("To keep in mind", cautions)}`;
  const { intervals, bars } = comparisonOf(model);
  const beside = intervals === none ? bars : intervals;
  return markup`<p class="decision">${decisionOf(model)}</p>${tilesText(tilesOf(model))}${beside === none ? told : markup`<div class="beside"><div>${told}</div><div>${beside}</div></div>`}`;
}

function notes(title: string, texts: readonly string[]): Markup {
  if (texts.length === 0) return none;
  return markup`<div class="caution"><p><b>${title}</b></p><ul>${texts.map((text) => markup`<li>${text}</li>`)}</ul></div>`;
}

/** @param tiles what is asked, with the answers */
export function tilesText(tiles: readonly Tile[]): Markup {
  if (tiles.length === 0) return none;
  return markup`<dl class="tiles">${tiles.map(
    ({ question, answer, becomes, note, isGain = false }) =>
      markup`<div class="${isGain ? "tile gain" : "tile"}"><dt>${question}</dt><dd class="answer">${answer}${becomes === undefined ? none : markup`<span class="to"> → </span>${becomes}${isGain ? markup`<span class="sign"> ▼</span>` : none}`}</dd><dd>${note}</dd></div>`,
  )}</dl>`;
}
