import { formatCount } from "../../report/numbers.ts";
import { chaptersOf, renderPage } from "../../report/page.ts";
import { claimsSection } from "./sections/claims.ts";
import { methodSection } from "./sections/method.ts";
import {
  tablesSection,
  wasteSection,
  yearSection,
  type ReschedulingInput,
  type ReschedulingModel,
} from "./sections/rescheduling.ts";
import type { Section } from "../../report/sections/parts.ts";

const sections: readonly Section<ReschedulingModel>[] = [
  tablesSection,
  wasteSection,
  yearSection,
  claimsSection,
  methodSection,
];

/** The page of the study of rescheduling: the paper's tables and figures, ours beside them. */
export function renderReschedulingPage(input: ReschedulingInput): string {
  const { name, jobs } = input.workload;
  const on =
    input.result.ofLog === undefined
      ? `on ${formatCount(jobs)} synthetic jobs. The generator is fitted to Tables 1 and 2, and by a hand that saw the others too; the claims below say which of them are about fitted figures.`
      : `on ${formatCount(jobs)} jobs of ${name}. The published figures are of another farm.`;
  const overview = `The experiments of Zhang et al., "On the Feasibility of Dynamic Rescheduling on the Intel Distributed Computing Platform" (2010), ${on}`;
  return renderPage(input, overview, chaptersOf(sections, { input }));
}
