import type { ReportInput, WorkloadFacts } from "../../report/index.ts";
import { markup } from "../../report/markup.ts";
import type { ReportModel } from "../../report/model.ts";
import { claimsSection } from "../../report/sections/claims.ts";
import { winsSection } from "../../report/sections/wins.ts";
import { workloadSection } from "../../report/sections/workload.ts";
import { style } from "../../report/style.ts";

/** The report's chapters that speak of no simulated run. */
const sections = [winsSection, workloadSection, claimsSection];

/** What the page shows: of a report's input, all that is not about runs. */
export interface PageInput extends Omit<ReportInput, "runs" | "workload" | "machines" | "baseline"> {
  readonly workload: Pick<WorkloadFacts, "name" | "synthetic" | "jobs">;
}

/**
 * The page of a study that simulates nothing. `renderReport` begins with a verdict
 * on runs and refuses an input without any; its chapters and its look are used here.
 */
export function renderPageWithoutRuns(input: PageInput): string {
  const model = modelWithoutRuns(input);
  const chapters = sections
    .map((section) => ({ ...section, body: section.render(model) }))
    .filter(({ body }) => body.text !== "")
    .map(({ id, title, body }) => markup`<section id="${id}"><h2>${title}</h2>${body}</section>\n`);
  const settings = (input.settings ?? []).map(({ name, value }) => markup`<dt>${name}</dt><dd>${value}</dd>`);
  const synthetic = input.workload.synthetic ? "The workload is synthetic, not a real log." : "";
  const page = markup`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><meta name="generator" content="Croft ${input.version}"><title>${input.title}</title><style>${{ text: style }}</style></head>
<body><header><h1>${input.title}</h1><p>${synthetic}</p></header>
<main>
${chapters}<section id="method"><h2>How to make this again</h2><dl>${settings}</dl><pre><code>${input.command}</code></pre><p>Croft ${input.version}. The same command on the same files gives the same report.</p></section>
</main></body></html>
`;
  return page.text;
}

/** Those chapters look at nothing else of the model. */
function modelWithoutRuns(input: PageInput): ReportModel {
  const origin = input.workload.synthetic ? " Synthetic workload, not a real log." : "";
  return { input, origin, load: { runs: [] } } as unknown as ReportModel;
}
