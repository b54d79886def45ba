import type { RunResult } from "../simulation/result.ts";
import { formatPercent, terminalText } from "./numbers.ts";
import { packingMetrics } from "./packing-metrics.ts";
import { packingName, tabulate } from "./runs.ts";

/** What packing did, as plain text for a terminal: a line a run; empty where no jobs were packed. */
export function renderPackingTable(runs: readonly RunResult[]): string {
  const packed = runs.filter((run) => run.packing !== undefined);
  if (packed.length === 0) return "";
  const metrics = packingMetrics.filter((metric) => packed.some((run) => metric.value(run) !== null));
  const rows = tabulate(packed).loads.flatMap((load) =>
    load.runs.map(({ run }) => [
      packingName(run),
      run.policy,
      formatPercent(load.offeredLoad),
      ...metrics.map((metric) => {
        const value = metric.value(run);
        return value === null ? "-" : metric.format(value);
      }),
    ]),
  );
  const table = [["packing", "policy", "load", ...metrics.map(({ short }) => short)], ...rows].map((row) =>
    row.map((cell) => terminalText(cell).replaceAll("–", "-")),
  );
  const widths = table[0]!.map((_, i) => Math.max(...table.map((row) => row[i]!.length)));
  return [
    ...table.map((row) =>
      row
        .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join("  ")
        .trimEnd(),
    ),
    "",
  ].join("\n");
}
