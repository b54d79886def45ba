import { lineChart } from "../charts/line-chart.ts";
import { columnStyle, columnTitle } from "../columns.ts";
import { listText } from "../list-text.ts";
import { markup, type Markup } from "../markup.ts";
import type { PageModel } from "../model.ts";
import { counted, formatCount, formatDuration, formatNumber, formatShare } from "../numbers.ts";
import { chaptersOf, renderPage } from "../page.ts";
import { changesFigure } from "../sections/changes.ts";
import { cell, figure, grid, numberCell, tableOf, type Column, type Section } from "../sections/parts.ts";
import { notes, tilesText } from "../sections/verdict.ts";
import { ratiosOf, sweepMeasures, type Ratio, type SweepMeasure } from "./ratios.ts";
import { loadName, unseenOfSweep, type SweepFigures, type SweepInput } from "./sweep-input.ts";
import { ratioMeaning, ratioText } from "./sweep-table.ts";
import { sweepVerdict } from "./sweep-verdict.ts";

interface SweepModel extends PageModel {
  readonly sweep: SweepInput;
}

const verdictSection: Section<SweepModel> = { id: "verdict", title: "Verdict", render: first };

const sections: readonly Section<SweepModel>[] = [
  {
    id: "policies",
    title: "The policies, log by log",
    finding: ({ sweep }) =>
      `Ratios of ${sweepMeasures.map(({ title }) => title.toLowerCase()).join(" and ")} to those under ${sweep.baseline}, for each log and over all.`,
    render: ({ sweep }) => policies(sweep),
  },
  {
    id: "settings",
    title: "By load and estimates",
    finding: ({ sweep }) => settingsFinding(sweep),
    render: ({ sweep }) => settings(sweep),
  },
  {
    id: "loads",
    title: "Waits and load",
    finding: ({ sweep }) =>
      `Mean waits ${listText(sweep.loads.map((load) => (load === null ? "at each log's own load" : `at ${load}`)))}.`,
    render: ({ sweep }) => curves(sweep),
  },
  {
    id: "runs",
    title: "All runs",
    finding: ({ sweep }) => `${counted(sweep.rows.length, "run")}, a line each.`,
    render: ({ sweep }) => runs(sweep),
  },
  {
    id: "method",
    title: "How to read this, and how to make it again",
    finding: ({ sweep }) => `What a ratio is, the settings, and the command; Croft ${sweep.version}.`,
    render: ({ sweep }) => method(sweep),
  },
];

/** Renders a sweep as one HTML file that needs nothing else. The same input gives the same bytes. */
export function renderSweepPage(sweep: SweepInput): string {
  const { title, logs, rows, command, version } = sweep;
  const synthetic = logs.every((log) => log.synthetic);
  const input = { title, workload: { name: title, synthetic, jobs: 0 }, command, version };
  const overview = `${counted(logs.length, "log")}, ${counted(sweep.policies.length, "policy", "policies")}, ${counted(rows.length, "run")}; compared with ${sweep.baseline}`;
  const model = { input, sweep };
  return renderPage(input, overview, [
    ...chaptersOf([verdictSection], model),
    ...chaptersOf(sections, model, "To look closer"),
  ]);
}

/** The best policy over all logs, where it loses, how sure that is and what weakens it; with a picture of all. */
function first({ sweep }: SweepModel): Markup {
  const verdict = sweepVerdict(sweep);
  if (verdict === null) return markup`<p class="decision">No two runs have waits to compare</p>`;
  return markup`<p class="decision">${verdict.decision}</p>${tilesText(verdict.tiles)}${notes("What the runs cannot see", unseenOfSweep(sweep))}${grid(sweepMeasures.map((each) => picture(sweep, each)))}`;
}

function picture(sweep: SweepInput, measure: SweepMeasure): Markup {
  const { all } = ratiosOf(sweep, measure);
  const rows = all.map(({ policy, ratio, interval }) => ({
    name: policy,
    index: sweep.policies.indexOf(policy),
    value: ratio === null ? null : ratio - 1,
    interval: interval === null ? null : { low: interval.low - 1, high: interval.high - 1 },
  }));
  return changesFigure(
    `sweep-${measure.id}`,
    `${measure.title} against ${sweep.baseline}`,
    rows,
    `The change of the ${measure.title.toLowerCase()} over all logs. Left of the line is better than ${sweep.baseline}.`,
  );
}

function policies(sweep: SweepInput): Markup {
  return grid(
    sweepMeasures.map((measure) => {
      const { logs, all } = ratiosOf(sweep, measure);
      const caption = `${measure.title} ÷ that under ${sweep.baseline}: ${ratioMeaning(sweep)}. Below 1 is better.`;
      const body = all.map((ratio, i) =>
        ratioRow(ratio.policy, [...logs.map(({ ratios }) => ratios[i]!), ratio]),
      );
      const head = ["Policy", ...logs.map(({ log }) => log), "All logs"];
      return tableOf(caption, headOf(head, 1), [markup`<tbody>${body}</tbody>`]);
    }),
  );
}

function settingsFinding(sweep: SweepInput): string {
  const ratios = sweep.loads.flatMap((load) =>
    sweep.estimates.flatMap((given) =>
      ratiosOf(sweep, sweepMeasures[0]!, (row) => row.load === load && row.estimates === given).all.flatMap(
        (each) => (each.ratio === null ? [] : [{ ...each, ratio: each.ratio, load, given }]),
      ),
    ),
  );
  if (ratios.length === 0) return "No pair of runs has a ratio.";
  const sorted = ratios.toSorted((a, b) => a.ratio - b.ratio);
  const text = ({ policy, ratio, load, given }: (typeof ratios)[number]): string =>
    `${formatNumber(ratio)} (${policy}, load ${load ?? "as logged"}, estimates ${given === "log" ? "as logged" : given})`;
  return `The mean wait's ratios lie between ${text(sorted[0]!)} and ${text(sorted.at(-1)!)}.`;
}

function settings(sweep: SweepInput): Markup {
  const { loads, estimates } = sweep;
  if (loads.length * estimates.length === 1) return markup``;
  return grid(
    sweepMeasures.map((measure) => {
      const body = loads.flatMap((load) =>
        estimates.flatMap((given) => {
          const { all } = ratiosOf(sweep, measure, (row) => row.load === load && row.estimates === given);
          return all.map(
            (ratio) =>
              markup`<tr>${cell(loadName(load))}${cell(given)}${cell(ratio.policy)}${numberCell(ratioText(ratio))}</tr>`,
          );
        }),
      );
      const caption = `${measure.title} ÷ that under ${sweep.baseline} over all logs, at each load with each estimates.`;
      return tableOf(caption, headOf(["Load", "Estimates", "Policy", "All logs"], 3), [
        markup`<tbody>${body}</tbody>`,
      ]);
    }),
  );
}

/** Mean waits against the load, a chart for each log and estimates; over seeds their mean. */
function curves({ logs, estimates, loads, policies: names, rows }: SweepInput): Markup {
  if (loads.length === 1) return markup``;
  return grid(
    logs.flatMap(({ name }, log) =>
      estimates.map((given, i) => {
        const title = `${name}${estimates.length > 1 ? `, estimates: ${given}` : ""}`;
        const series = names.map((policy, index) => ({
          name: policy,
          index,
          emphasized: false,
          points: loads
            .map((load): [number, number] => {
              const runs = rows.filter(
                (row) =>
                  row.log === name && row.policy === policy && row.load === load && row.estimates === given,
              );
              const mean = (of: (row: (typeof runs)[number]) => number): number =>
                runs.reduce((sum, row) => sum + of(row), 0) / runs.length;
              return [mean(({ run }) => run.offeredLoad), mean(({ run }) => run.waitMeanSeconds)];
            })
            .sort(([a], [b]) => a - b),
        }));
        const last = series
          .map((each) => `${each.name} ${formatDuration(each.points.at(-1)![1])}`)
          .join(", ");
        const chart = lineChart(
          {
            x: { title: "Offered load", quantity: "share" },
            y: { title: "Mean wait", quantity: "seconds" },
            series,
          },
          {
            id: `sweep-load-${log}-${i}`,
            title: `Mean wait against load, ${title}`,
            description: `At the highest load: ${last}.`,
          },
        );
        return figure(chart, `${title}: mean wait against offered load; lower is better.`);
      }),
    ),
  );
}

const runColumns: readonly Column<SweepFigures>[] = [
  { title: "Offered load", value: (run) => run.offeredLoad, format: formatShare },
  { title: "Mean wait", value: (run) => run.waitMeanSeconds, format: formatDuration },
  { title: "95th percentile", value: (run) => run.waitP95Seconds, format: formatDuration },
  { title: "Bounded slowdown", value: (run) => run.boundedSlowdownMean, format: formatNumber },
  { title: "Cores used", value: (run) => run.coreUtilizationMean, format: formatShare },
  { title: "Rejected", value: (run) => run.rejected, format: formatCount },
];

function runs({ rows }: SweepInput): Markup {
  const columns = runColumns.map(({ title, value, format }) => {
    const style = columnStyle(
      rows.map(({ run }) => value(run)),
      format,
    );
    return { title: columnTitle(title, style), text: (run: SweepFigures) => style.text(value(run)) };
  });
  const head = ["Log", "Policy", "Load", "Estimates", "Seed", ...columns.map(({ title }) => title)];
  const body = rows.map(
    ({ log, policy, load, estimates, seed, run }) =>
      markup`<tr>${cell(log)}${cell(policy)}${cell(loadName(load))}${cell(estimates)}${numberCell(seed === null ? "–" : seed)}${columns.map(({ text }) => numberCell(text(run)))}</tr>`,
  );
  return tableOf("Every run; exact figures are in results.csv.", headOf(head, 4), [
    markup`<tbody>${body}</tbody>`,
  ]);
}

function method(sweep: SweepInput): Markup {
  const dropped = sweepMeasures.flatMap((measure) => {
    const leftOut = ratiosOf(sweep, measure).all.reduce((sum, ratio) => sum + ratio.leftOut, 0);
    return leftOut === 0
      ? []
      : [
          markup`<p>${measure.title}: ${counted(leftOut, "pair")} of runs left out, since one of the two is 0 and has no ratio.</p>`,
        ];
  });
  const facts = [
    ...sweep.logs.map(
      ({ name, synthetic, on, part }) =>
        [synthetic ? `${name} (synthetic)` : name, part === undefined ? on : `${on}; ${part}`] as const,
    ),
    ...sweep.settings.map(({ name, value }) => [name, value] as const),
  ];
  return markup`<p>A ratio compares two runs of the same jobs: the same log, seed, load and estimates. Ratios are averaged on the logarithm, so that twice and half make 1; each log counts alike, and within a log each seed. An interval is Student's over the seeds, at 95 % confidence: it tells how much what is drawn changes the result, and nothing of other logs or months. Logs of which nothing is drawn are the same in every seed.</p>${dropped}
${tableOf("What was studied.", [{ title: "What" }, { title: "Value" }], [markup`<tbody>${facts.map(([name, value]) => markup`<tr><th scope="row">${name}</th>${cell(value)}</tr>`)}</tbody>`])}
<h3>To make it again</h3><pre><code>${sweep.command}</code></pre><p>Croft ${sweep.version}. The same files give the same page.</p>`;
}

function ratioRow(policy: string, ratios: readonly Ratio[]): Markup {
  return markup`<tr><th scope="row">${policy}</th>${ratios.map((ratio) => numberCell(ratioText(ratio)))}</tr>`;
}

function headOf(
  titles: readonly string[],
  numericFrom: number,
): { readonly title: string; readonly numeric?: boolean }[] {
  return titles.map((title, i) => (i < numericFrom ? { title } : { title, numeric: true }));
}
