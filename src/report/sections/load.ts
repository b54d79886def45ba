import { barChart } from "../charts/bar-chart.ts";
import { lineChart } from "../charts/line-chart.ts";
import type { Quantity } from "../charts/axis.ts";
import { extremes } from "../finding.ts";
import type { NamedFigure } from "../finding.ts";
import type { Markup } from "../markup.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatDuration, formatNumber, formatPercent } from "../numbers.ts";
import { AS_IT_WAS } from "../reference.ts";
import type { PolicyRun } from "../runs.ts";
import { isOwnPace } from "../verdict.ts";
import type { RunResult } from "../../simulation/result.ts";
import { figure, grid } from "./parts.ts";
import type { Section } from "./parts.ts";

export const loadSection: Section = { id: "load", title: "Waits and load", render };

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
  // At one load the summary has all figures: a picture of the first is enough.
  return model.table.loads.length > 1
    ? grid(shown.map((curve) => againstLoad(model, curve)))
    : grid(shown.slice(0, 1).map((curve) => atOneLoad(model, curve)));
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
      description: `At the highest load. ${extremes(loads.at(-1)!.runs.map((row) => figureOf(curve, row)))}`,
    },
  );
  return figure(chart, `${curve.title} against offered load; lower is better.`);
}

function atOneLoad(model: ReportModel, curve: Curve): Markup {
  const { recorded } = model.input;
  const was = recorded !== undefined && isOwnPace(model.load) ? recorded.waitMeanSeconds : null;
  const bars = [
    ...(was === null || curve.id !== "wait"
      ? []
      : [{ name: AS_IT_WAS, value: was, text: curve.format(was), emphasized: false }]),
    ...model.load.runs.map((row) => ({ ...figureOf(curve, row), emphasized: isBest(model, row) })),
  ];
  const load = formatPercent(model.load.offeredLoad);
  const chart = barChart(
    { title: curve.title, quantity: curve.quantity, bars },
    {
      id: `load-${curve.id}`,
      title: `${curve.title} by policy`,
      description: extremes(bars),
    },
  );
  return figure(chart, `${curve.title} at ${load} load; lower is better.`);
}

function figureOf(curve: Curve, { policy, run }: PolicyRun): NamedFigure {
  const value = curve.value(run);
  return { name: policy, value, text: curve.format(value) };
}
