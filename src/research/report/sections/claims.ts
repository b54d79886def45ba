import { aloneText } from "../../study/index.ts";
import { markup, none } from "../../../report/markup.ts";
import type { Markup } from "../../../report/markup.ts";
import type { Claim } from "../input.ts";
import type { StudyModel } from "../input.ts";
import { cell, tableOf } from "../../../report/sections/parts.ts";
import type { Section } from "../../../report/sections/parts.ts";

export const claimsSection: Section<StudyModel> = {
  id: "claims",
  title: "Published claims, tested here",
  render,
};

function render(model: StudyModel): Markup {
  const { claims } = model.input;
  if (claims === undefined || claims.length === 0) return none;
  const isInParts = claims.some(({ alone }) => alone !== undefined);
  const rows = claims.map(({ alone, ...claim }) => {
    const parts = isInParts ? [cell(alone === undefined ? "–" : aloneText(alone))] : [];
    return markup`<tr>${cell(claim.claim)}${judgement(claim)}${cell(claim.evidence)}${parts}</tr>`;
  });
  return tableOf(
    `Claims of the literature and what these runs say of them.`,
    [
      { title: "Claim" },
      { title: "Here" },
      { title: "Evidence" },
      ...(isInParts ? [{ title: "Interval and parts" }] : []),
    ],
    [markup`<tbody>${rows}</tbody>`],
  );
}

function judgement(claim: Claim): Markup {
  if (claim.holds === null) return markup`<td class="judged open">? cannot be judged</td>`;
  return claim.holds
    ? markup`<td class="judged yes">✓ holds</td>`
    : markup`<td class="judged no">✗ does not hold</td>`;
}
