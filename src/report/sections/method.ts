import { policySummary } from "../../simulation/settings/policy-names.ts";
import { brokenPromises, promiseOfPolicy } from "../broken-promises.ts";
import { CYCLES_SETTING } from "../input.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import { metrics } from "../metrics.ts";
import type { ReportModel } from "../model.ts";
import {
  counted,
  formatCapacity,
  formatCores,
  formatCount,
  formatDuration,
  formatPercent,
} from "../numbers.ts";
import { cell, numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const methodSection: Section = {
  id: "method",
  title: "How to read this, and how to make it again",
  finding: ({ input }) => `Every term in a sentence, the settings, and the command; Croft ${input.version}.`,
  render,
};

function render(model: ReportModel): Markup {
  const { input } = model;
  const meanings = metrics.map((metric) => markup`<dt>${metric.title}</dt><dd>${metric.meaning}</dd>`);
  const glosses = model.table.policies.flatMap((policy) => {
    const summary = policySummary(policy);
    return summary === undefined ? [] : [markup`<dt>${policy}</dt><dd>${summary}</dd>`];
  });
  const policies =
    glosses.length === 0 ? none : markup`<h3>The policies</h3><dl class="terms">${glosses}</dl>`;
  const promise = arePromisesMade(model)
    ? markup`<dt>Promise</dt><dd>A time at which a backfilling policy says that a waiting job starts at the latest, from what runs and how long jobs are expected to run. It is broken if the job starts after the first time that it was promised.</dd>`
    : none;
  return markup`${policies}${promises(model)}<h3>Terms</h3>
<dl class="terms"><dt>Load</dt><dd>The core time that the jobs ask for ÷ the core time that the machines have while jobs arrive. The load is raised by drawing the arrivals together: all arrival times, since the log's start, are multiplied by β.</dd>${meanings}${promise}<dt>Confidence interval</dt><dd>Another month of the same farm would give other figures. The interval says how far the change of the mean wait may lie from the one seen. The days of the log are cut into five batches of consecutive days; under every policy the same jobs are compared, and the interval is drawn from how much the batches disagree (Student's t), or from the users drawn anew and simulated again (--resample). All comparisons at one load hold together with 95 % confidence.</dd></dl>
<h3>Workload, machines and settings</h3>${facts(model)}${notes(model)}${rejections(model)}
<h3>To make it again</h3><pre><code>${input.command}</code></pre><p>Croft ${input.version}. The same command on the same files gives the same report.</p>`;
}

function facts(model: ReportModel): Markup {
  const { workload, machines, settings } = model.input;
  const memory =
    machines.memoryMiB === null ? "memory not considered" : `${formatCapacity(machines.memoryMiB)} of memory`;
  const rows: readonly (readonly [string, string])[] = [
    ["Workload", `${workload.name}${workload.synthetic ? " (synthetic)" : ""}`],
    [
      "Jobs",
      `${formatCount(workload.jobs)} over ${formatDuration(workload.spanSeconds)}, ${formatPercent(workload.offeredLoad)} load as recorded`,
    ],
    [
      "Machines",
      `${machines.name}: ${counted(machines.count, "machine")}, ${formatCores(machines.coresMilli)} cores, ${memory}`,
    ],
    ["Loads studied", model.table.loads.map((load) => formatPercent(load.offeredLoad)).join(", ")],
    ...(settings?.some(({ name }) => name === CYCLES_SETTING) === true
      ? []
      : [[CYCLES_SETTING, cyclesText(model)] as const]),
    ...(settings ?? []).map((setting) => [setting.name, setting.value] as const),
  ];
  return tableOf(
    `What was studied.`,
    [{ title: "What" }, { title: "Value" }],
    [
      markup`<tbody>${rows.map(([name, value]) => markup`<tr><th scope="row">${name}</th>${cell(value)}</tr>`)}</tbody>`,
    ],
  );
}

function notes(model: ReportModel): Markup {
  const { notes } = model.input.workload;
  if (notes.length === 0) return markup`<p>Nothing in the log had to be repaired.</p>`;
  const rows = notes.map(
    (note) =>
      markup`<tr>${cell(note.example === undefined ? note.what : `${note.what} (“${note.example}”)`)}${numberCell(formatCount(note.count))}${numberCell(note.firstLine === undefined ? "–" : formatCount(note.firstLine))}</tr>`,
  );
  return tableOf(
    "What was repaired in the log or left out.",
    [{ title: "What" }, { title: "Lines", numeric: true }, { title: "First line", numeric: true }],
    [markup`<tbody>${rows}</tbody>`],
  );
}

/** Taken from one run, since whether a machine can hold a job does not depend on the policy. */
function rejections(model: ReportModel): Markup {
  const { rejections } = model.load.runs[0]!.run;
  if (rejections.length === 0) return none;
  const rows = rejections.map(
    (rejection) => markup`<tr>${cell(rejection.reason)}${numberCell(formatCount(rejection.jobs))}</tr>`,
  );
  return tableOf(
    "Why jobs were rejected.",
    [{ title: "Reason" }, { title: "Jobs", numeric: true }],
    [markup`<tbody>${rows}</tbody>`],
  );
}

/** What policies promised, and what became of it at the load that the report shows. */
function promises(model: ReportModel): Markup {
  if (!arePromisesMade(model)) return none;
  const told = model.load.runs.flatMap(({ policy, run }) => {
    if (run.promisesBroken === undefined) return [];
    const what = promiseOfPolicy(policy);
    const became = brokenPromises(run) ?? "no job started later than first promised";
    return [markup`<dt>${policy}</dt><dd>${what === null ? "" : `${what} `}Here ${became}.</dd>`];
  });
  return markup`<h3>What was promised</h3><dl class="terms">${told}</dl>`;
}

function arePromisesMade({ load }: ReportModel): boolean {
  return load.runs.some(({ run }) => run.promisesBroken !== undefined);
}

function cyclesText({ input: { runs } }: ReportModel): string {
  const texts = runs.map(({ intervalSeconds }) =>
    intervalSeconds === 0 ? "after every event" : `every ${formatDuration(intervalSeconds)}`,
  );
  return [...new Set(texts)].join("; ");
}
