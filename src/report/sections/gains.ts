import { columnStyle, columnTitle } from "../columns.ts";
import { formatChange, formatCount, formatDuration } from "../numbers.ts";
import { direction, gainsSentence, type GainsOfKind } from "../gains.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { AS_IT_WAS } from "../reference.ts";
import { cell, grid, numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const gainsSection: Section = {
  id: "gains",
  title: "Who gains, and who loses",
  finding: ({ verdict }) => gainsSentence(verdict.gains),
  render,
};

/** The number of names shown that lose most, and of those that gain most, where there are more than twice as many. */
const SHOWN = 5;

function render(model: ReportModel): Markup {
  const { gains } = model.verdict;
  if (gains === null || gains.kinds.length === 0) return none;
  const { longestBeforeSeconds, longestAfterSeconds, against, best } = gains;
  const names = against === AS_IT_WAS ? "as recorded" : `under ${against}`;
  return markup`<p>The longest wait is ${formatDuration(longestAfterSeconds)} under ${best}, and ${formatDuration(longestBeforeSeconds)} ${names}.</p>${grid(gains.kinds.map((kind) => tableOfKind(kind, against, best)))}`;
}

function tableOfKind({ kind, isScale, parts }: GainsOfKind, against: string, best: string): Markup {
  const isCut = !isScale && parts.length > 2 * SHOWN;
  const shown = isCut ? [...parts.slice(0, SHOWN), ...parts.slice(-SHOWN)] : parts;
  const style = columnStyle(
    shown.flatMap(({ beforeSeconds, afterSeconds }) => [beforeSeconds, afterSeconds]),
    formatDuration,
  );
  const before = against === AS_IT_WAS ? "As it was" : `Under ${against}`;
  const rows = shown.map((part) => {
    const change = part.beforeSeconds === 0 ? "–" : formatChange(part.afterSeconds / part.beforeSeconds - 1);
    const words = { "1": "waits longer", "-1": "waits less", "0": "about the same" }[
      String(direction(part)) as "0"
    ];
    return markup`<tr><th scope="row">${part.name}</th>${numberCell(formatCount(part.jobs))}${numberCell(style.text(part.beforeSeconds))}${numberCell(style.text(part.afterSeconds))}${numberCell(change)}${cell(words)}</tr>`;
  });
  const first = parts.some((part) => direction(part) === 1) ? "lose most" : "gain least";
  const which = isCut
    ? `, the ${SHOWN} that ${first} and the ${SHOWN} that gain most, of ${parts.length}`
    : "";
  const title = kind[0]!.toUpperCase() + kind.slice(1);
  return tableOf(
    `${title}${which}: mean waits${isScale ? "" : `, those that ${first} first`}.`,
    [
      { title },
      { title: "Jobs", numeric: true },
      { title: columnTitle(before, style), numeric: true },
      { title: columnTitle(`Under ${best}`, style), numeric: true },
      { title: "Change", numeric: true },
      { title: "Which means" },
    ],
    [markup`<tbody>${rows}</tbody>`],
  );
}
