import { wrap } from "../../workload/wrap.ts";
import type { FigureData } from "../figures/figure.ts";
import { formatNumber, terminalText } from "../numbers.ts";
import { TERMINAL_WIDTH } from "../table.ts";
import { ratiosOf, sweepMeasures, type Ratio } from "./ratios.ts";
import { loadName, unseenOfSweep, type SweepInput } from "./sweep-input.ts";

/** `0.87`, with its interval where there is one. */
export function ratioText({ ratio, interval }: Ratio): string {
  if (ratio === null) return "–";
  const range = interval === null ? "" : ` (${formatNumber(interval.low)} to ${formatNumber(interval.high)})`;
  return formatNumber(ratio) + range;
}

/** What the ratios are means over, in a few words. */
export function ratioMeaning({ loads, estimates, rows }: SweepInput): string {
  const seeds = new Set(rows.map(({ seed }) => seed).filter((seed) => seed !== null)).size;
  return [
    "geometric means",
    loads.length > 1 || estimates.length > 1 ? " over loads and estimates" : "",
    seeds > 1 ? `; in brackets 95 % over ${seeds} seeds` : "",
  ].join("");
}

/** The ratios as text for a terminal, a table for each measure; and what weakens them. */
export function renderSweepTable(input: SweepInput): string {
  const tables = sweepMeasures.map((measure) => {
    const { logs, all } = ratiosOf(input, measure);
    const head = ["policy", ...logs.map(({ log }) => log), "all logs"];
    const body = all.map((ratio, i) => [
      ratio.policy,
      ...logs.map(({ ratios }) => ratioText(ratios[i]!)),
      ratioText(ratio),
    ]);
    const rows = [head, ...body].map((cells) => cells.map(terminalText));
    const widths = head.map((_, i) => Math.max(...rows.map((cells) => cells[i]!.length)));
    const lines = rows.map((cells) =>
      cells.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join("  "),
    );
    return [
      `${measure.title} ÷ that under ${input.baseline} (${terminalText(ratioMeaning(input))})`,
      ...lines,
    ].join("\n");
  });
  const unseen = unseenOfSweep(input).map((each) =>
    wrap(terminalText(each), TERMINAL_WIDTH - 2).join("\n  "),
  );
  return [
    ...tables,
    ...(unseen.length === 0 ? [] : [["What the runs cannot see", ...unseen].join("\n")]),
  ].join("\n\n");
}

/** All runs, exact: a row a cell of the sweep. */
export function sweepData({ rows, baseline }: SweepInput): FigureData {
  const keyOf = ({ log, load, estimates, seed }: SweepInput["rows"][number]): string =>
    JSON.stringify([log, load, estimates, seed]);
  const base = new Map(rows.filter(({ policy }) => policy === baseline).map((row) => [keyOf(row), row.run]));
  return {
    columns: [
      "log",
      "policy",
      "load",
      "estimates",
      "seed",
      "offeredLoad",
      "jobs",
      "rejected",
      "waitMeanSeconds",
      "waitMedianSeconds",
      "waitP95Seconds",
      "slowdownMean",
      "boundedSlowdownMean",
      "queueLengthMean",
      "coreUtilizationMean",
      "makespanSeconds",
      "waitMeanRatio",
      "boundedSlowdownMeanRatio",
    ],
    rows: rows.map((row) => {
      const { log, policy, load, estimates, seed, run } = row;
      const against = base.get(keyOf(row));
      const ratio = (value: number, of: number | undefined): number | null =>
        of === undefined || !(of > 0) ? null : value / of;
      return [
        log,
        policy,
        loadName(load),
        estimates,
        seed,
        run.offeredLoad,
        run.jobs,
        run.rejected,
        run.waitMeanSeconds,
        run.waitMedianSeconds,
        run.waitP95Seconds,
        run.slowdownMean,
        run.boundedSlowdownMean,
        run.queueLengthMean,
        run.coreUtilizationMean,
        run.makespanSeconds,
        ratio(run.waitMeanSeconds, against?.waitMeanSeconds),
        ratio(run.boundedSlowdownMean, against?.boundedSlowdownMean),
      ];
    }),
  };
}
