import { swatch } from "../charts/marks.ts";
import { columnStyle, columnTitle } from "../columns.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { boundedSlowdown, maximumStretch, meanWait, wastedTime } from "../metrics.ts";
import type { Metric } from "../metrics.ts";
import type { ReportModel } from "../model.ts";
import { formatFactor, formatPercent } from "../numbers.ts";
import type { PolicyRun } from "../runs.ts";
import type { Verdict } from "../verdict.ts";
import { numberCell, shortCell, tableOf } from "./parts.ts";

/** By stretch or by wasted time. */
export function figureComparison(verdict: Verdict): Markup {
  const { measure, ranked, baseline, best } = verdict;
  if (ranked.length === 1) return none;
  const columns = columnsOf(measure);
  const base = ranked.find((row) => row.policy === baseline)!;
  const first = ranked.find((row) => row.policy === best)!;
  const styles = columns.map(({ metric }) =>
    columnStyle(
      ranked.map(({ run }) => metric.value(run)),
      metric.format,
    ),
  );
  const body = ranked.map((row) => {
    const figures = columns.map(({ metric }, i) =>
      numberCell(styles[i]!.text(metric.value(row.run)), metric === measure && row === first),
    );
    const against =
      row === base ? (base === first ? "baseline, the best" : "baseline") : factor(measure, row, base);
    const againstBest = row === first ? "the best" : factor(measure, row, first);
    return markup`<tr><th scope="row">${swatch(row.index)}${row.policy}</th>${figures}${numberCell(against)}${base === first ? none : numberCell(againstBest)}</tr>`;
  });
  const name = titleOf(measure).toLowerCase();
  const what =
    measure === wastedTime
      ? `Wasted time at ${formatPercent(verdict.offeredLoad)} load: the part of the time from submission to completion without progress.`
      : `Stretch at ${formatPercent(verdict.offeredLoad)} load, by the ${name}: (completion − submission) ÷ max(run time, 10 s), at least 1.`;
  return tableOf(
    `${what} Lower is better; × 2 is twice the other's ${name}, ÷ 2 half of it.`,
    [
      { title: "Policy" },
      ...columns.map(({ title }, i) => ({ title: columnTitle(title, styles[i]!), numeric: true })),
      { title: `Against ${baseline}`, numeric: true },
      ...(base === first ? [] : [{ title: `Against ${best}`, numeric: true }]),
    ],
    [markup`<tbody>${body}</tbody>`],
  );
}

interface Column {
  readonly title: string;
  readonly metric: Metric;
}

const stretchColumns: readonly Column[] = [
  { title: "Maximum stretch", metric: maximumStretch },
  { title: "Mean stretch", metric: boundedSlowdown },
];
const wastedColumns: readonly Column[] = [
  { title: "Mean wasted time", metric: wastedTime },
  { title: "Mean wait", metric: meanWait },
];

function columnsOf(measure: Metric): readonly Column[] {
  return measure === wastedTime ? wastedColumns : stretchColumns;
}

function titleOf(measure: Metric): string {
  return columnsOf(measure).find(({ metric }) => metric === measure)!.title;
}

/** Does the answer depend on the load? */
export function figuresByLoad(model: ReportModel): Markup {
  const { measure } = model.verdict;
  const verdicts = model.verdicts.filter((verdict) => verdict.measure === measure);
  if (verdicts.length < 2) return none;
  const valueOf = ({ ranked }: Verdict, name: string): number | null =>
    measure.value(ranked.find((row) => row.policy === name)!.run);
  const told = verdicts.map((verdict) =>
    [verdict.best, verdict.baseline].map((policy) => valueOf(verdict, policy)),
  );
  const style = columnStyle(told.flat(), measure.format);
  const rows = verdicts.map(
    ({ offeredLoad, best }, i) =>
      markup`<tr><th scope="row">${formatPercent(offeredLoad)}</th>${shortCell(best)}${told[i]!.map((value) => numberCell(style.text(value)))}</tr>`,
  );
  const name = titleOf(measure);
  return tableOf(
    `The best policy at every load.`,
    [
      { title: "Load" },
      { title: `Lowest ${name.toLowerCase()}` },
      { title: columnTitle(name, style), numeric: true },
      { title: columnTitle(`Under ${model.baseline}`, style), numeric: true },
    ],
    [markup`<tbody>${rows}</tbody>`],
  );
}

function factor(measure: Metric, row: PolicyRun, reference: PolicyRun): string {
  return formatFactor((measure.value(row.run) ?? Number.NaN) / (measure.value(reference.run) ?? Number.NaN));
}
