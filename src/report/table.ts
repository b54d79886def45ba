import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import type { RunResult } from "../simulation/result.ts";
import { wrap } from "../workload/wrap.ts";
import { bestOf, metrics } from "./metrics.ts";
import type { Figures, Metric } from "./metrics.ts";
import { formatNumber, formatPercent, terminalText } from "./numbers.ts";
import { AS_IT_WAS } from "./reference.ts";
import { tabulate } from "./runs.ts";
import type { LoadRuns } from "./runs.ts";
import { sameText, tellingMetrics } from "./telling-metrics.ts";
import { isOwnPace } from "./verdict.ts";

/** The width in columns that all tables fit into. */
export const TERMINAL_WIDTH = 120;

/** Where the table would not fit into `TERMINAL_WIDTH`, longer names are cut if they stay different. */
const nameWidthAtMost = 18;

/**
 * The runs as plain text for a terminal: a block a load, a line a policy, `*` the best of a column. What was
 * recorded comes first in the block of the log's own pace.
 */
export function renderTable(runs: readonly RunResult[], recorded?: RecordedRun): string {
  const whole = rendered(runs, recorded, Infinity);
  const isTooWide = whole.split("\n").some(({ length }) => length > TERMINAL_WIDTH);
  return isTooWide ? rendered(runs, recorded, nameWidthAtMost) : whole;
}

function rendered(
  runs: readonly RunResult[],
  recorded: RecordedRun | undefined,
  mostCharacters: number,
): string {
  const { policies, loads } = tabulate(runs);
  const hasRecord = recorded !== undefined && loads.some(isOwnPace);
  const telling = tellingMetrics(metrics, loads, hasRecord ? recorded : undefined);
  const { columns } = telling;
  const isToldApart = new Set(policies.map((name) => shorten(name, mostCharacters))).size === policies.length;
  const longest = Math.max(6, ...(hasRecord ? [AS_IT_WAS] : []).concat(policies).map(({ length }) => length));
  const nameWidth = isToldApart ? Math.min(mostCharacters, longest) : longest;

  const rowOf = (name: string, run: Figures, mark: (column: number) => string): string[] => [
    shorten(name, nameWidth).padEnd(nameWidth),
    ...columns.map((metric, i) => textOf(metric, run) + mark(i)),
  ];
  const rowsOf = (load: LoadRuns): string[][] => {
    const best = columns.map((metric) =>
      bestOf(
        metric,
        load.runs.map((row) => row.run),
      ),
    );
    const recordedRows = hasRecord && isOwnPace(load) ? [rowOf(AS_IT_WAS, recorded, () => " ")] : [];
    return [
      ...recordedRows,
      ...load.runs.map((row) => rowOf(row.policy, row.run, (i) => (best[i]!.has(row.run) ? "*" : " "))),
    ];
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
    ...wrap(terminalText(loadText(load)), TERMINAL_WIDTH),
    lineOf(head),
    ...rows.map(lineOf),
    "",
  ]);
  const same = sameText(telling);
  return [
    ...lines,
    ...(same === "" ? [] : wrap(terminalText(same), TERMINAL_WIDTH)),
    ...(hasRecord ? [`${AS_IT_WAS}: recorded in the log; all other rows are simulated`] : []),
    ...(/\bstr(anded|\.)/.test(`${same} ${head.join(" ")}`) ? [STRANDED] : []),
    "* best of its column at that load",
    "",
  ].join("\n");
}

/** Its column is called `str.`. */
const STRANDED =
  "stranded (str.): free, but of no use to a typical job, as its machine lacks the memory, or the cores, beside it";

/** A load, and how it was reached where that is not the log's own. */
export function loadText(load: LoadRuns): string {
  const how = isOwnPace(load) ? "" : ` (submission times × ${formatNumber(load.beta)})`;
  return `${formatPercent(load.offeredLoad)} load${otherLoads(load)}${how}`;
}

/** On other machines the same jobs are another load: of the runs that have one. */
export function otherLoads({ offeredLoad, runs }: LoadRuns): string {
  const own = formatPercent(offeredLoad);
  const others = runs.flatMap(({ policy, run }) => {
    const text = formatPercent(run.offeredLoad);
    return text === own ? [] : [`${policy}: ${text}`];
  });
  return others.length === 0 ? "" : ` (${others.join("; ")})`;
}

function textOf(metric: Metric, run: Figures): string {
  const value = metric.value(run);
  return value === null ? "-" : terminalText(metric.format(value)).replaceAll("–", "-");
}

function shorten(name: string, width: number): string {
  return name.length <= width ? name : `${name.slice(0, width - 1)}~`;
}
