import type { Quantity } from "../charts/axis.ts";
import { lineMark, timeline } from "../charts/timeline.ts";
import { course } from "../finding.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { isBest } from "../model.ts";
import type { ReportModel } from "../model.ts";
import { formatCount, formatNumber, formatPercent, formatShare } from "../numbers.ts";
import { AS_IT_WAS } from "../reference.ts";
import { isOwnPace } from "../verdict.ts";
import type { RunResult, Series } from "../../simulation/result.ts";
import { figure, grid, largest, legendOf, panels } from "./parts.ts";
import type { Section } from "./parts.ts";

export const timeSection: Section = {
  id: "time",
  title: "The farm over time",
  finding: (model) => {
    const names = shownRows(model).map(({ name }) => name);
    const waiting = model.load.runs
      .filter(({ policy }) => names.includes(policy))
      .map(
        ({ policy, run }) =>
          `under ${policy} ${formatNumber(run.queueLengthMean)} on average and ${formatCount(run.queueLengthMax)} at most`,
      );
    return `Jobs waiting: ${waiting.join(", ")}.`;
  },
  render,
};

interface View {
  readonly field: Exclude<keyof Series, "timeSeconds" | "packingIndex" | "idleNodes">;
  readonly title: string;
  readonly caption: string;
  readonly quantity: Quantity;
  /** The top of the chart; none: the largest value of all. */
  readonly top?: number;
  readonly summary: "mean" | "maximum";
  /** Null where the run did not consider it. */
  readonly mean: (run: RunResult) => number | null;
}

const stranded = (other: string): string =>
  `Free, but of no use: the workload's median task no longer fits there for lack of ${other}. Lower is better.`;

const views: readonly View[] = [
  {
    field: "queueLength",
    title: "Jobs waiting",
    caption: "A point is the most of the samples that it stands for. Lower is better.",
    quantity: "number",
    summary: "maximum",
    mean: (run) => run.queueLengthMean,
  },
  {
    field: "coreUtilization",
    title: "Cores in use",
    caption: "Share of the pool's cores that jobs hold.",
    quantity: "share",
    top: 1,
    summary: "mean",
    mean: (run) => run.coreUtilizationMean,
  },
  {
    field: "memoryUtilization",
    title: "Memory in use",
    caption: "Share of the pool's memory that jobs hold.",
    quantity: "share",
    top: 1,
    summary: "mean",
    mean: (run) => run.memoryUtilizationMean,
  },
  {
    field: "strandedCores",
    title: "Stranded cores",
    caption: stranded("memory"),
    quantity: "share",
    summary: "mean",
    mean: (run) => run.strandedCoresMean,
  },
  {
    field: "strandedMemory",
    title: "Stranded memory",
    caption: stranded("cores"),
    quantity: "share",
    summary: "mean",
    mean: (run) => run.strandedMemoryMean,
  },
];

/** A policy, or the record. */
interface Row {
  readonly name: string;
  /** The policy's place in the study, for ids. */
  readonly place: number | string;
  readonly index: number;
  readonly dash: string;
  readonly emphasized: boolean;
  readonly series: Partial<Series> & Pick<Series, "timeSeconds">;
}

/** Grey in every chart. */
const RECORDED_INDEX = 7;

/** The record, the baseline (the next best, where that is the best), and the best policy, which is drawn over them. */
function shownRows(model: ReportModel): Row[] {
  const { recorded } = model.input;
  const rows = policyRows(model);
  const best = rows.filter(({ emphasized }) => emphasized);
  const { policy } = model.verdict.reference;
  const baseline =
    rows.find(({ name }) => name === policy) ?? rows.find(({ name }) => name === model.baseline)!;
  const was =
    recorded === undefined || !isOwnPace(model.load)
      ? []
      : [
          {
            name: AS_IT_WAS,
            place: "recorded",
            index: RECORDED_INDEX,
            dash: "2 3",
            emphasized: false,
            series: recorded.series,
          },
        ];
  const next = model.verdict.ranked[1];
  const other = baseline.emphasized ? rows.find(({ name }) => name === next?.policy) : baseline;
  return [...was, ...(other === undefined ? [] : [other]), ...best];
}

function policyRows(model: ReportModel): Row[] {
  return model.load.runs.map((row) => ({
    name: row.policy,
    place: row.index,
    index: row.index % RECORDED_INDEX,
    dash: isBest(model, row) ? "" : "5 2",
    emphasized: isBest(model, row),
    series: row.run.series,
  }));
}

function render(model: ReportModel): Markup {
  const known = views.filter((view) => model.load.runs.some(({ run }) => view.mean(run) !== null));
  const shown = shownRows(model);
  const charts = known.map((view) => {
    const rows = shown.filter(({ series }) => series[view.field] !== undefined);
    const { chart, isCut } = chartOf(view, rows, rows, "full");
    const note = isCut ? " More than there is, as in a record of other machines, is drawn at the top." : "";
    return figure(chart, view.caption + note);
  });
  return markup`<p>At ${formatPercent(model.load.offeredLoad)} load; time since the first submission.${pausedText(model)}</p>${legendOf(shown.map((row) => ({ name: row.name, mark: lineMark(row) })))}${grid(charts)}${others(model, shown)}`;
}

function pausedText({ load }: ReportModel): string {
  return load.runs.some(({ run }) => (run.pauses ?? 0) > 0) ? " Paused jobs count as waiting." : "";
}

/** The queue under each of the other policies, over that of the best. */
function others(model: ReportModel, shown: readonly Row[]): Markup {
  const [view] = views;
  const rest = policyRows(model).filter(({ name }) => shown.every((row) => row.name !== name));
  if (rest.length === 0) return none;
  const best = shown.at(-1)!;
  const charts = rest.map((row) => chartOf(view!, [row, best], [...rest, best], "panel").chart);
  const legend = legendOf([{ name: best.name, mark: lineMark(best) }]);
  return markup`<h3>Jobs waiting under the others</h3>${panels(charts, `Each policy over ${best.name}; all panels have the same scale.`, legend)}`;
}

/** @param scale what the axes have to hold */
function chartOf(
  view: View,
  rows: readonly Row[],
  scale: readonly Row[],
  size: "full" | "panel",
): { chart: Markup; isCut: boolean } {
  const most = largest(scale.map(({ series }) => largest(series[view.field] ?? [])));
  const top = view.top ?? most;
  const names = rows.map(({ name }) => name);
  const format = view.quantity === "share" ? formatShare : formatNumber;
  const chart = timeline(
    {
      size,
      heading: size === "panel" ? names[0]! : view.title,
      untilSeconds: largest(scale.map(({ series }) => largest(series.timeSeconds))),
      top,
      quantity: view.quantity,
      lines: rows.map((row) => ({
        ...row,
        timeSeconds: row.series.timeSeconds,
        values: row.series[view.field] ?? [],
        summary: view.summary,
      })),
    },
    {
      id: `time-${view.field}${size === "panel" ? `-${rows[0]!.place}` : ""}`,
      title: `${view.title} over time: ${names.join(", ")}`,
      description: rows.map((row) => course(row.name, row.series[view.field] ?? [], format)).join(" "),
    },
  );
  return { chart, isCut: most > top };
}
