import { formatCount } from "../../report/numbers.ts";
import { chaptersOf, renderPage } from "../../report/page.ts";
import type { StudyInput, StudyModel } from "./input.ts";
import { bucketsSection } from "./sections/buckets.ts";
import { claimsSection } from "./sections/claims.ts";
import { curvesSection } from "./sections/curves.ts";
import { onlineSection } from "./sections/online.ts";
import { optimumSection } from "./sections/optimum.ts";
import { packingStudySection } from "./sections/packing-study.ts";
import type { Section } from "../../report/sections/parts.ts";
import { methodSection } from "./sections/method.ts";
import { tablesSection } from "./sections/tables.ts";
import { workloadSection } from "../../report/sections/workload.ts";

const sections: readonly Section<StudyModel>[] = [
  onlineSection,
  optimumSection,
  bucketsSection,
  packingStudySection,
  workloadSection,
  curvesSection,
  tablesSection,
  claimsSection,
  methodSection,
];

/** The page of a study that simulates nothing: same look, same chapters where they apply, no verdict. */
export function renderStudyPage(input: StudyInput): string {
  const { name, synthetic, jobs } = input.workload;
  const overview =
    input.overview ?? `${formatCount(jobs)} jobs of the ${synthetic ? "synthetic workload" : "log"} ${name}.`;
  return renderPage(input, overview, chaptersOf(sections, { input }));
}
