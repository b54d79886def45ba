import { swatch } from "../charts/marks.ts";
import { failureMetrics } from "../failure-metrics.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatCount, formatDuration, formatPercent, formatShare } from "../numbers.ts";
import type { PolicyRun } from "../runs.ts";
import type { PartFigures } from "../../simulation/figures/breakdown.ts";
import type { TimeFigures } from "../../simulation/figures/farm-figures.ts";
import type { RunResult } from "../../simulation/result.ts";
import { cell, grid, numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

/** Where the time went of jobs that can be suspended, moved or lost. */
export const suspensionsSection: Section = {
  id: "suspensions",
  title: "Suspended, moved and lost",
  finding: (model) => {
    const { policy, run } = bestAndBaseline(model).at(-1)!;
    return `Under ${policy} ${formatShare(run.suspendRate)} of the jobs are suspended; ${minutes(run.wastedMeanMinutes)} a job are without progress, ${minutes(run.wastedWaitMinutes)} of them waiting.`;
  },
  render,
};

interface TimedRun extends PolicyRun {
  readonly run: RunResult & TimeFigures;
}

function render(model: ReportModel): Markup {
  const rows = timedRows(model);
  if (rows.length === 0) return none;
  const told = bestAndBaseline(model);
  return markup`${ofRuns(model, rows)}${failures(model, rows)}${headed("By priority, group and pool", partsNote, told.map(parts))}${headed("Suspended for longest", none, told.map(longest))}`;
}

function timedRows({ load }: ReportModel): TimedRun[] {
  return load.runs.flatMap((row) => (isTimed(row) ? [row] : []));
}

/** The best last. */
function bestAndBaseline(model: ReportModel): TimedRun[] {
  const rows = timedRows(model);
  const best = rows.find((row) => isBest(model, row)) ?? rows[0]!;
  const baseline = rows.find((row) => row.policy === model.baseline) ?? rows[0]!;
  return best === baseline ? [best] : [baseline, best];
}

const partsNote = markup`<p>“Time suspended” is the mean over the jobs that were suspended; the other means are over all jobs of a row. “Longest wasted” is that of the job which lost the most time.</p>`;

/** Tables under a heading; none where they show nothing. */
function headed(title: string, note: Markup, tables: readonly Markup[]): Markup {
  return tables.every((table) => table === none)
    ? none
    : markup`<h3>${title}</h3>${note}${grid(tables.filter((each) => each !== none))}`;
}

function isTimed(row: PolicyRun): row is TimedRun {
  return row.run.suspendRate !== undefined;
}

const minutes = (value: number | null): string => (value === null ? "–" : formatDuration(value * 60));

function ofRuns(model: ReportModel, rows: readonly TimedRun[]): Markup {
  const body = rows.map(
    ({ run, policy, index }) =>
      markup`<tr><th scope="row">${swatch(index)}${policy}</th>${[
        formatShare(run.suspendRate),
        minutes(run.completionMeanSuspendedMinutes),
        minutes(run.completionMeanMinutes),
        minutes(run.suspendedMeanMinutes),
        minutes(run.wastedMeanMinutes),
        minutes(run.wastedWaitMinutes),
        minutes(run.wastedSuspendMinutes),
        minutes(run.wastedRestartMinutes),
        formatCount(run.suspensions),
        formatCount(run.moves),
      ].map((text) => numberCell(text))}</tr>`,
  );
  const titles = [
    "Suspended",
    "Completion, suspended",
    "Completion, all",
    "Time suspended",
    "Wasted",
    "= waiting",
    "+ suspended",
    "+ run and lost",
    "Suspensions",
    "Moves",
  ];
  return markup`<div class="dense">${tableOf(
    `How many jobs were suspended, how long jobs took from submission to completion, and the part of that without progress, at ${formatPercent(model.load.offeredLoad)} load; means. “Completion, suspended” and “Time suspended” are means over the jobs that were suspended; all others are over all jobs.`,
    [{ title: "Run" }, ...titles.map((title) => ({ title, numeric: true }))],
    [markup`<tbody>${body}</tbody>`],
  )}</div>`;
}

function failures(model: ReportModel, rows: readonly TimedRun[]): Markup {
  const failing = rows.filter(({ run }) => run.losses !== undefined);
  if (failing.length === 0) return none;
  const body = failing.map(
    ({ run, policy, index }) =>
      markup`<tr><th scope="row">${swatch(index)}${policy}</th>${failureMetrics.map((metric) => numberCell(metric.format(metric.value(run) ?? Number.NaN)))}</tr>`,
  );
  const meanings = failureMetrics.map(({ title, meaning }) => markup`<dt>${title}</dt><dd>${meaning}</dd>`);
  return markup`<h3>Machines that fail</h3>${tableOf(
    `What failing machines cost at ${formatPercent(model.load.offeredLoad)} load.`,
    [{ title: "Run" }, ...failureMetrics.map(({ title }) => ({ title, numeric: true }))],
    [markup`<tbody>${body}</tbody>`],
  )}<dl class="terms">${meanings}</dl>`;
}

/** By priority, by group and by pool: a table each, where there are several. */
function parts({ run, policy }: TimedRun): Markup {
  const { byPriority, byGroup, byPool } = run;
  const tables = [
    partTable(policy, "Priority", byPriority, ({ priority }) => String(priority)),
    partTable(policy, "Group", byGroup, ({ group }) => groupName(group)),
    partTable(policy, "Pool", byPool, ({ pool }) => pool),
  ];
  return tables.every((table) => table === none) ? none : grid(tables.filter((each) => each !== none));
}

function groupName(group: string): string {
  return group === "" ? "(none)" : group;
}

function partTable<Part extends PartFigures>(
  policy: string,
  title: string,
  of: readonly Part[] | undefined,
  nameOf: (part: Part) => string,
): Markup {
  if (of === undefined) return none;
  const body = of.map(
    (part) =>
      markup`<tr><th scope="row">${nameOf(part)}</th>${[
        formatCount(part.jobs),
        formatShare(part.suspendRate),
        minutes(part.suspendedMeanMinutes),
        minutes(part.waitMeanMinutes),
        minutes(part.completionMeanMinutes),
        minutes(part.wastedMeanMinutes),
        minutes(part.wastedMaxMinutes),
      ].map((text) => numberCell(text))}</tr>`,
  );
  const titles = [
    "Jobs",
    "Suspended",
    "Time suspended",
    "Mean wait",
    "Mean completion",
    "Mean wasted",
    "Longest wasted",
  ];
  return tableOf(
    `By ${title.toLowerCase()}, under ${policy}.`,
    [{ title }, ...titles.map((each) => ({ title: each, numeric: true }))],
    [markup`<tbody>${body}</tbody>`],
  );
}

function longest({ run, policy }: TimedRun): Markup {
  const jobs = run.longestSuspended;
  if (jobs === undefined) return none;
  const hasGroups = jobs.some(({ group }) => group !== undefined);
  const hasPriorities = jobs.some(({ priority }) => priority !== undefined);
  const body = jobs.map(
    ({ job, group, priority, runtimeSeconds, suspendedSeconds, pool, suspensions }) =>
      markup`<tr><th scope="row">${String(job)}</th>${numberCell(formatDuration(suspendedSeconds))}${numberCell(formatCount(suspensions))}${numberCell(formatDuration(runtimeSeconds))}${cell(pool)}${hasGroups ? cell(groupName(group ?? "")) : none}${hasPriorities ? numberCell(String(priority)) : none}</tr>`,
  );
  return tableOf(
    `The jobs that were suspended for longest under ${policy}. croft explain JOB --config FOLDER/settings.yaml, with the folder of this report and run where it was made, tells for whom; if there are several runs, add the options of one.`,
    [
      { title: "Job" },
      { title: "Suspended", numeric: true },
      { title: "Suspensions", numeric: true },
      { title: "Run time", numeric: true },
      { title: "Pool" },
      ...(hasGroups ? [{ title: "Group" }] : []),
      ...(hasPriorities ? [{ title: "Priority", numeric: true }] : []),
    ],
    [markup`<tbody>${body}</tbody>`],
  );
}
