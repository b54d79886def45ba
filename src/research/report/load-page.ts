import type { ReportInput } from "../../report/input.ts";
import { chaptersOf } from "../../report/page.ts";
import { renderReport } from "../../report/report.ts";
import type { StudyInput } from "./input.ts";
import { bucketsSection } from "./sections/buckets.ts";
import { claimsSection } from "./sections/claims.ts";

/** The report of a study that simulates: that of `croft simulate`, with the chapters of a study that apply. */
export function renderLoadPage(input: ReportInput & StudyInput): string {
  return renderReport(input, chaptersOf([bucketsSection, claimsSection], { input }));
}
