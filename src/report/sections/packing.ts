import { chosenFrames } from "../farm/chosen.ts";
import { farmPicture, formatIndex, frameText } from "../farm/frame-svg.ts";
import { slotStates, stateLegend } from "../farm/states.ts";
import { swatch } from "../charts/marks.ts";
import { lineMark, timeline } from "../charts/timeline.ts";
import { course } from "../finding.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { bestOf } from "../metrics.ts";
import type { ReportModel } from "../model.ts";
import { formatCount, formatDuration, formatShare } from "../numbers.ts";
import { packingMetrics } from "../packing-metrics.ts";
import { packingName, type PolicyRun } from "../runs.ts";
import { cell, largest, legendOf, numberCell, panels, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const packingSection: Section = {
  id: "packing",
  title: "Packing",
  finding: ({ load }) => {
    const names = load.runs.flatMap(({ run }) => (run.packing === undefined ? [] : [packingName(run)]));
    return `What each way of packing does, family by family and over time: ${[...new Set(names)].join("; ")}.`;
  },
  render,
};

function render(model: ReportModel): Markup {
  return packingOf(model.load.runs.filter(({ run }) => run.packing !== undefined));
}

/** What packing did in each of the runs, which all have it. */
export function packingOf(rows: readonly PolicyRun[]): Markup {
  if (rows.length === 0) return none;
  return markup`${indicators(rows)}${families(rows)}${overTime(rows)}${pictures(rows)}`;
}

function indicators(rows: readonly PolicyRun[]): Markup {
  const runs = rows.map(({ run }) => run);
  const columns = packingMetrics.filter((metric) => runs.some((run) => metric.value(run) !== null));
  const best = columns.map((metric) => bestOf(metric, runs));
  const meanings = columns.map(({ title, meaning }) => markup`<dt>${title}</dt><dd>${meaning}</dd>`);
  const body = rows.map(({ run, index, policy }) => {
    const cells = columns.map((metric, i) => {
      const value = metric.value(run);
      return numberCell(value === null ? "–" : metric.format(value), best[i]!.has(run));
    });
    return markup`<tr><th scope="row">${swatch(index)}${policy}</th>${cells}</tr>`;
  });
  const table = tableOf(
    `What packing does (${[...new Set(runs.map(packingName))].join("; ")}); ★ is the best of a column.`,
    [{ title: "Packing" }, ...columns.map(({ title }) => ({ title, numeric: true }))],
    [markup`<tbody>${body}</tbody>`],
  );
  return markup`${table}<dl class="terms">${meanings}</dl>`;
}

function families(rows: readonly PolicyRun[]): Markup {
  const body = rows.flatMap(({ run, policy }) =>
    run.packing!.families.map(
      (family) =>
        markup`<tr><th scope="row">${policy}</th>${cell(family.family)}${numberCell(formatCount(family.jobs))}${numberCell(formatDuration(family.waitMeanSeconds))}${numberCell(family.packingIndexMean === null ? "–" : formatIndex(family.packingIndexMean))}</tr>`,
    ),
  );
  return tableOf(
    `Family by family.`,
    [
      { title: "Packing" },
      { title: "Family" },
      { title: "Jobs", numeric: true },
      { title: "Mean wait", numeric: true },
      { title: "Packing index", numeric: true },
    ],
    [markup`<tbody>${body}</tbody>`],
  );
}

/** One panel a run: the packing index and the fill factor. */
function overTime(rows: readonly PolicyRun[]): Markup {
  const untilSeconds = largest(rows.map(({ run }) => largest(run.series.timeSeconds)));
  const lines = [
    { name: "packing index", field: "packingIndex", index: 3, dash: "" },
    { name: "fill factor", field: "coreUtilization", index: 7, dash: "4 2" },
  ] as const;
  const charts = rows.map(({ run, policy, index }) =>
    timeline(
      {
        size: "panel",
        heading: policy,
        untilSeconds,
        top: 1,
        quantity: "share",
        lines: lines.map((line) => ({
          name: line.name,
          timeSeconds: run.series.timeSeconds,
          values: run.series[line.field] ?? [],
          index: line.index,
          dash: line.dash,
          summary: "mean" as const,
        })),
      },
      {
        id: `packing-time-${index}`,
        title: `Packing index and fill factor over time under ${policy}`,
        description: lines
          .map((line) => course(line.name, run.series[line.field] ?? [], formatShare))
          .join(" "),
      },
    ),
  );
  const legend = legendOf(lines.map((line) => ({ name: line.name, mark: lineMark(line) })));
  const caption = "Packing index and fill factor over time; all panels have the same scale.";
  return markup`<h3>Over time</h3>${panels(charts, caption, legend)}`;
}

/** The farm at a few instants of each run; the page beside the report has all of them. */
function pictures(rows: readonly PolicyRun[]): Markup {
  const shown = rows.flatMap(({ run, policy, index }) => {
    const farm = run.farmFrames;
    if (farm === undefined || farm.frames.length === 0) return [];
    const states = slotStates(run);
    const frames = chosenFrames(farm).map((frame, i) => {
      const picture = farmPicture(farm, frame, states, `farm-${index}-${i}`, `The farm under ${policy}`);
      return markup`<figure>${picture}<figcaption>${policy}, ${frameText(frame)}</figcaption></figure>`;
    });
    return [markup`<div class="panels farms">${frames}</div>`];
  });
  if (shown.length === 0) return none;
  const states = slotStates(rows[0]!.run);
  return markup`<h3>The farm</h3><p>Every slot is a cell, the slots of a node lie side by side. The page <a href="farm.html">farm.html</a> beside this one plays all of it.</p>${stateLegend(states)}${shown}`;
}
