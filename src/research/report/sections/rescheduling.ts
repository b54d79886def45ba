import { barChart } from "../../../report/charts/bar-chart.ts";
import { lineChart } from "../../../report/charts/line-chart.ts";
import { timeline } from "../../../report/charts/timeline.ts";
import { course, extremes } from "../../../report/finding.ts";
import { markup, none } from "../../../report/markup.ts";
import type { Markup } from "../../../report/markup.ts";
import type { StudyInput, StudyModel } from "../input.ts";
import { formatCount, formatNumber, formatPercent, formatShare } from "../../../report/numbers.ts";
import {
  publishedRows,
  publishedTables,
  publishedYear,
  type PublishedTable,
  type ReschedulingResult,
  type ReschedulingRow,
} from "../../study/index.ts";
import {
  cell,
  figure,
  grid,
  largest,
  numberCell,
  tableOf,
  type Section,
} from "../../../report/sections/parts.ts";

export interface ReschedulingInput extends StudyInput {
  readonly result: ReschedulingResult;
}

export interface ReschedulingModel extends StudyModel {
  readonly input: ReschedulingInput;
}

type Figures = Pick<
  ReschedulingRow,
  | "suspendRate"
  | "completionMeanSuspendedMinutes"
  | "completionMeanMinutes"
  | "suspendedMeanMinutes"
  | "wastedMeanMinutes"
>;

const head = [
  { title: "Strategy" },
  { title: "" },
  { title: "Suspended", numeric: true },
  { title: "AvgCT suspended", numeric: true },
  { title: "AvgCT all", numeric: true },
  { title: "AvgST", numeric: true },
  { title: "AvgWCT", numeric: true },
];

/** Tables 1 to 5, and rows that the paper does not have. */
export const tablesSection: Section<ReschedulingModel> = {
  id: "tables",
  title: "Tables 1 to 5, beside the published ones",
  render: (model) =>
    markup`<p>AvgCT: from submission to completion. AvgST: time suspended, of jobs that were. AvgWCT: time waiting, suspended, or run and lost by a restart, of all jobs. Means, in minutes.</p>${publishedTables.map((table) => publishedTable(model, table))}${suspensionTable(model)}`,
};

function publishedTable(model: ReschedulingModel, table: PublishedTable): Markup {
  const { number, title, scenario, routing, strategies } = table;
  const isRow = (row: { scenario: string; routing: string; strategy: string }, strategy: string): boolean =>
    row.scenario === scenario && row.routing === routing && row.strategy === strategy;
  const bodies = strategies.map((strategy) => {
    const ours = model.input.result.rows.find((row) => isRow(row, strategy));
    const published = publishedRows.find((row) => isRow(row, strategy));
    return markup`<tbody>${ours === undefined ? none : line(strategy, "here", ours)}${published === undefined ? none : line("", "published", published)}</tbody>`;
  });
  return tableOf(`Table ${number}. ${title}, ${routing} routing.`, head, bodies);
}

function suspensionTable(model: ReschedulingModel): Markup {
  const rows = model.input.result.rows.filter(
    ({ scenario, routing }) => scenario === "high-suspension" && routing === "round-robin",
  );
  if (rows.length === 0) return none;
  return tableOf(
    `High suspension, round-robin routing; published: 14 % suspended, ResSusUtil −7 % AvgCT of all jobs and −44 % of the suspended.`,
    head,
    [markup`<tbody>${rows.map((row) => line(row.strategy, "here", row))}</tbody>`],
  );
}

function line(strategy: string, whose: string, row: Figures): Markup {
  const minutes = (value: number | null): Markup => numberCell(value === null ? "–" : formatMinutes(value));
  return markup`<tr>${cell(strategy)}${cell(whose)}${numberCell(`${(row.suspendRate * 100).toFixed(2)}\u00a0%`)}${minutes(row.completionMeanSuspendedMinutes)}${minutes(row.completionMeanMinutes)}${minutes(row.suspendedMeanMinutes)}${minutes(row.wastedMeanMinutes)}</tr>`;
}

/** Figure 3: what wasted time consists of. */
export const wasteSection: Section<ReschedulingModel> = {
  id: "waste",
  title: "Figure 3: what is wasted, under normal load",
  render(model) {
    const rows = model.input.result.rows.filter(
      ({ scenario, routing }) => scenario === "normal" && routing === "round-robin",
    );
    const parts = [
      { id: "all", title: "Wasted in all", of: (row: ReschedulingRow) => row.wastedMeanMinutes },
      { id: "wait", title: "Waiting", of: (row: ReschedulingRow) => row.wastedWaitMinutes },
      { id: "suspended", title: "Suspended", of: (row: ReschedulingRow) => row.wastedSuspendMinutes },
      {
        id: "restart",
        title: "Run and lost by a restart",
        of: (row: ReschedulingRow) => row.wastedRestartMinutes,
      },
    ];
    return grid(
      parts.map(({ id, title, of }) => {
        const bars = rows.map((row) => ({
          name: row.strategy,
          value: of(row) ?? 0,
          text: `${formatMinutes(of(row) ?? 0)} min`,
        }));
        const chart = barChart(
          { title: "Minutes a job", quantity: "number", bars },
          {
            id: `waste-${id}`,
            title: `${title}, by strategy`,
            description: extremes(bars),
          },
        );
        return figure(chart, `${title}, mean minutes over all jobs; lower is better.`);
      }),
    );
  },
};

/** Figures 2 and 4: a year under NoRes. */
export const yearSection: Section<ReschedulingModel> = {
  id: "year",
  title: "Figures 2 and 4: a year without rescheduling",
  render(model) {
    const { year } = model.input.result;
    if (year === null || year.suspensionMinutes.length === 0) return none;
    const { timeSeconds, suspendedJobs, coreUtilization } = year.series;
    const untilSeconds = largest(timeSeconds);
    const over = (id: string, heading: string, values: readonly number[], share: boolean): Markup =>
      timeline(
        {
          size: "full",
          heading,
          untilSeconds,
          top: share ? 1 : largest(values),
          quantity: share ? "share" : "number",
          lines: [{ name: heading, timeSeconds, values, index: share ? 1 : 0, dash: "", summary: "mean" }],
        },
        {
          id: `year-${id}`,
          title: `${heading} over a year`,
          description: course(heading, values, share ? formatShare : formatNumber),
        },
      );
    return grid([
      figure(
        suspensionTimes(model),
        `Figure 2. Time suspended, of ${formatCount(year.jobs)} jobs of a year those that were (${formatPercent(year.suspendRate)}), up to the 95th percentile. Published: median ${publishedYear.medianMinutes} min, ${publishedYear.longShare * 100} % above ${publishedYear.longMinutes} min.`,
      ),
      figure(
        over("suspended", "Suspended jobs", suspendedJobs, false),
        "Figure 4. Jobs suspended at a time.",
      ),
      figure(
        over("use", "Utilization", coreUtilization, true),
        "Figure 4. Cores in use; published: about 40 %, typically 20 % to 60 %.",
      ),
    ]);
  },
};

function suspensionTimes({ input }: ReschedulingModel): Markup {
  const shown = input.result.year!.suspensionMinutes.filter(({ part }) => part <= 0.95);
  const { medianMinutes, longMinutes, longShare } = publishedYear;
  return lineChart(
    {
      x: { title: "Time suspended", quantity: "seconds" },
      y: { title: "Share of the suspended jobs", quantity: "share" },
      series: [
        {
          name: "here",
          index: 0,
          emphasized: true,
          points: shown.map(({ part, minutes }): [number, number] => [60 * minutes, part]),
        },
        {
          name: "published",
          index: 1,
          emphasized: false,
          points: [
            [60 * medianMinutes, 0.5],
            [60 * longMinutes, 1 - longShare],
          ],
        },
      ],
    },
    {
      id: "year-suspensions",
      title: "Distribution of the time that jobs were suspended",
      description: shown
        .map(({ part, minutes }) => `${part * 100} %: ${formatMinutes(minutes)} min`)
        .join("; "),
    },
  );
}

function formatMinutes(minutes: number): string {
  return minutes.toFixed(1);
}
