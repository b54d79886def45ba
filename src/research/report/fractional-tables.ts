import type { Sharing } from "../fractional/index.ts";
import {
  beatenBy,
  boundGaps,
  publishedPacking,
  publishedRounding,
  publishedSeconds,
  secondsByServices,
  type BoundGap,
  type Comparison,
  type ErrorsResult,
  type FractionalResult,
  type PublishedQuality,
  type Quality,
} from "../study/index.ts";
import type { Curves, FigureTable } from "./input.ts";
import { formatCount, formatNumber, formatShare } from "../../report/numbers.ts";

/** The tables of a study of fractional placement, for the terminal and the page alike. */
export function fractionalTables(result: FractionalResult): FigureTable[] {
  const { packing, greedy, rounding, optimal, errors } = result;
  return [
    ...(packing === undefined
      ? []
      : [qualityTable("Greedy and vector packing", packing, publishedPacking), timesTable(packing)]),
    ...(greedy === undefined ? [] : [greedyTable(greedy)]),
    ...(rounding === undefined
      ? []
      : [qualityTable("Rounding and diving", rounding, publishedRounding), timesTable(rounding)]),
    ...(optimal === undefined
      ? []
      : [qualityTable("Against the optimum", optimal, []), ...gapTable(boundGaps(optimal))]),
    ...(errors === undefined ? [] : [errorsTable(errors)]),
  ];
}

/** The charts of the same. */
export function fractionalCurves({ greedy, optimal, errors }: FractionalResult): Curves[] {
  return [
    ...(greedy === undefined ? [] : [bothCriteria(greedy)]),
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
    caption: `${title}: ${formatCount(trials.length)} instances on ${sweep.hosts.join(" and ")} hosts, of which no algorithm solved ${formatCount(unsolved)}. dfb: how far the minimum yield is below the best that any algorithm found (in brackets as a part of it), on average and at the 90th percentile; fr: part of the instances without a placement; below bound: distance from the LP bound.${published.length === 0 ? "" : " On the slides: other instances, made in the same way."}`,
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
    caption: `Mean seconds by number of services, on ${sweep.hosts.join(" and ")} hosts; after the slash the slides' figures, on their machine.`,
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

/** Those that nobody beats first, then by distance. */
function greedyTable({ qualities, trials, sweep }: Comparison): FigureTable {
  const beaten = beatenBy(qualities);
  const places = qualities.map((_, i) => i);
  places.sort(
    (a, b) => Math.sign(beaten[a]!) - Math.sign(beaten[b]!) || qualities[a]!.dfbMean - qualities[b]!.dfbMean,
  );
  return {
    caption: `Greedy algorithms by the slides' two criteria, distance from the best of them (dfb) and failure rate (fr): ${formatCount(trials.length)} instances on ${sweep.hosts.join(" and ")} hosts. Beaten by: how many others are as good in both and better in one.`,
    head: ["algorithm", "dfb", "90th perc.", "fr", "beaten by"],
    rows: places.map((i) => [qualities[i]!.algorithm, ...qualityCells(qualities[i]!), String(beaten[i])]),
  };
}

/** No table where no optimum is proven. */
function gapTable(gaps: readonly BoundGap[]): FigureTable[] {
  if (gaps.length === 0) return [];
  const shares = [...new Set(gaps.map(({ constrained }) => constrained))].sort((a, b) => a - b);
  const densities = [...new Set(gaps.map(({ servicesPerHost }) => servicesPerHost))];
  return [
    {
      caption:
        "How far the mean LP bound is above the mean optimum, by services per host and by the share of services with a minimum yield; in brackets the instances with a proven optimum.",
      head: ["services per host", ...shares.map((share) => `${formatShare(share)} constrained`)],
      rows: densities.map((density) => [
        formatNumber(density),
        ...shares.map((share) => {
          const found = gaps.find(
            ({ servicesPerHost, constrained }) => servicesPerHost === density && constrained === share,
          );
          return found === undefined
            ? "–"
            : `${Number.isNaN(found.gap) ? "–" : formatShare(found.gap)} (${found.instances})`;
        }),
      ]),
    },
  ];
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

/** A mark an algorithm, a series a pick of hosts. Nearer to the corner is better. */
function bothCriteria({ qualities, trials }: Comparison): Curves {
  const byPick = Map.groupBy(qualities, ({ algorithm }) => algorithm.split("-").at(-1)!);
  return {
    caption: `Greedy algorithms by both criteria, over ${formatCount(trials.length)} instances: a mark is an order of services (S) with that pick of hosts (P).`,
    x: "Failure rate",
    y: "Distance from the best",
    isScattered: true,
    series: [...byPick].map(([name, ofPick]) => ({
      name,
      points: ofPick.map(({ failureRate, dfbMean }): [number, number] => [failureRate, dfbMean]),
    })),
  };
}

/** Over the instances that all shown algorithms solved: otherwise failing on the hard ones would look like success. */
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

/** Thresholds are drawn for weights only: hard caps look much the same, and equal shares do not use the estimates. */
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

/** Formats a yield, or a distance between yields: more digits would mean nothing. */
function formatYield(value: number): string {
  return Number.isFinite(value) ? value.toFixed(3) : "–";
}
