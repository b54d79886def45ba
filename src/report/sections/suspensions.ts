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
import { cell, figureTable, grid, numberCell, tableOf, type Column } from "./parts.ts";
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
  return markup`${ofRuns(model, rows)}${failures(model, rows)}${headed("By priority, group and pool", partsNote, parts(told))}${headed("Suspended for longest", none, told.map(longest))}`;
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

const seconds = (value: number | null): number | null => (value === null ? null : value * 60);

/** A part of the wasted time, in the unit of all of it. */
function wasted(of: (run: TimedRun["run"]) => number | null): Omit<Column<TimedRun>, "title"> {
  return {
    value: ({ run }) => seconds(of(run)),
    format: formatDuration,
    scale: ({ run }) => [seconds(run.wastedMeanMinutes)],
  };
}

const runColumns: readonly Column<TimedRun>[] = [
  { title: "Suspended", value: ({ run }) => run.suspendRate, format: formatShare },
  {
    title: "Completion, suspended",
    value: ({ run }) => seconds(run.completionMeanSuspendedMinutes),
    format: formatDuration,
  },
  {
    title: "Completion, all",
    value: ({ run }) => seconds(run.completionMeanMinutes),
    format: formatDuration,
  },
  { title: "Time suspended", value: ({ run }) => seconds(run.suspendedMeanMinutes), format: formatDuration },
  { title: "Wasted", ...wasted(({ wastedMeanMinutes }) => wastedMeanMinutes) },
  { title: "= waiting", ...wasted(({ wastedWaitMinutes }) => wastedWaitMinutes) },
  { title: "+ suspended", ...wasted(({ wastedSuspendMinutes }) => wastedSuspendMinutes) },
  { title: "+ run and lost", ...wasted(({ wastedRestartMinutes }) => wastedRestartMinutes) },
  { title: "Suspensions", value: ({ run }) => run.suspensions, format: formatCount },
  { title: "Moves", value: ({ run }) => run.moves, format: formatCount },
];

const runName = { title: "Run", name: ({ index, policy }: TimedRun) => markup`${swatch(index)}${policy}` };

function ofRuns(model: ReportModel, rows: readonly TimedRun[]): Markup {
  return figureTable(
    `How many jobs were suspended, how long jobs took from submission to completion, and the part of that without progress, at ${formatPercent(model.load.offeredLoad)} load; means. “Completion, suspended” and “Time suspended” are means over the jobs that were suspended; all others are over all jobs.`,
    rows,
    runName,
    runColumns,
  );
}

function failures(model: ReportModel, rows: readonly TimedRun[]): Markup {
  const failing = rows.filter(({ run }) => run.losses !== undefined);
  if (failing.length === 0) return none;
  const columns = failureMetrics.map(({ title, value, format }) => ({
    title,
    value: ({ run }: TimedRun) => value(run),
    format,
  }));
  const meanings = failureMetrics.map(({ title, meaning }) => markup`<dt>${title}</dt><dd>${meaning}</dd>`);
  return markup`<h3>Machines that fail</h3>${figureTable(
    `What failing machines cost at ${formatPercent(model.load.offeredLoad)} load.`,
    failing,
    runName,
    columns,
  )}<dl class="terms">${meanings}</dl>`;
}

/** By priority, by group and by pool: a table each for every run, where there are several. */
function parts(runs: readonly TimedRun[]): Markup[] {
  return [
    ...partTables(
      runs,
      "Priority",
      ({ byPriority }) => byPriority,
      ({ priority }) => String(priority),
    ),
    ...partTables(
      runs,
      "Group",
      ({ byGroup }) => byGroup,
      ({ group }) => groupName(group),
    ),
    ...partTables(
      runs,
      "Pool",
      ({ byPool }) => byPool,
      ({ pool }) => pool,
    ),
  ];
}

function groupName(group: string): string {
  return group === "" ? "(none)" : group;
}

const partColumns: readonly Column<PartFigures>[] = [
  { title: "Jobs", value: ({ jobs }) => jobs, format: formatCount },
  { title: "Suspended", value: ({ suspendRate }) => suspendRate, format: formatShare },
  { title: "Time suspended", value: (part) => seconds(part.suspendedMeanMinutes), format: formatDuration },
  { title: "Mean wait", value: (part) => seconds(part.waitMeanMinutes), format: formatDuration },
  { title: "Mean completion", value: (part) => seconds(part.completionMeanMinutes), format: formatDuration },
  { title: "Mean wasted", value: (part) => seconds(part.wastedMeanMinutes), format: formatDuration },
  { title: "Longest wasted", value: (part) => seconds(part.wastedMaxMinutes), format: formatDuration },
];

function partTables<Part extends PartFigures>(
  runs: readonly TimedRun[],
  title: string,
  partsOf: (run: RunResult) => readonly Part[] | undefined,
  name: (part: Part) => string,
): Markup[] {
  const all = runs.flatMap(({ run }) => partsOf(run) ?? []);
  return runs.flatMap(({ run, policy }) => {
    const of = partsOf(run);
    const caption = `By ${title.toLowerCase()}, under ${policy}.`;
    return of === undefined ? [] : [figureTable(caption, of, { title, name }, partColumns, all)];
  });
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
