import { swatch } from "../charts/marks.ts";
import { columnStyle, columnTitle } from "../columns.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatChange, formatChangeRange, formatDuration, formatPercent } from "../numbers.ts";
import { AS_IT_WAS } from "../reference.ts";
import type { Verdict } from "../verdict.ts";
import type { WaitComparison } from "../../simulation/comparison/wait-comparison.ts";
import type { AllWaits } from "../all-waits.ts";
import type { Comparison } from "./policies.ts";
import { changesFigure } from "./changes.ts";
import { cell, numberCell, shortCell, tableOf } from "./parts.ts";

export function waitComparison(
  model: ReportModel,
  verdict: Verdict,
  waits: AllWaits,
): Omit<Comparison, "bars"> {
  if (verdict.ranked.length === 1) return { table: none, intervals: none };
  return { table: waitTable(model, verdict, waits), intervals: intervals(model, verdict, waits) };
}

function waitTable(model: ReportModel, verdict: Verdict, waits: AllWaits): Markup {
  const rows = verdict.ranked;
  const { reference } = verdict;
  const style = columnStyle(
    [...rows, reference].map(({ run }) => run.waitMeanSeconds),
    formatDuration,
  );
  const isBestBaseline = verdict.best === verdict.baseline;
  const body = rows.map((row) => {
    const base = find(waits.againstBaseline, row.policy);
    const best = find(waits.againstBest, row.policy);
    return markup`<tr><th scope="row">${swatch(row.index)}${row.policy}</th>${numberCell(style.text(row.run.waitMeanSeconds), isBest(model, row))}${numberCell(base === undefined ? (isBestBaseline ? "baseline, the best" : "baseline") : changeText(base))}${base === undefined ? shortCell("–") : judgementCell(base.judgement)}${isBestBaseline ? none : shortCell(best === undefined ? "the best" : againstBest(best))}</tr>`;
  });
  const name = reference.policy === AS_IT_WAS ? `${AS_IT_WAS} (recorded)` : reference.policy;
  const was = rows.some(({ policy }) => policy === reference.policy)
    ? none
    : markup`<tr class="recorded"><th scope="row">${name}</th>${numberCell(style.text(reference.run.waitMeanSeconds))}${numberCell("baseline")}${shortCell("–")}${shortCell("–")}</tr>`;
  return tableOf(
    `Mean wait at ${formatPercent(verdict.offeredLoad)} load, against ${verdict.baseline} and against the best.`,
    [
      { title: "Policy" },
      { title: columnTitle("Mean wait", style), numeric: true },
      { title: `Against ${verdict.baseline} (95 % confidence)`, numeric: true },
      { title: "Judgement" },
      ...(isBestBaseline ? [] : [{ title: `Against ${verdict.best}` }]),
    ],
    [markup`<tbody>${was}${body}</tbody>`],
  );
}

/** Green and with a sign where a gain is claimed. */
function judgementCell(judgement: WaitComparison["judgement"]): Markup {
  return judgement === "shorter"
    ? markup`<td class="short gain">▼ clearly shorter</td>`
    : shortCell(judgement === "longer" ? "▲ clearly longer" : judgement);
}

function intervals(model: ReportModel, { ranked, baseline, reference }: Verdict, waits: AllWaits): Markup {
  const rows = ranked.flatMap((row) => {
    const base = find(waits.againstBaseline, row.policy);
    return base === undefined
      ? []
      : [
          {
            name: row.policy,
            index: row.index,
            value: base.change,
            interval: base.interval,
            emphasized: isBest(model, row),
          },
        ];
  });
  const known = rows.filter(({ interval }) => interval !== null).length;
  const bare = known < rows.length ? " Of a point without a bar one log does not tell how sure it is." : "";
  const meaning =
    known > 0
      ? `The bars are the 95 % confidence intervals; one that crosses the line means no clear difference.${bare}`
      : "There are no confidence intervals: one log does not tell them.";
  return changesFigure(
    "verdict-intervals",
    `Mean wait against ${baseline}`,
    rows,
    `Left of the line: jobs wait less than ${reference.kind === "record" ? "" : "under "}${baseline}. ${meaning}`,
  );
}

/** Does the answer depend on the load? */
export function waitsByLoad(model: ReportModel): Markup {
  const rows = model.verdicts.flatMap(({ offeredLoad, best, waits }) =>
    waits === null
      ? []
      : [
          markup`<tr><th scope="row">${formatPercent(offeredLoad)}</th>${shortCell(best)}${numberCell(bestText(best, waits))}${cell(alike(waits))}</tr>`,
        ],
  );
  if (rows.length < 2) return none;
  return tableOf(
    `The best policy at every load.`,
    [
      { title: "Load" },
      { title: "Shortest mean wait" },
      { title: `Against ${model.baseline} (95 % confidence)`, numeric: true },
      { title: "Not clearly worse than the best" },
    ],
    [markup`<tbody>${rows}</tbody>`],
  );
}

function bestText(best: string, waits: AllWaits): string {
  const row = find(waits.againstBaseline, best);
  return row === undefined ? "baseline" : changeText(row);
}

function alike({ againstBest }: AllWaits): string {
  if (againstBest.some((row) => row.judgement === "cannot be judged")) return "cannot be judged";
  const alike = againstBest.filter((row) => row.judgement !== "longer").map((row) => row.policy);
  if (alike.length === 0) return "none";
  return alike.length === againstBest.length && alike.length > 1 ? "all others" : alike.join(", ");
}

function againstBest(row: WaitComparison): string {
  switch (row.judgement) {
    case "longer":
      return row.change === null ? "clearly worse" : `clearly worse, ${formatChange(row.change)}`;
    case "shorter":
      return "better";
    case "no clear difference":
      return "no clear difference";
    default:
      return row.change === null ? "–" : formatChange(row.change);
  }
}

function changeText(row: WaitComparison): string {
  if (row.change === null) return "no job waits there";
  if (row.interval === null) return formatChange(row.change);
  return `${formatChange(row.change)} (${formatChangeRange(row.interval.low, row.interval.high)})`;
}

function find(list: readonly WaitComparison[], policy: string): WaitComparison | undefined {
  return list.find((row) => row.policy === policy);
}
