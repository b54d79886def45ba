import type { RunResult } from "../simulation/result.ts";
import { meanWait } from "./metrics.ts";
import type { Figures, Metric } from "./metrics.ts";

/** The figures that tell policies apart, and those that do not. */
export interface TellingMetrics {
  readonly columns: readonly Metric[];
  /** Read the same of every policy at every load; they need no column. */
  readonly same: readonly { readonly metric: Metric; readonly text: string }[];
}

/**
 * @param loads the runs, load by load
 * @param recorded the record's figures; one that differs keeps its column
 */
export function tellingMetrics(
  metrics: readonly Metric[],
  loads: readonly (readonly RunResult[])[],
  recorded?: Figures,
): TellingMetrics {
  const columns: Metric[] = [];
  const same: { metric: Metric; text: string }[] = [];
  const rows = loads.flat();
  for (const metric of metrics) {
    const texts = new Set(rows.map((run) => textOf(metric, run)));
    const [text] = texts;
    if (rows.every((run) => metric.value(run) === null)) continue;
    const was = recorded === undefined ? null : metric.value(recorded);
    const isSame = texts.size === 1 && (was === null || metric.format(was) === text);
    // Of a single run there is nothing to tell apart: all its figures are wanted. The wait is what it is about.
    if (rows.length > 1 && isSame && metric !== meanWait) same.push({ metric, text: text! });
    else columns.push(metric);
  }
  return { columns, same };
}

function textOf(metric: Metric, run: Figures): string {
  const value = metric.value(run);
  return value === null ? "–" : metric.format(value);
}

/** `The same of all: cores used 70.1 %, rejected 0.`; empty where nothing is. */
export function sameText({ same }: TellingMetrics): string {
  if (same.length === 0) return "";
  const figures = same.map(({ metric, text }) => `${metric.title.toLowerCase()} ${text}`);
  return `The same of all: ${figures.join(", ")}.`;
}
