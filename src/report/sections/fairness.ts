import { swatch } from "../charts/marks.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatCount, formatDuration, formatNumber, formatPercent, formatShare } from "../numbers.ts";
import type { Fairness } from "../../simulation/result.ts";
import type { PolicyRun } from "../runs.ts";
import { numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const fairnessSection: Section = { id: "fairness", title: "Fairness between projects", render };

interface FairRun extends PolicyRun {
  readonly fairness: Fairness;
}

function render(model: ReportModel): Markup {
  const runs: FairRun[] = model.load.runs.flatMap((row) =>
    row.run.fairness === undefined ? [] : [{ ...row, fairness: row.run.fairness }],
  );
  if (runs.length === 0) return none;
  return markup`${byPolicy(model, runs)}${byProject(model, runs)}`;
}

function byPolicy(model: ReportModel, runs: readonly FairRun[]): Markup {
  const body = runs.map(
    (row) =>
      markup`<tr><th scope="row">${swatch(row.index)}${row.policy}</th>${numberCell(formatNumber(row.fairness.jainIndex))}${numberCell(formatShare(row.fairness.shareErrorMean))}</tr>`,
  );
  return tableOf(
    `Jain's index over core-seconds ÷ share (1: all projects served alike) and the mean distance from the part due, at ${formatPercent(model.load.offeredLoad)} load.${model.origin}`,
    [
      { title: "Policy" },
      { title: "Jain's index", numeric: true },
      { title: "Distance from the part due", numeric: true },
    ],
    [markup`<tbody>${body}</tbody>`],
  );
}

/** The waits under the best and the baseline, and the span over all: a column for every policy would not fit a page. */
function byProject(model: ReportModel, runs: readonly FairRun[]): Markup {
  const best = runs.find((row) => isBest(model, row)) ?? runs[0]!;
  const baseline = runs.find((row) => row.policy === model.baseline) ?? runs[0]!;
  const columns = best === baseline ? [best] : [baseline, best];
  const waitOf = (row: FairRun, project: string): number =>
    row.fairness.projects.find((each) => each.project === project)?.waitMeanSeconds ?? Number.NaN;
  const body = best.fairness.projects.map((project) => {
    const all = runs.map((row) => waitOf(row, project.project)).filter((wait) => Number.isFinite(wait));
    const span = `${formatDuration(Math.min(...all))} to ${formatDuration(Math.max(...all))}`;
    return markup`<tr><th scope="row">${project.project}</th>${numberCell(formatCount(project.jobs))}${numberCell(formatNumber(project.coreSeconds / 3600))}${numberCell(formatNumber(project.share))}${columns.map((row) => numberCell(formatDuration(waitOf(row, project.project))))}${numberCell(span)}</tr>`;
  });
  return tableOf(
    `Mean wait of the largest projects (at most 20) at ${formatPercent(model.load.offeredLoad)} load.${model.origin}`,
    [
      { title: "Project" },
      { title: "Jobs", numeric: true },
      { title: "Core-hours", numeric: true },
      { title: "Share", numeric: true },
      ...columns.map((row) => ({ title: `Wait, ${row.policy}`, numeric: true })),
      { title: "Wait, all policies", numeric: true },
    ],
    [markup`<tbody>${body}</tbody>`],
  );
}
