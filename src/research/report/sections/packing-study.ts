import { durationName } from "../../../workload/duration-name.ts";
import { markup, none } from "../../../report/markup.ts";
import type { Markup } from "../../../report/markup.ts";
import type { StudyModel } from "../input.ts";
import { formatDuration, formatShare } from "../../../report/numbers.ts";
import { packingName, tabulate } from "../../../report/runs.ts";
import { packingOf } from "../../../report/sections/packing.ts";
import { numberCell, tableOf } from "../../../report/sections/parts.ts";
import type { Section } from "../../../report/sections/parts.ts";

export const packingStudySection: Section<StudyModel> = { id: "packing", title: "Packing", render };

function render(model: StudyModel): Markup {
  const study = model.input.packing;
  if (study === undefined) return none;
  const rows = tabulate(study.runs.map(({ run }) => run)).loads.flatMap(({ runs }) => runs);
  const losses = study.runs.map(
    ({ run, throughput: { loss, interval } }) =>
      markup`<tr><th scope="row">${packingName(run)}</th>${numberCell(formatShare(loss))}${numberCell(interval === null ? "–" : `${formatShare(interval.low)} to ${formatShare(interval.high)}`)}</tr>`,
  );
  const locks = study.locks.map(
    ({ policy, ttlSeconds, lockedSeconds, idleShare }) =>
      markup`<tr><th scope="row">${ttlSeconds === undefined ? policy : `${policy} ${durationName(ttlSeconds)}`}</th>${numberCell(formatDuration(lockedSeconds))}${numberCell(formatShare(idleShare))}</tr>`,
  );
  return markup`${tableOf(
    `Throughput lost, as a part of that under the first, with the 95 % confidence interval of six batch means.`,
    [
      { title: "Packing" },
      { title: "Throughput lost", numeric: true },
      { title: "95 % confidence", numeric: true },
    ],
    [markup`<tbody>${losses}</tbody>`],
  )}${packingOf(rows)}<h3>The constructed lock</h3>${tableOf(
    "One free slot on every node, then one packed job a node that runs for ten days, then ordinary jobs only: how long slots are free and none starts. A constructed sequence, not a real log.",
    [
      { title: "Packing" },
      { title: "Locked for", numeric: true },
      { title: "Slots free meanwhile", numeric: true },
    ],
    [markup`<tbody>${locks}</tbody>`],
  )}`;
}
