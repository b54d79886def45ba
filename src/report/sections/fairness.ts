import { swatch } from "../charts/marks.ts";
import { columnStyle, columnTitle } from "../columns.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatCount, formatDuration, formatNumber, formatPercent, formatShare } from "../numbers.ts";
import type { Fairness } from "../../simulation/result.ts";
import type { PolicyRun } from "../runs.ts";
import { numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const fairnessSection: Section = {
  id: "fairness",
  title: "Fairness between projects",
  finding: (model) => {
    const { columns, projects } = waitsOf(model, fairRuns(model));
    const waits = projects.map(({ project, waits }) => ({ project, wait: waits.at(-1)! }));
    const known = waits.filter(({ wait }) => Number.isFinite(wait)).toSorted((a, b) => a.wait - b.wait);
    const [least, most] = [known[0], known.at(-1)];
    return least === undefined || most === undefined
      ? "No project's jobs started."
      : `Under ${columns.at(-1)!.policy} jobs of project ${most.project} wait longest, ${formatDuration(most.wait)}, and those of project ${least.project} least, ${formatDuration(least.wait)}.`;
  },
  render,
};

/** Projects that are shown; results.json has 20. */
const PROJECTS_SHOWN = 8;

interface FairRun extends PolicyRun {
  readonly fairness: Fairness;
}

function render(model: ReportModel): Markup {
  const runs = fairRuns(model);
  if (runs.length === 0) return none;
  return markup`${byPolicy(model, runs)}${leftOut(runs)}${byProject(model, runs)}`;
}

function fairRuns({ load }: ReportModel): FairRun[] {
  return load.runs.flatMap((row) =>
    row.run.fairness === undefined ? [] : [{ ...row, fairness: row.run.fairness }],
  );
}

/** Tells of projects that the figures are not about. */
function leftOut(runs: readonly FairRun[]): Markup {
  const most = Math.max(...runs.map(({ fairness }) => fairness.projectsWithoutStart));
  if (most === 0) return none;
  const least = Math.min(...runs.map(({ fairness }) => fairness.projectsWithoutStart));
  const count = least === most ? formatCount(most) : `${formatCount(least)} to ${formatCount(most)}`;
  return markup`<p>Without the projects none of whose jobs started: ${count}.</p>`;
}

/** Where all jobs start, projects get what they ask for under every policy: then the figures say nothing of it. */
function byPolicy(model: ReportModel, runs: readonly FairRun[]): Markup {
  const load = formatPercent(model.load.offeredLoad);
  const cells = runs.map(({ fairness }) => [
    formatNumber(fairness.jainIndex),
    formatShare(fairness.shareErrorMean),
  ]);
  const [first] = cells;
  if (cells.every(([jain, error]) => jain === first![0] && error === first![1])) return none;
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

interface ProjectWaits {
  readonly project: string;
  readonly jobs: number;
  readonly coreSeconds: number;
  readonly share: number;
  /** Under the baseline and the best policy, or under that alone if they are the same. */
  readonly waits: readonly number[];
  readonly least: number;
  readonly most: number;
}

function waitsOf(
  model: ReportModel,
  runs: readonly FairRun[],
): { columns: readonly FairRun[]; projects: readonly ProjectWaits[] } {
  const best = runs.find((row) => isBest(model, row)) ?? runs[0]!;
  const baseline = runs.find((row) => row.policy === model.baseline) ?? runs[0]!;
  const columns = best === baseline ? [best] : [baseline, best];
  const waitOf = (row: FairRun, project: string): number =>
    row.fairness.projects.find((each) => each.project === project)?.waitMeanSeconds ?? Number.NaN;
  const projects = best.fairness.projects.slice(0, PROJECTS_SHOWN).map((each) => {
    const all = runs.map((row) => waitOf(row, each.project)).filter((wait) => Number.isFinite(wait));
    const waits = columns.map((row) => waitOf(row, each.project));
    return { ...each, waits, least: Math.min(...all), most: Math.max(...all) };
  });
  return { columns, projects };
}

/** Of all policies only the range: a column for each would not fit on a page. */
function byProject(model: ReportModel, runs: readonly FairRun[]): Markup {
  const { columns, projects } = waitsOf(model, runs);
  const style = columnStyle(
    projects.flatMap(({ waits, least, most }) => [...waits, least, most]),
    formatDuration,
  );
  const hours = columnStyle(
    projects.map(({ coreSeconds }) => coreSeconds / 3600),
    formatNumber,
  );
  const hasShares = new Set(projects.map(({ share }) => share)).size > 1;
  const body = projects.map(
    ({ project, jobs, coreSeconds, share, waits, least, most }) =>
      markup`<tr><th scope="row">${project}</th>${numberCell(formatCount(jobs))}${numberCell(hours.text(coreSeconds / 3600))}${hasShares ? numberCell(formatNumber(share)) : none}${waits.map((wait) => numberCell(style.text(wait)))}${numberCell(`${style.text(least)} to ${style.text(most)}`)}</tr>`,
  );
  return tableOf(
    `Mean wait of the projects with the most core-seconds at ${formatPercent(model.load.offeredLoad)} load.${hasShares ? "" : " All have the same share."}`,
    [
      { title: "Project" },
      { title: "Jobs", numeric: true },
      { title: "Core-hours", numeric: true },
      ...(hasShares ? [{ title: "Share", numeric: true }] : []),
      ...columns.map((row) => ({ title: columnTitle(`Wait, ${row.policy}`, style), numeric: true })),
      { title: columnTitle("Wait, all policies", style), numeric: true },
    ],
    [markup`<tbody>${body}</tbody>`],
  );
}
