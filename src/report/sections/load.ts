import { barChart } from "../charts/bar-chart.ts";
import { lineChart } from "../charts/line-chart.ts";
import type { Quantity } from "../charts/axis.ts";
import type { Markup } from "../markup.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatDuration, formatNumber, formatPercent } from "../numbers.ts";
import type { RunResult } from "../../simulation/result.ts";
import { figure, grid } from "./parts.ts";
import type { Section } from "./parts.ts";

export const loadSection: Section = { id: "load", title: "Wait, slowdown and queue against load", render };

interface Curve {
  readonly id: string;
  readonly title: string;
  readonly quantity: Quantity;
  /** NaN where the run has no such figure; a curve that no run has is left out. */
  readonly value: (run: RunResult) => number;
  readonly format: (value: number) => string;
}

const curves: readonly Curve[] = [
  {
    id: "stretch",
    title: "Maximum stretch",
    quantity: "number",
    value: (run) => run.stretchMax ?? Number.NaN,
    format: formatNumber,
  },
  {
    id: "wait",
    title: "Mean wait",
    quantity: "seconds",
    value: (run) => run.waitMeanSeconds,
    format: formatDuration,
  },
  {
    id: "slowdown",
    title: "Mean slowdown",
    quantity: "number",
    value: (run) => run.slowdownMean,
    format: formatNumber,
  },
  {
    id: "bounded",
    title: "Mean bounded slowdown",
    quantity: "number",
    value: (run) => run.boundedSlowdownMean,
    format: formatNumber,
  },
  {
    id: "queue",
    title: "Mean queue length",
    quantity: "number",
    value: (run) => run.queueLengthMean,
    format: formatNumber,
  },
];

function render(model: ReportModel): Markup {
  const runs = model.table.loads.flatMap((load) => load.runs.map((row) => row.run));
  const shown = curves.filter((curve) => runs.some((run) => !Number.isNaN(curve.value(run))));
  return grid(
    shown.map((curve) =>
      model.table.loads.length > 1 ? againstLoad(model, curve) : atOneLoad(model, curve),
    ),
  );
}

function againstLoad(model: ReportModel, curve: Curve): Markup {
  const { policies, loads } = model.table;
  const series = policies.map((name, index) => ({
    name,
    index,
    emphasized: name === model.verdict.best,
    points: loads.flatMap((load) =>
      load.runs
        .filter((row) => row.index === index)
        .map((row): [number, number] => [load.offeredLoad, curve.value(row.run)]),
    ),
  }));
  const chart = lineChart(
    {
      x: { title: "Offered load", quantity: "share" },
      y: { title: curve.title, quantity: curve.quantity },
      series,
    },
    {
      id: `load-${curve.id}`,
      title: `${curve.title} against load, by policy`,
      description: `At the highest load: ${loads
        .at(-1)!
        .runs.map((row) => `${row.policy} ${curve.format(curve.value(row.run))}`)
        .join("; ")}`,
    },
  );
  return figure(model, chart, `${curve.title} against offered load; lower is better.`);
}

function atOneLoad(model: ReportModel, curve: Curve): Markup {
  const bars = model.load.runs.map((row) => ({
    name: row.policy,
    value: curve.value(row.run),
    text: curve.format(curve.value(row.run)),
    emphasized: isBest(model, row),
  }));
  const load = formatPercent(model.load.offeredLoad);
  const chart = barChart(
    { title: curve.title, quantity: curve.quantity, bars },
    {
      id: `load-${curve.id}`,
      title: `${curve.title} by policy`,
      description: bars.map((bar) => `${bar.name}: ${bar.text}`).join("; "),
    },
  );
  return figure(model, chart, `${curve.title} at ${load} load; lower is better.`);
}
