import { meanWait } from "./metrics.ts";
import type { Figures, Metric } from "./metrics.ts";
import type { LoadRuns } from "./runs.ts";
import { isOwnPace } from "./verdict.ts";

/** The figures in which the policies differ, and those in which they do not. */
interface TellingMetrics {
  readonly columns: readonly Metric[];
  /** Figures that read the same for every policy at each load. They need no column. */
  readonly same: readonly {
    readonly metric: Metric;
    /** One for all loads, or one a load. */
    readonly texts: readonly string[];
  }[];
}

/** @param recorded the record's figures; one that differs from the policies' keeps its column */
export function tellingMetrics(
  metrics: readonly Metric[],
  loads: readonly LoadRuns[],
  recorded?: Figures,
): TellingMetrics {
  const columns: Metric[] = [];
  const same: { metric: Metric; texts: readonly string[] }[] = [];
  const isSeveral = loads.some(({ runs }) => runs.length > 1);
  for (const metric of metrics) {
    if (loads.every(({ runs }) => runs.every(({ run }) => metric.value(run) === null))) continue;
    const texts = loads.map((load) => {
      const was = recorded !== undefined && isOwnPace(load) ? metric.value(recorded) : null;
      const ofLoad = load.runs.map(({ run }) => textOf(metric, run));
      return new Set(was === null ? ofLoad : [...ofLoad, metric.format(was)]);
    });
    const isSame = texts.every(({ size }) => size === 1);
    // A single run shows all its figures, and the wait always has a column.
    if (isSeveral && isSame && metric !== meanWait) {
      const byLoad = texts.map(([text]) => text!);
      same.push({ metric, texts: new Set(byLoad).size === 1 ? byLoad.slice(0, 1) : byLoad });
    } else columns.push(metric);
  }
  return { columns, same };
}

function textOf(metric: Metric, run: Figures): string {
  const value = metric.value(run);
  return value === null ? "–" : metric.format(value);
}

/** `The same under all policies: cores used 49.4 % and 59.1 %, load by load; rejected 0.`; empty where nothing is. */
export function sameText({ same }: TellingMetrics): string {
  if (same.length === 0) return "";
  const figures = same.map(({ metric, texts }) => {
    const [first, ...others] = texts;
    const last = others.pop();
    const told = last === undefined ? first! : `${[first, ...others].join(", ")} and ${last}, load by load`;
    return `${metric.title.toLowerCase()} ${told}`;
  });
  return `The same under all policies: ${figures.join("; ")}.`;
}
