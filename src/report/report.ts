import type { ReportInput } from "./input.ts";
import { markup } from "./markup.ts";
import { arrange } from "./model.ts";
import { formatCount, formatDuration, formatMemory, formatNumber } from "./numbers.ts";
import { claimsSection } from "./sections/claims.ts";
import { fairnessSection } from "./sections/fairness.ts";
import { loadSection } from "./sections/load.ts";
import { methodSection } from "./sections/method.ts";
import type { Section } from "./sections/parts.ts";
import { summarySection } from "./sections/summary.ts";
import { timeSection } from "./sections/time.ts";
import { verdictSection } from "./sections/verdict.ts";
import { waitsSection } from "./sections/waits.ts";
import { winsSection } from "./sections/wins.ts";
import { workloadSection } from "./sections/workload.ts";
import { style } from "./style.ts";

/** The report's chapters, in order. */
const sections: readonly Section[] = [
  verdictSection,
  summarySection,
  loadSection,
  timeSection,
  winsSection,
  waitsSection,
  fairnessSection,
  workloadSection,
  claimsSection,
  methodSection,
];

/**
 * Renders a study as one HTML file that needs nothing else: no script, no
 * request, no font. The same input gives the same bytes.
 *
 * @throws InputError where there is no run, or the baseline is not among the runs
 */
export function renderReport(input: ReportInput): string {
  const model = arrange(input);
  const rendered = sections
    .map((section) => ({ ...section, body: section.render(model) }))
    .filter((section) => section.body.text !== "");
  const links = rendered.map((section) => markup`<a href="#${section.id}">${section.title}</a>`);
  const chapters = rendered.map(
    (section) => markup`<section id="${section.id}"><h2>${section.title}</h2>${section.body}</section>\n`,
  );
  // The policy forbids whatever could leave the page, should escaping ever fail.
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="generator" content="Croft ${input.version}"><title>${input.title}</title><style>${{ text: style }}</style></head>
<body><header><h1>${input.title}</h1><p>${overview(input)}</p><nav aria-label="Contents">${links}</nav></header>
<main>
${chapters}</main></body></html>
`;
  return page.text;
}

function overview(input: ReportInput): string {
  const { workload, machines } = input;
  const cores = formatNumber(machines.coresMilli / 1000);
  const memory = machines.memoryMiB === null ? "" : ` and ${formatMemory(machines.memoryMiB)} of memory`;
  return `${formatCount(workload.jobs)} jobs of the ${workload.synthetic ? "synthetic workload" : "log"} ${workload.name}, submitted over ${formatDuration(workload.spanSeconds)}, on ${formatCount(machines.count)} machines with ${cores} cores${memory}.`;
}
