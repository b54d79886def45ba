import type { RunResult } from "../simulation/result.ts";
import { failureMetrics } from "./failure-metrics.ts";
import { formatPercent, terminalText } from "./numbers.ts";
import { tabulate } from "./runs.ts";

/** What failing machines cost, as plain text for a terminal: a line a run; empty where none fail. */
export function renderFailuresTable(runs: readonly RunResult[]): string {
  const failing = runs.filter((run) => run.losses !== undefined);
  if (failing.length === 0) return "";
  const rows = tabulate(failing).loads.flatMap((load) =>
    load.runs.map(({ run, policy }) => [
      policy,
      formatPercent(run.offeredLoad),
      ...failureMetrics.map((metric) => metric.format(metric.value(run) ?? Number.NaN)),
    ]),
  );
  const table = [["run", "load", ...failureMetrics.map(({ short }) => short)], ...rows].map((row) =>
    row.map((cell) => terminalText(cell).replaceAll("–", "-")),
  );
  const widths = table[0]!.map((_, i) => Math.max(...table.map((row) => row[i]!.length)));
  const lines = table.map((row) =>
    row
      .map((cell, i) => (i < 1 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd(),
  );
  return [...lines, ""].join("\n");
}
