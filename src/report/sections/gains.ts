import { formatChange, formatCount, formatDuration, formatFactor } from "../numbers.ts";
import { direction, gainsSentence, type GainsOfKind } from "../gains.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { AS_IT_WAS } from "../reference.ts";
import { cell, numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const gainsSection: Section = { id: "gains", title: "Who gains, and who loses", render };

/** The number of names shown that lose most, and of those that gain most. */
const SHOWN = 3;

function render(model: ReportModel): Markup {
  const { gains } = model.verdict;
  if (gains === null || gains.kinds.length === 0) return none;
  const { longestBeforeSeconds, longestAfterSeconds, against, best } = gains;
  const names = against === AS_IT_WAS ? "as recorded" : `under ${against}`;
  return markup`<p>${gainsSentence(gains)} The longest wait is ${formatDuration(longestAfterSeconds)} under ${best}, and ${formatDuration(longestBeforeSeconds)} ${names}.</p>${gains.kinds.map((kind) => tableOfKind(kind, against, best))}`;
}

function tableOfKind({ kind, isAll, isScale, parts }: GainsOfKind, against: string, best: string): Markup {
  const isCut = !isAll && parts.length > 2 * SHOWN;
  const shown = isCut ? [...parts.slice(0, SHOWN), ...parts.slice(-SHOWN)] : parts;
  const rows = shown.map((part) => {
    const ratio = part.afterSeconds / part.beforeSeconds;
    // A change from almost zero is hard to read as a percentage.
    const change =
      part.beforeSeconds === 0 ? "–" : ratio > 10 ? formatFactor(ratio) : formatChange(ratio - 1);
    const words = { "1": "waits longer", "-1": "waits less", "0": "about the same" }[
      String(direction(part)) as "0"
    ];
    return markup`<tr><th scope="row">${part.name}</th>${numberCell(formatCount(part.jobs))}${numberCell(formatDuration(part.beforeSeconds))}${numberCell(formatDuration(part.afterSeconds))}${numberCell(change)}${cell(words)}</tr>`;
  });
  const first = parts.some((part) => direction(part) === 1) ? "lose most" : "gain least";
  const which = isCut
    ? `, the ${SHOWN} that ${first} and the ${SHOWN} that gain most, of the ${parts.length} with the most jobs`
    : isAll
      ? ""
      : `, those with the most jobs`;
  const title = kind[0]!.toUpperCase() + kind.slice(1);
  return tableOf(
    `${title}${which}: mean waits${isScale ? "" : `, those that ${first} first`}.`,
    [
      { title },
      { title: "Jobs", numeric: true },
      { title: against === AS_IT_WAS ? "As it was" : `Under ${against}`, numeric: true },
      { title: `Under ${best}`, numeric: true },
      { title: "Change", numeric: true },
      { title: "Which means" },
    ],
    [markup`<tbody>${rows}</tbody>`],
  );
}
