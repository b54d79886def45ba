import type { Figure } from "./figures/figure.ts";
import type { ReportInput } from "./input.ts";
import { arrange } from "./model.ts";
import { counted, formatCapacity, formatCores, formatDuration } from "./numbers.ts";
import { fairnessSection } from "./sections/fairness.ts";
import { gainsSection } from "./sections/gains.ts";
import { loadSection } from "./sections/load.ts";
import { methodSection } from "./sections/method.ts";
import { nextSection } from "./sections/next.ts";
import { packingSection } from "./sections/packing.ts";
import type { Section } from "./sections/parts.ts";
import { recordSection } from "./sections/record.ts";
import { summarySection } from "./sections/summary.ts";
import { suspensionsSection } from "./sections/suspensions.ts";
import { timeSection } from "./sections/time.ts";
import { verdictSection } from "./sections/verdict.ts";
import { waitsSection } from "./sections/waits.ts";
import { winsSection } from "./sections/wins.ts";
import { workloadSection } from "./sections/workload.ts";
import { chaptersOf, renderPage, type Chapter } from "./page.ts";

/** The report's chapters, in order; how to read and to make it again comes last. */
const sections: readonly Section[] = [
  verdictSection,
  recordSection,
  gainsSection,
  nextSection,
  summarySection,
  suspensionsSection,
  packingSection,
  loadSection,
  timeSection,
  winsSection,
  waitsSection,
  fairnessSection,
  workloadSection,
];

/**
 * Renders runs as one HTML file that needs nothing else: no script, no
 * request, no font. The same input gives the same bytes.
 *
 * @param more chapters of others, before the last one
 * @throws InputError where there is no run, or the baseline is not among the runs
 */
export function renderReport(input: ReportInput, more: readonly Chapter[] = []): string {
  const model = arrange(input);
  const chapters = [...chaptersOf(sections, model), ...more, ...chaptersOf([methodSection], model)];
  return renderPage(input, overview(input), chapters);
}

/** The charts of the page, in its order. */
export function reportFigures(input: ReportInput): readonly Figure[] {
  return chaptersOf(sections, arrange(input)).flatMap(({ body }) => body.figures ?? []);
}

function overview(input: ReportInput): string {
  const { workload, machines } = input;
  const memory = machines.memoryMiB === null ? "" : ` and ${formatCapacity(machines.memoryMiB)} of memory`;
  const log = workload.synthetic ? "synthetic workload" : "log";
  return `${counted(workload.jobs, "job")} of the ${log} ${workload.name}, submitted over ${formatDuration(workload.spanSeconds)}, on ${counted(machines.count, "machine")} with ${formatCores(machines.coresMilli)} cores${memory}.`;
}
