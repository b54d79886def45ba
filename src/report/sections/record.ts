import type { Fidelity } from "../../simulation/recorded/fidelity.ts";
import { NEAR_FACTOR } from "../../simulation/recorded/fidelity.ts";
import type { RecordedRun } from "../../simulation/recorded/recorded-run.ts";
import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { ReportModel } from "../model.ts";
import {
  formatCount,
  formatDuration,
  formatNumber,
  formatPercent,
  formatShare,
  instantText,
} from "../numbers.ts";
import { nearestText } from "../reference.ts";
import { numberCell, tableOf } from "./parts.ts";
import type { Section } from "./parts.ts";

export const recordSection: Section = {
  id: "asitwas",
  title: "As it was, and what the simulation can tell",
  finding: ({ input: { recorded, fidelity } }) =>
    `${fidelity === undefined ? "" : `${findingOf(fidelity)} `}${outagesText(recorded!)}`,
  render,
};

/** Outages that are shown; results.json has more. */
const SHOWN = 5;

function render(model: ReportModel): Markup {
  const { recorded, fidelity } = model.input;
  if (recorded === undefined) return none;
  return markup`${fidelity === undefined ? none : check(recorded, fidelity)}${outages(model, recorded)}`;
}

function check(recorded: RecordedRun, fidelity: Fidelity): Markup {
  const rows: readonly (readonly [string, string, string])[] = [
    ["Mean wait", formatDuration(recorded.waitMeanSeconds), formatDuration(fidelity.waitMeanSeconds)],
    ["Median wait", formatDuration(recorded.waitMedianSeconds), formatDuration(fidelity.waitMedianSeconds)],
    ["Longest wait", formatDuration(recorded.waitMaxSeconds), formatDuration(fidelity.waitMaxSeconds)],
    ["Cores used", formatShare(recorded.coreUtilizationMean), formatShare(fidelity.coreUtilizationMean)],
  ];
  const table = tableOf(
    `The record, and the simulation of ${fidelity.policy}: ${nearestText(fidelity.because)}.${fidelity.because === "named" ? "" : " If yours is another, name it: --baseline POLICY."}`,
    [
      { title: "Figure" },
      { title: "Recorded", numeric: true },
      { title: `Simulated, ${fidelity.policy}`, numeric: true },
    ],
    [
      markup`<tbody>${rows.map(([name, was, is]) => markup`<tr><th scope="row">${name}</th>${numberCell(was)}${numberCell(is)}</tr>`)}</tbody>`,
    ],
  );
  const meaning = fidelity.isNear
    ? "So simulated waits of other policies can be compared with the record."
    : `Near is within a factor of ${formatNumber(NEAR_FACTOR)}. It can compare simulated policies with each other, but cannot tell how long jobs would really have waited.`;
  const days =
    fidelity.waitDayCorrelation === null
      ? ""
      : ` Day by day the two mean waits correlate by ${correlationText(fidelity.waitDayCorrelation)}.`;
  const use =
    ` The cores in use differ by ${formatPercent(fidelity.utilizationDifferenceMean)} of all cores on average over time` +
    (fidelity.utilizationCorrelation === null
      ? "."
      : `, and correlate by ${correlationText(fidelity.utilizationCorrelation)}.`);
  return markup`<p>${meaning}${days}${use} Not in a simulation: reservations, maintenance, limits per user or queue, priorities and fair share of the site, jobs held by a dependency or by hand, and jobs that the log leaves out.</p>${table}`;
}

function findingOf({ isNear, waitMeanSeconds, waitMeanRatio }: Fidelity): string {
  const ratio = waitMeanRatio === null ? "" : `, ${ratioText(waitMeanRatio)}`;
  return `The simulation ${isNear ? "comes" : "does not come"} near the record: its mean wait is ${formatDuration(waitMeanSeconds)}${ratio}.`;
}

function outagesText({ outages }: RecordedRun): string {
  if (outages.count === 0) return "No outage was found.";
  const times = outages.count === 1 ? "Once" : `${formatCount(outages.count)} times`;
  return `${times} nothing ran for two hours or more although jobs waited.`;
}

/** A small ratio is said the other way round, which is easier to read than `0.00374 times`. */
function ratioText(ratio: number): string {
  return ratio > 0 && ratio < 0.1
    ? `and the recorded one is ${formatNumber(1 / ratio)} times as long`
    : `${formatNumber(ratio)} times the recorded`;
}

function outages(model: ReportModel, { outages }: RecordedRun): Markup {
  if (outages.count === 0)
    return markup`<p>An outage is a time of two hours or more in which nothing ran although jobs waited.</p>`;
  const { unixStartSeconds } = model.input.workload;
  const shown = outages.longest
    .toSorted((a, b) => b.untilSeconds - b.fromSeconds - (a.untilSeconds - a.fromSeconds))
    .slice(0, SHOWN)
    .sort((a, b) => a.fromSeconds - b.fromSeconds);
  const isCut = outages.count > shown.length;
  const rows = shown.map(
    ({ fromSeconds, untilSeconds, jobsWaiting }) =>
      markup`<tr><th scope="row">${instantText(fromSeconds, unixStartSeconds)}</th>${numberCell(formatDuration(untilSeconds - fromSeconds))}${numberCell(formatCount(jobsWaiting))}</tr>`,
  );
  return markup`<p>Nothing ran although jobs waited for ${formatDuration(outages.seconds)} in all: most likely the farm was down, or kept free. That is ${formatShare(outages.waitShare)} of all recorded waiting, and no policy could have changed it.</p>${tableOf(
    `${isCut ? `The ${shown.length} longest times` : "The times"} in which nothing ran although jobs waited.`,
    [{ title: "From" }, { title: "For", numeric: true }, { title: "Jobs waiting", numeric: true }],
    [markup`<tbody>${rows}</tbody>`],
  )}`;
}

function correlationText(value: number): string {
  return value.toFixed(2).replace("-", "−");
}
