import { markup, none } from "../markup.ts";
import type { Markup } from "../markup.ts";
import type { PageModel } from "../model.ts";
import { formatCount } from "../numbers.ts";
import { grid } from "./parts.ts";
import type { Section } from "./parts.ts";
import { tied, winsChart } from "./wins-chart.ts";

export const bucketsSection: Section<PageModel> = {
  id: "buckets",
  title: "Which heuristics win buckets",
  render,
};

function render(model: PageModel): Markup {
  const { bucketWins } = model.input;
  if (bucketWins === undefined) return none;
  const chart = winsChart(
    "wins-buckets",
    "Buckets won",
    bucketWins,
    `Share of ${formatCount(bucketWins.buckets)} buckets of ${formatCount(bucketWins.jobs)} jobs in which a heuristic placed the most jobs into an empty pool. ${tied}`,
  );
  return markup`${grid([chart])}`;
}
