import type { Sharing } from "../fractional/index.ts";
import {
  publishedPacking,
  publishedRounding,
  publishedSeconds,
  secondsByServices,
  type Comparison,
  type ErrorsResult,
  type FractionalResult,
  type PublishedQuality,
  type Quality,
} from "../study/index.ts";
import type { Curves, FigureTable } from "./input.ts";
import { formatCount, formatNumber, formatShare } from "./numbers.ts";

/** The tables of a study of fractional placement, for the terminal and the page alike. */
export function fractionalTables(result: FractionalResult): FigureTable[] {
  const { packing, rounding, optimal, errors } = result;
  return [
    ...(packing === undefined
      ? []
      : [qualityTable("Greedy and vector packing", packing, publishedPacking), timesTable(packing)]),
    ...(rounding === undefined
      ? []
      : [qualityTable("Rounding and diving", rounding, publishedRounding), timesTable(rounding)]),
    ...(optimal === undefined ? [] : [qualityTable("Against the optimum", optimal, [])]),
    ...(errors === undefined ? [] : [errorsTable(errors)]),
  ];
}

/** The charts of the same. */
export function fractionalCurves({ optimal, errors }: FractionalResult): Curves[] {
  return [
    ...(optimal === undefined ? [] : [yieldBySlack(optimal)]),
    ...(errors === undefined ? [] : [yieldByError(errors)]),
  ];
}

function qualityTable(
  title: string,
  { qualities, trials, unsolved, sweep }: Comparison,
  published: readonly PublishedQuality[],
): FigureTable {
  const of = new Map(published.map((row) => [row.algorithm, row]));
  return {
    caption: `${title}: ${formatCount(trials.length)} instances on ${sweep.hosts} hosts, of which ${formatCount(unsolved)} nobody solved. dfb: how far the minimum yield is below the best that any found (in brackets as a part of it), on average and at the 90th percentile; fr: part of the instances without a placement; below bound: distance from the LP bound.${published.length === 0 ? "" : " On the slides: other instances, made in the same way."}`,
    head: [
      "algorithm",
      "dfb",
      "90th perc.",
      "fr",
      "below bound",
      "seconds",
      ...(published.length === 0 ? [] : ["slides: dfb", "90th perc.", "fr"]),
    ],
    rows: qualities.map((quality) => {
      const there = of.get(quality.algorithm);
      return [
        quality.algorithm + (quality.stopped > 0 ? ` (${quality.stopped} out of time)` : ""),
        ...qualityCells(quality),
        formatYield(quality.belowBoundMean),
        formatNumber(quality.secondsMean),
        ...(published.length === 0 ? [] : there === undefined ? ["–", "–", "–"] : qualityCells(there)),
      ];
    }),
  };
}

function qualityCells(quality: Quality | PublishedQuality): string[] {
  return [
    `${formatYield(quality.dfbMean)} (${formatShare(quality.relativeDfbMean)})`,
    `${formatYield(quality.dfb90)} (${formatShare(quality.relativeDfb90)})`,
    formatShare(quality.failureRate),
  ];
}

function timesTable(comparison: Comparison): FigureTable {
  const { algorithms, sweep } = comparison;
  const seconds = secondsByServices(comparison);
  const isPublished = (name: string, services: number): boolean =>
    publishedSeconds[name]?.[services] !== undefined;
  return {
    caption: `Mean seconds by number of services, on ${sweep.hosts} hosts; after the slash what the slides have, on their machine.`,
    head: ["algorithm", ...sweep.services.map((services) => `${services} services`)],
    rows: algorithms.map((name, i) => [
      name,
      ...sweep.services.map(
        (services, k) =>
          formatNumber(seconds[i]![k]!) +
          (isPublished(name, services) ? ` / ${formatNumber(publishedSeconds[name]![services]!)}` : ""),
      ),
    ]),
  };
}

function errorsTable({
  algorithm,
  instances,
  failed,
  needMean,
  rows,
  withoutKnowledge,
}: ErrorsResult): FigureTable {
  return {
    caption: `Errors in estimates: minimum yield in truth, on average over ${formatCount(instances - failed)} of ${formatCount(instances)} instances, placed by ${algorithm}. A need is ${formatYield(needMean)} on average, and its estimate off by up to the error either way; estimates below the threshold are raised to it. Without any knowledge, shared equally: ${formatYield(withoutKnowledge)}.`,
    head: ["error", "threshold", "hard caps", "weights", "equal shares"],
    rows: rows.map(({ maxError, threshold, realised }) => [
      `±${formatYield(maxError)}`,
      formatYield(threshold),
      formatYield(realised.caps),
      formatYield(realised.weights),
      formatYield(realised.equal),
    ]),
  };
}

/** Of instances that all of those solved: failing where it is hard must not look like success. */
function yieldBySlack({ algorithms, trials, sweep }: Comparison): Curves {
  const shown = ["milp", "greedy", "vp-cp-sum", "rrndnz"].filter((name) => algorithms.includes(name));
  const places = shown.map((name) => algorithms.indexOf(name));
  const solved = trials.filter(
    ({ bound, attempts }) => bound !== null && places.every((i) => attempts[i]!.minYield !== null),
  );
  const mean = (slack: number, value: (trial: (typeof trials)[number]) => number): [number, number] => {
    const values = solved.filter(({ settings }) => settings.slack === slack).map(value);
    return [slack, values.reduce((sum, each) => sum + each, 0) / values.length];
  };
  return {
    caption: `Minimum yield against free memory: means of the ${formatCount(solved.length)} instances that all shown solved.`,
    x: "Free memory",
    y: "Minimum yield",
    series: [
      { name: "lp-bound", points: sweep.slack.map((slack) => mean(slack, ({ bound }) => bound!)) },
      ...shown.map((name, k) => ({
        name,
        points: sweep.slack.map((slack) => mean(slack, ({ attempts }) => attempts[places[k]!]!.minYield!)),
      })),
    ],
  };
}

/** Of thresholds only weights are drawn: with hard caps it is much the same, and equal shares forget the estimates. */
function yieldByError({ rows, withoutKnowledge }: ErrorsResult): Curves {
  const thresholds = [...new Set(rows.map(({ threshold }) => threshold))];
  const errors = [...new Set(rows.map(({ maxError }) => maxError))];
  const series = (name: string, threshold: number, sharing: Sharing): Curves["series"][number] => ({
    name: threshold === 0 ? name : `${name} ≥${threshold}`,
    points: rows
      .filter((row) => row.threshold === threshold)
      .map((row): [number, number] => [row.maxError, row.realised[sharing]]),
  });
  return {
    caption:
      "Minimum yield in truth against the largest error of an estimate; ≥: estimates are raised to that.",
    x: "Largest error of a need",
    y: "Minimum yield",
    series: [
      series("hard caps", 0, "caps"),
      ...thresholds.map((threshold) => series("weights", threshold, "weights")),
      series("equal shares", 0, "equal"),
      { name: "no knowledge", points: errors.map((error): [number, number] => [error, withoutKnowledge]) },
    ],
  };
}

/** Yields and distances between them: hundredths of a hundredth say nothing. */
function formatYield(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : "–";
}
