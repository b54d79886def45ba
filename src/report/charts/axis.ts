import { scaleLinear } from "d3-scale";
import { tickWidth } from "./label.ts";
import {
  formatChange,
  formatCount,
  formatDuration,
  formatMemory,
  formatNumber,
  formatShare,
} from "../numbers.ts";

/** What the numbers along an axis are. */
export type Quantity = "number" | "seconds" | "share" | "change" | "MiB";

const units: Readonly<Record<Quantity, string>> = {
  number: "",
  seconds: " (s)",
  share: " (share)",
  change: " (relative)",
  MiB: " (MiB)",
};
const formats: Readonly<Record<Quantity, (value: number) => string>> = {
  number: formatNumber,
  seconds: formatDuration,
  share: formatShare,
  change: formatChange,
  MiB: formatMemory,
};

/** The name of a column of such values, with their unit. */
export function columnName(title: string, quantity: Quantity): string {
  return title + units[quantity];
}

/** What such a column is called where its values are written for people, and how they are written. */
export function columnReading(name: string): { title: string; format: (value: number) => string } {
  const quantity = (Object.keys(units) as Quantity[]).find(
    (each) => each !== "number" && name.endsWith(units[each]),
  );
  return quantity === undefined
    ? { title: name, format: formatNumber }
    : { title: name.slice(0, -units[quantity].length), format: formats[quantity] };
}

/** Values to positions, with the ticks to draw. Every position is finite, whatever the value. */
export interface Axis {
  readonly logarithmic: boolean;
  readonly position: (value: number) => number;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly at: number;
  readonly label: string;
}

type Range = readonly [from: number, to: number];

/** Beyond this ratio between the largest and the smallest value a linear axis hides the small ones. */
const logarithmicFrom = 50;
/** Smaller values count as zero: no figure has a meaning below this. */
const nothing = 1e-9;
/** The largest value of an axis: beyond it, steps and ticks would lose their digits. */
const farthest = 1e30;
/** A log axis shows at most this many decades below its top; less counts as zero. */
const decadesAtMost = 9;

/** From zero up to the largest value: linear, or logarithmic where the values span orders of magnitude. */
export function valueAxis(values: readonly number[], range: Range, quantity: Quantity, ticks = 5): Axis {
  const positive = values.filter((value) => Number.isFinite(value) && value > nothing);
  const top = positive.length === 0 ? 1 : Math.max(...positive);
  if (positive.length > 0 && top / Math.min(...positive) > logarithmicFrom) {
    const withZero = values.some((value) => value <= nothing);
    return logarithmicAxis(positive, withZero, range, quantity);
  }
  return linearAxis([0, top], range, quantity, ticks);
}

/** The domain is widened to whole ticks where it is not told to be kept. */
export function linearAxis(
  domain: Range,
  range: Range,
  quantity: Quantity,
  ticks = 5,
  keep: "keep domain" | "whole ticks" = "whole ticks",
): Axis {
  const [least, most] = domain.map((end) => Math.max(-farthest, Math.min(farthest, end))) as [number, number];
  const width = most - least;
  const isPoint = !(width > nothing * Math.max(1, Math.abs(least), Math.abs(most)));
  const step = tickStep(isPoint ? Math.max(1, Math.abs(least)) : width, ticks, quantity);
  // Nothing falls by more than all of it.
  const lowest = quantity === "change" ? Math.min(-1, least) : Number.NEGATIVE_INFINITY;
  const low = keep === "keep domain" ? least : Math.max(lowest, Math.floor(least / step + 1e-9) * step);
  let high = keep === "keep domain" ? most : Math.ceil(most / step - 1e-9) * step;
  if (isPoint || high <= low) high = low + step;
  const scale = scaleLinear().domain([low, high]).range(range).clamp(true);
  const values: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i <= high / step + 1e-9; i++) values.push(i * step);
  const marks = values.map((value) => ({
    at: round(scale(value)),
    label: tickLabel(value, step, quantity),
  }));
  const isCrowded = marks.some(
    (tick, i) => i > 0 && tick.at - marks[i - 1]!.at < clearance(tick, marks[i - 1]!),
  );
  if (isCrowded && runsAcross(range) && ticks > 1)
    return linearAxis(domain, range, quantity, ticks - 1, keep);
  return {
    logarithmic: false,
    position: (value) => round(scale(Number.isFinite(value) ? value : low)),
    ticks: marks,
  };
}

/** Zero, where there is one, has a place of its own below the lowest decade. */
function logarithmicAxis(
  positive: readonly number[],
  withZero: boolean,
  range: Range,
  quantity: Quantity,
): Axis {
  const top = Math.log10(Math.max(...positive)) + 0.02;
  const bottom = Math.max(Math.log10(Math.min(...positive)) - 0.02, top - decadesAtMost);
  const reserve = withZero ? 0.08 : 0;
  const start = range[0] + (range[1] - range[0]) * reserve;
  const scale = scaleLinear().domain([bottom, top]).range([start, range[1]]).clamp(true);
  const place = (value: number): Tick => ({
    at: round(scale(Math.log10(value))),
    label: logLabel(value, quantity),
  });
  const inside = (value: number): boolean => Math.log10(value) >= bottom && Math.log10(value) <= top;
  const [coarse, fine] = quantity === "seconds" ? [roundTimes, betweenTimes] : [decades, betweenDecades];
  const apart = Math.abs(range[1] - range[0]) / 7;
  const ticks = thin([...coarse, ...fine].filter(inside).map(place), (a, b) =>
    runsAcross(range) ? Math.max(apart, clearance(a, b)) : apart,
  );
  if (withZero) ticks.unshift({ at: range[0], label: "0" });
  return {
    logarithmic: true,
    position: (value) =>
      value > nothing ? round(scale(Math.log10(Math.min(value, Number.MAX_VALUE)))) : range[0],
    ticks,
  };
}

const decades = Array.from({ length: 61 }, (_, i) => 10 ** (i - 30));
const betweenDecades = decades.map((value) => 3 * value);
const days = [1, 10, 100, 1000, 10_000, 100_000].map((count) => count * 86_400);
/** Not powers of ten from a minute on: people count in minutes, hours and days. */
const roundTimes = [1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1, 1, 10, 60, 600, 3600].concat(days);
const betweenTimes = [3, 30, 180, 1800, 10_800, 36_000].concat(days.map((time) => 3 * time));

/** Labels stand side by side; an axis that runs upwards has them one above the other. */
function runsAcross([from, to]: Range): boolean {
  return to > from;
}

/** The distance that two labels side by side need between their middles. */
function clearance(a: Tick, b: Tick): number {
  return (tickWidth(a.label) + tickWidth(b.label)) / 2 + 6;
}

/** Of ticks in order of importance, drops those that stand closer than `gap` to one kept; in order of place. */
function thin(ticks: readonly Tick[], gap: (a: Tick, b: Tick) => number): Tick[] {
  const kept: Tick[] = [];
  for (const tick of ticks) {
    if (kept.every((other) => Math.abs(tick.at - other.at) >= gap(tick, other))) kept.push(tick);
  }
  return kept.sort((a, b) => a.at - b.at);
}

function tickStep(width: number, ticks: number, quantity: Quantity): number {
  const unit =
    quantity === "MiB"
      ? 2 ** Math.ceil(Math.log2(width / ticks))
      : quantity === "seconds"
        ? timeStep(width / ticks)
        : undefined;
  if (unit !== undefined) return unit;
  const least = width / ticks;
  const power = 10 ** Math.floor(Math.log10(least));
  return (
    [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9)) ??
    power * 10
  );
}

const timeSteps = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200];

function timeStep(least: number): number {
  const short = timeSteps.find((step) => step >= least * (1 - 1e-9));
  if (least >= 0.5 && short !== undefined) return short;
  const unit = least < 0.5 ? 1 : 86_400;
  return tickStep(least / unit, 1, "number") * unit;
}

/** All labels of an axis in the unit of its step: 0, 30 min, 60 min, 90 min. */
function tickLabel(value: number, step: number, quantity: Quantity): string {
  if (value === 0) return quantity === "share" || quantity === "change" ? "0\u00a0%" : "0";
  switch (quantity) {
    case "seconds": {
      const [unit, name] =
        step >= 86_400 ? [86_400, "d"] : step >= 3600 ? [3600, "h"] : step >= 60 ? [60, "min"] : [1, "s"];
      return `${plain(value / unit)}\u00a0${name}`;
    }
    case "share":
      return `${plain(value * 100)}\u00a0%`;
    case "change":
      return `${value > 0 ? "+" : "−"}${plain(Math.abs(value) * 100)}\u00a0%`;
    case "MiB":
      return plainMemory(value);
    default:
      return plain(value);
  }
}

function logLabel(value: number, quantity: Quantity): string {
  switch (quantity) {
    case "seconds":
      return formatDuration(value).replace(/\.0+(?!\d)/, "");
    case "MiB":
      return plainMemory(value);
    case "share":
    case "change":
      return `${plain(value * 100)}\u00a0%`;
    default:
      return plain(value);
  }
}

function plainMemory(memoryMiB: number): string {
  return formatMemory(memoryMiB).replace(/\.0+(?!\d)/, "");
}

/** No trailing zeros: ticks are round. */
function plain(value: number): string {
  const rounded = Number(value.toPrecision(6));
  if (Math.abs(rounded) >= 1e9 || (rounded !== 0 && Math.abs(rounded) < 1e-4)) return rounded.toExponential();
  return Number.isInteger(rounded)
    ? formatCount(rounded)
    : rounded < 1000
      ? String(rounded)
      : formatNumber(rounded);
}

/** Tenths of a pixel: what an eye can see, in few bytes. */
function round(position: number): number {
  return Math.round(position * 10) / 10;
}
