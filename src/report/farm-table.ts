import { wrap } from "../workload/wrap.ts";
import type { TimeFigures } from "../simulation/figures/farm-figures.ts";
import type { RunResult } from "../simulation/result.ts";
import { formatShare, terminalText } from "./numbers.ts";
import { tabulate, type PolicyRun } from "./runs.ts";
import { loadText, TERMINAL_WIDTH } from "./table.ts";

interface Column {
  readonly title: string;
  readonly text: (run: RunResult & TimeFigures) => string;
}

const minutes = (value: number | null): string => (value === null ? "-" : value.toFixed(1));

const columns: readonly Column[] = [
  { title: "suspended jobs", text: ({ suspendRate }) => formatShare(suspendRate) },
  { title: "done after", text: (run) => minutes(run.completionMeanSuspendedMinutes) },
  { title: "all", text: (run) => minutes(run.completionMeanMinutes) },
  { title: "stopped for", text: (run) => minutes(run.suspendedMeanMinutes) },
  { title: "wasted", text: (run) => minutes(run.wastedMeanMinutes) },
  { title: "= wait", text: (run) => minutes(run.wastedWaitMinutes) },
  { title: "+ susp.", text: (run) => minutes(run.wastedSuspendMinutes) },
  { title: "+ restart", text: (run) => minutes(run.wastedRestartMinutes) },
  { title: "used", text: (run) => formatShare(run.coreUtilizationMean) },
];

/**
 * Where the time went of jobs that can be suspended, moved or lost, as plain text for a terminal: one line a run,
 * times in mean minutes.
 */
export function renderFarmTable(runs: readonly RunResult[]): string {
  const isShown = runs.some((run) => run.suspendRate !== undefined);
  if (!isShown) return "";
  const { loads } = tabulate(runs);
  const routings = new Set(runs.map(({ routing }) => routing));
  const nameOf = ({ policy, run }: PolicyRun): string[] =>
    routings.size === 1 ? [policy] : [policy, run.routing ?? ""];
  const heads = [["run", ...(routings.size === 1 ? [] : ["routing"])], columns.map(({ title }) => title)];
  const blocks = loads.map((load) => ({
    load,
    rows: load.runs.flatMap((row) => {
      const { run } = row;
      return hasTimes(run) ? [[...nameOf(row), ...columns.map(({ text }) => terminalText(text(run)))]] : [];
    }),
  }));
  const names = heads[0]!.length;
  const head = heads.flat();
  const widths = head.map((title, i) =>
    Math.max(title.length, ...blocks.flatMap(({ rows }) => rows.map((row) => row[i]!.length))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i < names ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd();
  const lines = blocks.flatMap(({ load, rows }) => [
    ...wrap(terminalText(loadText(load)), TERMINAL_WIDTH),
    line(head),
    ...rows.map(line),
    "",
  ]);
  return [
    ...lines,
    "Mean minutes. done after: from submission to the end, of the jobs that were suspended, and of all; stopped for: how long",
    "those were suspended; wasted: waiting, suspended, or run and lost by a restart, of all jobs; used: part of the cores.",
    "",
  ].join("\n");
}

function hasTimes(run: RunResult): run is RunResult & TimeFigures {
  return run.suspendRate !== undefined;
}
