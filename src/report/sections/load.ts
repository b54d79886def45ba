import { lineChart } from "../charts/line-chart.ts";
import type { Quantity } from "../charts/axis.ts";
import { extremes } from "../finding.ts";
import type { NamedFigure } from "../finding.ts";
import { none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import { formatDuration, formatNumber, formatPercent } from "../numbers.ts";
import type { PolicyRun } from "../runs.ts";
import type { RunResult } from "../../simulation/result.ts";
import { figure, grid } from "./parts.ts";
import type { Section } from "./parts.ts";

export const loadSection: Section = {
  id: "load",
  title: "Waits and load",
  finding: (model) => {
    const [curve] = shownCurves(model);
    if (curve === undefined) return "";
    const { loads } = model.table;
    return [loads[0]!, loads.at(-1)!]
      .map((load) => {
        const figures = load.runs.map((row) => figureOf(curve, row)).toSorted((a, b) => a.value - b.value);
        const [least, most] = [figures[0]!, figures.at(-1)!];
        const range =
          least.text === most.text
            ? least.text
            : `${least.text} under ${least.name} to ${most.text} under ${most.name}`;
        return `${curve.title} at ${formatPercent(load.offeredLoad)} load: ${range}.`;
      })
      .join(" ");
  },
  render,
};

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
  // At one load the policies' comparison has a picture.
  if (model.table.loads.length < 2) return none;
  return grid(shownCurves(model).map((curve) => againstLoad(model, curve)));
}

function shownCurves({ table }: ReportModel): readonly Curve[] {
  const runs = table.loads.flatMap((load) => load.runs.map((row) => row.run));
  return curves.filter((curve) => runs.some((run) => !Number.isNaN(curve.value(run))));
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

function figureOf(curve: Curve, { policy, run }: PolicyRun): NamedFigure {
  const value = curve.value(run);
  return { name: policy, value, text: curve.format(value) };
}
