import { markup, none } from "../../../report/markup.ts";
import type { Markup } from "../../../report/markup.ts";
import type { StudyModel } from "../input.ts";
import { formatCount } from "../../../report/numbers.ts";
import { grid } from "../../../report/sections/parts.ts";
import type { Section } from "../../../report/sections/parts.ts";
import { tied, winsChart } from "../../../report/sections/wins-chart.ts";

export const bucketsSection: Section<StudyModel> = {
  id: "buckets",
  title: "Which heuristics win buckets",
  render,
};

function render(model: StudyModel): Markup {
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
