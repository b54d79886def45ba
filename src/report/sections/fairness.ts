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

/** Projects that are shown; results.json has 20. */
const PROJECTS_SHOWN = 8;

interface FairRun extends PolicyRun {
  readonly fairness: Fairness;
}

function render(model: ReportModel): Markup {
  const runs: FairRun[] = model.load.runs.flatMap((row) =>
    row.run.fairness === undefined ? [] : [{ ...row, fairness: row.run.fairness }],
  );
  if (runs.length === 0) return none;
  return markup`${byPolicy(model, runs)}${leftOut(runs)}${byProject(model, runs)}`;
}

/** Tells of projects that the figures are not about. */
function leftOut(runs: readonly FairRun[]): Markup {
  const most = Math.max(...runs.map(({ fairness }) => fairness.projectsWithoutStart));
  if (most === 0) return none;
  const least = Math.min(...runs.map(({ fairness }) => fairness.projectsWithoutStart));
  const count = least === most ? formatCount(most) : `${formatCount(least)} to ${formatCount(most)}`;
  return markup`<p>Without the projects none of whose jobs started: ${count}.</p>`;
}

function byPolicy(model: ReportModel, runs: readonly FairRun[]): Markup {
  const load = formatPercent(model.load.offeredLoad);
  const cells = runs.map(({ fairness }) => [
    formatNumber(fairness.jainIndex),
    formatShare(fairness.shareErrorMean),
  ]);
  const [first] = cells;
  if (runs.length > 1 && cells.every(([jain, error]) => jain === first![0] && error === first![1]))
    return markup`<p>Under every policy at ${load} load, Jain's index over core-seconds ÷ share is ${first![0]!} (1: all projects served alike), and the mean distance from the part due ${first![1]!}.</p>`;
  const body = runs.map(
    (row, i) =>
      markup`<tr><th scope="row">${swatch(row.index)}${row.policy}</th>${cells[i]!.map((text) => numberCell(text))}</tr>`,
  );
  return tableOf(
    `Jain's index over core-seconds ÷ share (1: all projects served alike) and the mean distance from the part due, at ${load} load.`,
    [
      { title: "Policy" },
      { title: "Jain's index", numeric: true },
      { title: "Distance from the part due", numeric: true },
    ],
    [markup`<tbody>${body}</tbody>`],
  );
}

/**
 * The waits under the best policy and the baseline, and their range over all policies: a column for every policy
 * would not fit on a page.
 */
function byProject(model: ReportModel, runs: readonly FairRun[]): Markup {
  const best = runs.find((row) => isBest(model, row)) ?? runs[0]!;
  const baseline = runs.find((row) => row.policy === model.baseline) ?? runs[0]!;
  const columns = best === baseline ? [best] : [baseline, best];
  const waitOf = (row: FairRun, project: string): number =>
    row.fairness.projects.find((each) => each.project === project)?.waitMeanSeconds ?? Number.NaN;
  const projects = best.fairness.projects.slice(0, PROJECTS_SHOWN);
  const hasShares = new Set(projects.map(({ share }) => share)).size > 1;
  const body = projects.map((project) => {
    const all = runs.map((row) => waitOf(row, project.project)).filter((wait) => Number.isFinite(wait));
    const span = `${formatDuration(Math.min(...all))} to ${formatDuration(Math.max(...all))}`;
    return markup`<tr><th scope="row">${project.project}</th>${numberCell(formatCount(project.jobs))}${numberCell(formatNumber(project.coreSeconds / 3600))}${hasShares ? numberCell(formatNumber(project.share)) : none}${columns.map((row) => numberCell(formatDuration(waitOf(row, project.project))))}${numberCell(span)}</tr>`;
  });
  return tableOf(
    `Mean wait of the projects with the most core-seconds at ${formatPercent(model.load.offeredLoad)} load.${hasShares ? "" : " All have the same share."}`,
    [
      { title: "Project" },
      { title: "Jobs", numeric: true },
      { title: "Core-hours", numeric: true },
      ...(hasShares ? [{ title: "Share", numeric: true }] : []),
      ...columns.map((row) => ({ title: `Wait, ${row.policy}`, numeric: true })),
      { title: "Wait, all policies", numeric: true },
    ],
    [markup`<tbody>${body}</tbody>`],
  );
}
