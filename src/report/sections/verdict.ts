import { policySummary } from "../../simulation/settings/policy-names.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { bestOf, metrics } from "../metrics.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { figureTables } from "./verdict-figures.ts";
import { waitTables } from "./verdict-waits.ts";
import { formatChange } from "../numbers.ts";
import type { Verdict } from "../verdict.ts";
import { numberCell, tableOf, type Section } from "./parts.ts";

export const verdictSection: Section = { id: "verdict", title: "Verdict", render };

function render(model: ReportModel): Markup {
  const { verdict, input } = model;
  const look = input.workload.synthetic ? "headline synthetic" : "headline";
  const unseen = verdict.unseen.map((each) => markup`<p class="caution">${each}</p>`);
  const losers = verdict.losers === "" ? none : markup` ${verdict.losers}`;
  const sure = [verdict.confidence, verdict.better, verdict.ties].flatMap((text) =>
    text === "" ? [] : [markup`<p>${text}</p>`],
  );
  const cautions = verdict.cautions.map((caution) => markup`<p class="caution">${caution}</p>`);
  const tables =
    verdict.waits === null ? figureTables(model, verdict) : waitTables(model, verdict, verdict.waits);
  return markup`${unseen}<p class="${look}">${verdict.sentence}${losers}</p>${sure}${glosses(model)}${cautions}${verdict.hasVerdict ? alsoBest(model) : none}${sensitivity(verdict)}${tables}`;
}

/** The change of the mean wait where something is otherwise. */
function sensitivity({ sensitivity: changes, best }: Verdict): Markup {
  if (changes.length < 2) return none;
  const cells = changes.map(({ change }) => numberCell(change === null ? "no waits" : formatChange(change)));
  return tableOf(
    "The change of the mean wait, and how it depends on what was assumed.",
    [{ title: "" }, ...changes.map(({ what }) => ({ title: what, numeric: true }))],
    [markup`<tbody><tr><th scope="row">${best}</th>${cells}</tr></tbody>`],
  );
}

/** A short description of each policy that the sentence names. */
function glosses({ verdict }: ReportModel): Markup {
  if (!verdict.hasVerdict) return none;
  const named = new Set([verdict.best, verdict.baseline]);
  const told = [...named].flatMap((policy) => {
    const summary = policySummary(policy);
    return summary === undefined ? [] : [markup`<b>${policy}</b>: ${summary}. `];
  });
  return told.length === 0 ? none : markup`<p class="gloss">${told}</p>`;
}

/** In which other figures the best policy is best, and in which another one is. */
function alsoBest(model: ReportModel): Markup {
  const runs = model.load.runs.map((row) => row.run);
  const best = model.load.runs.find((row) => isBest(model, row))!;
  const others = metrics.flatMap((metric) => {
    if (metric === model.verdict.measure) return [];
    const winners = bestOf(metric, runs);
    return winners.size === 0 ? [] : [{ title: metric.title.toLowerCase(), won: winners.has(best.run) }];
  });
  const won = others.filter((metric) => metric.won).map((metric) => metric.title);
  const lost = others.filter((metric) => !metric.won).map((metric) => metric.title);
  if (others.length === 0) return none;
  const praise = won.length === 0 ? "" : `${best.policy} is also best in ${list(won)}. `;
  const reserve = lost.length === 0 ? "" : `Another policy is best in ${list(lost)}: see the summary.`;
  return markup`<p>${praise}${reserve}</p>`;
}

function list(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)!}`;
}
