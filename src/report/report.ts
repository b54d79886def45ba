import type { Figure } from "./figures/figure.ts";
import type { ReportInput } from "./input.ts";
import { arrange } from "./model.ts";
import { counted, formatCapacity, formatCores, formatDuration } from "./numbers.ts";
import { bucketsSection } from "./sections/buckets.ts";
import { claimsSection } from "./sections/claims.ts";
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
import { chaptersOf, renderPage } from "./page.ts";

/** The report's chapters, in order. */
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
  bucketsSection,
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
  return renderPage(input, overview(input), chaptersOf(sections, model));
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
