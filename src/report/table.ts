import type { RunResult } from "../simulation/result.ts";
import { bestOf, metrics } from "./metrics.ts";
import { formatNumber, formatPercent } from "./numbers.ts";
import { tabulate } from "./runs.ts";
import type { LoadRuns } from "./runs.ts";

/** Longer names are cut, where that still tells them apart: the table is to fit a terminal of 120 columns. */
const nameWidthAtMost = 18;

/** The runs as plain text for a terminal: a block a load, a line a policy, `*` the best of a column. */
export function renderTable(runs: readonly RunResult[]): string {
  const { policies, loads } = tabulate(runs);
  const columns = metrics.filter((metric) => runs.some((run) => metric.value(run) !== null));
  const isToldApart =
    new Set(policies.map((name) => shorten(name, nameWidthAtMost))).size === policies.length;
  const longest = Math.max(6, ...policies.map((policy) => policy.length));
  const nameWidth = isToldApart ? Math.min(nameWidthAtMost, longest) : longest;

  const rowsOf = (load: LoadRuns): string[][] => {
    const best = columns.map((metric) =>
      bestOf(
        metric,
        load.runs.map((row) => row.run),
      ),
    );
    return load.runs.map((row) => [
      shorten(row.policy, nameWidth).padEnd(nameWidth),
      ...columns.map((metric, i) => {
        const value = metric.value(row.run);
        const text = value === null ? "-" : metric.format(value);
        return terminalText(text) + (best[i]!.has(row.run) ? "*" : " ");
      }),
    ]);
  };
  const blocks = loads.map((load) => ({ load, rows: rowsOf(load) }));
  const head = ["policy".padEnd(nameWidth), ...columns.map((metric) => `${metric.short} `)];
  const widths = head.map((title, i) =>
    Math.max(title.length, ...blocks.flatMap((block) => block.rows.map((row) => row[i]!.length))),
  );
  const lineOf = (cells: readonly string[]): string =>
    cells
      .map((text, i) => (i === 0 ? text : text.padStart(widths[i]!)))
      .join(" ")
      .trimEnd();
  const lines = blocks.flatMap(({ load, rows }) => [
    `${terminalText(formatPercent(load.offeredLoad))} load (beta ${formatNumber(load.beta)})`,
    lineOf(head),
    ...rows.map(lineOf),
    "",
  ]);
  return [...lines, "* best of its column at that load", ""].join("\n");
}

/** Units stand close: 11 columns have to fit. */
function terminalText(text: string): string {
  return text.replaceAll("\u00a0", "").replaceAll("–", "-");
}

function shorten(name: string, width: number): string {
  return name.length <= width ? name : `${name.slice(0, width - 1)}~`;
}
