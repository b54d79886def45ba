import { marker } from "../charts/marks.ts";
import { percentileChart } from "../charts/percentile-chart.ts";
import { extremes } from "../finding.ts";
import type { Markup } from "../markup.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatDuration, formatPercent } from "../numbers.ts";
import { AS_IT_WAS } from "../reference.ts";
import { isOwnPace } from "../verdict.ts";
import type { RunResult } from "../../simulation/result.ts";
import { figure, figureTable, grid, legendOf } from "./parts.ts";
import type { Section } from "./parts.ts";

/** The percentiles of a run or of the record. */
type Waited = Pick<
  RunResult,
  "waitMedianSeconds" | "waitP90Seconds" | "waitP95Seconds" | "waitP99Seconds" | "waitMaxSeconds"
>;

export const waitsSection: Section = {
  id: "waits",
  title: "How the waits are spread",
  finding: ({ load, verdict }) => {
    const { policy, run } = load.runs.find((row) => row.policy === verdict.best)!;
    return `Under ${policy} the median wait is ${formatDuration(run.waitMedianSeconds)}; 95 of 100 jobs wait at most ${formatDuration(run.waitP95Seconds)}, the last ${formatDuration(run.waitMaxSeconds)}.`;
  },
  render,
};

const percentiles: readonly { readonly name: string; readonly value: (run: Waited) => number }[] = [
  { name: "median", value: (run) => run.waitMedianSeconds },
  { name: "90 %", value: (run) => run.waitP90Seconds },
  { name: "95 %", value: (run) => run.waitP95Seconds },
  { name: "99 %", value: (run) => run.waitP99Seconds },
  { name: "longest", value: (run) => run.waitMaxSeconds },
];

function render(model: ReportModel): Markup {
  const { recorded } = model.input;
  const runs = model.load.runs.map((row) => ({
    name: row.policy,
    values: percentiles.map((percentile) => percentile.value(row.run)),
    emphasized: isBest(model, row),
  }));
  const rows =
    recorded !== undefined && isOwnPace(model.load)
      ? [
          {
            name: AS_IT_WAS,
            values: percentiles.map((percentile) => percentile.value(recorded)),
            emphasized: false,
          },
          ...runs,
        ]
      : runs;
  const load = formatPercent(model.load.offeredLoad);
  const longest = rows.map(({ name, values }) => {
    const value = values.at(-1)!;
    return { name, value, text: formatDuration(value) };
  });
  const chart = percentileChart(
    { title: "Wait", quantity: "seconds", percentiles: percentiles.map(({ name }) => name), rows },
    {
      id: "waits-spread",
      title: "Percentiles of the wait by policy",
      description: `The longest waits. ${extremes(longest)}`,
    },
  );
  const legend = legendOf(percentiles.map(({ name }, i) => ({ name, mark: marker(i, 6, 6, 60), width: 12 })));
  const table = figureTable(
    `Percentiles of the wait at ${load} load: so many of 100 jobs waited no longer.`,
    rows,
    { title: "Policy", name: ({ name }) => name },
    percentiles.map(({ name }, i) => ({
      title: name,
      value: ({ values }) => values[i]!,
      format: formatDuration,
    })),
  );
  const picture = figure(
    chart,
    `Waits at ${load} load: the median, the wait that 90, 95 and 99 of 100 jobs did not exceed, and the longest.`,
    legend,
  );
  return grid([picture, table]);
}
