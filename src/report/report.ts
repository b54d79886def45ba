import type { Figure } from "./figures/figure.ts";
import type { ReportInput } from "./input.ts";
import { arrange, type ReportModel } from "./model.ts";
import { counted, formatCapacity, formatCores, formatDuration } from "./numbers.ts";
import { fairnessSection } from "./sections/fairness.ts";
import { gainsSection } from "./sections/gains.ts";
import { loadSection } from "./sections/load.ts";
import { methodSection } from "./sections/method.ts";
import { nextSection } from "./sections/next.ts";
import { packingSection } from "./sections/packing.ts";
import type { Section } from "./sections/parts.ts";
import { policiesSection } from "./sections/policies.ts";
import { recordSection } from "./sections/record.ts";
import { summarySection } from "./sections/summary.ts";
import { surenessSection } from "./sections/sureness.ts";
import { suspensionsSection } from "./sections/suspensions.ts";
import { timeSection } from "./sections/time.ts";
import { verdictSection } from "./sections/verdict.ts";
import { waitsSection } from "./sections/waits.ts";
import { winsSection } from "./sections/wins.ts";
import { workloadSection } from "./sections/workload.ts";
import { chaptersOf, renderPage, type Chapter } from "./page.ts";

/** The report's chapters after the verdict, by what their readers want to know. */
const interests: readonly { readonly interest: string; readonly sections: readonly Section[] }[] = [
  { interest: "To decide", sections: [surenessSection, gainsSection, policiesSection] },
  { interest: "To set it up", sections: [nextSection, recordSection] },
  {
    interest: "To look closer",
    sections: [
      suspensionsSection,
      packingSection,
      loadSection,
      timeSection,
      waitsSection,
      fairnessSection,
      winsSection,
      summarySection,
      workloadSection,
      methodSection,
    ],
  },
];

/**
 * Renders runs as one HTML file that needs nothing else: no script, no
 * request, no font. The same input gives the same bytes.
 *
 * @param more chapters of others, after the verdict
 * @throws InputError where there is no run, or the baseline is not among the runs
 */
export function renderReport(input: ReportInput, more: readonly Chapter[] = []): string {
  const model = arrange(input);
  const [verdict, ...folded] = reportChapters(model);
  return renderPage(input, overview(input), [verdict!, ...more, ...folded]);
}

/** The charts of the page, in its order. */
export function reportFigures(input: ReportInput): readonly Figure[] {
  return reportChapters(arrange(input)).flatMap(({ body }) => body.figures ?? []);
}

function reportChapters(model: ReportModel): readonly Chapter[] {
  return [
    ...chaptersOf([verdictSection], model),
    ...interests.flatMap(({ interest, sections }) => chaptersOf(sections, model, interest)),
  ];
}

function overview(input: ReportInput): string {
  const { workload, machines } = input;
  const memory = machines.memoryMiB === null ? "" : ` and ${formatCapacity(machines.memoryMiB)} of memory`;
  const log = workload.synthetic ? "synthetic workload" : "log";
  return `${counted(workload.jobs, "job")} of the ${log} ${workload.name}, submitted over ${formatDuration(workload.spanSeconds)}, on ${counted(machines.count, "machine")} with ${formatCores(machines.coresMilli)} cores${memory}.`;
}
