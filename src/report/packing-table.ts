import type { RunResult } from "../simulation/result.ts";
import { formatPercent, terminalText } from "./numbers.ts";
import { packingMetrics } from "./packing-metrics.ts";
import { packingName, tabulate } from "./runs.ts";

/**
 * What packing did, as plain text for a terminal: a line a run; empty where no jobs were packed.
 *
 * @param hasLoad whether the jobs come at the log's times. In the log's order, each comes when there is room for it, and
 *   a load says nothing.
 */
export function renderPackingTable(runs: readonly RunResult[], hasLoad: boolean): string {
  const packed = runs.filter((run) => run.packing !== undefined);
  if (packed.length === 0) return "";
  const metrics = packingMetrics.filter((metric) => packed.some((run) => metric.value(run) !== null));
  const hasStrategies = new Set(packed.map(({ strategy }) => strategy)).size > 1;
  const rows = tabulate(packed).loads.flatMap((load) =>
    load.runs.map(({ run }) => [
      packingName(run),
      run.policy,
      ...(hasStrategies ? [run.strategy ?? ""] : []),
      ...(hasLoad ? [formatPercent(run.offeredLoad)] : []),
      ...metrics.map((metric) => {
        const value = metric.value(run);
        return value === null ? "-" : metric.format(value);
      }),
    ]),
  );
  const names = ["packing", "policy", ...(hasStrategies ? ["strategy"] : [])];
  const head = [...names, ...(hasLoad ? ["load"] : []), ...metrics.map(({ short }) => short)];
  const table = [head, ...rows].map((row) => row.map((cell) => terminalText(cell).replaceAll("–", "-")));
  const widths = table[0]!.map((_, i) => Math.max(...table.map((row) => row[i]!.length)));
  return [
    ...table.map((row) =>
      row
        .map((cell, i) => (i < names.length ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join("  ")
        .trimEnd(),
    ),
    "",
  ].join("\n");
}
