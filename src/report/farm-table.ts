import type { FarmFigures } from "../simulation/farm-figures.ts";
import type { RunResult } from "../simulation/result.ts";
import { formatNumber, formatPercent, formatShare } from "./numbers.ts";

interface Column {
  readonly title: string;
  readonly text: (run: RunResult & FarmFigures) => string;
}

const minutes = (value: number | null): string => (value === null ? "-" : value.toFixed(1));

const columns: readonly Column[] = [
  { title: "strategy", text: ({ strategy }) => strategy },
  { title: "routing", text: ({ routing }) => routing },
  { title: "suspended", text: ({ suspendRate }) => formatShare(suspendRate) },
  { title: "CT susp.", text: (run) => minutes(run.completionMeanSuspendedMinutes) },
  { title: "CT all", text: (run) => minutes(run.completionMeanMinutes) },
  { title: "ST", text: (run) => minutes(run.suspendedMeanMinutes) },
  { title: "wasted", text: (run) => minutes(run.wastedMeanMinutes) },
  { title: "= wait", text: (run) => minutes(run.wastedWaitMinutes) },
  { title: "+ susp.", text: (run) => minutes(run.wastedSuspendMinutes) },
  { title: "+ restart", text: (run) => minutes(run.wastedRestartMinutes) },
  { title: "used", text: (run) => formatShare(run.coreUtilizationMean) },
];

/** Runs on a farm as plain text for a terminal: a block a load, a line a strategy; times are mean minutes. */
export function renderFarmTable(runs: readonly (RunResult & FarmFigures)[]): string {
  const rows = runs.map((run) => columns.map(({ text }) => text(run).replaceAll("\u00a0", " ")));
  const widths = columns.map(({ title }, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd();
  const head = line(columns.map(({ title }) => title));
  const lines: string[] = [];
  let beta = NaN;
  runs.forEach((run, i) => {
    if (run.beta !== beta) {
      beta = run.beta;
      if (lines.length > 0) lines.push("");
      lines.push(
        `${formatPercent(run.offeredLoad)} load (beta ${formatNumber(beta)})`.replaceAll("\u00a0", " "),
        head,
      );
    }
    lines.push(line(rows[i]!));
  });
  lines.push(
    "",
    "CT: completion time, of jobs that were suspended and of all; ST: time suspended, of those; wasted: waiting, suspended",
    "or run in vain before a restart, of all jobs. Mean minutes.",
  );
  return lines.join("\n");
}
