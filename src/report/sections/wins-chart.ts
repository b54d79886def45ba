import { barChart } from "../charts/bar-chart.ts";
import type { Markup } from "../markup.ts";
import { mostly } from "../finding.ts";
import { formatShare } from "../numbers.ts";
import { figure } from "./parts.ts";

/** Ends the caption of every chart of wins. */
export const tied = "The sum may exceed 100 %: where several heuristics tie, each is counted.";

/** The share of contests that each heuristic won, the most successful first. */
export function winsChart(
  id: string,
  title: string,
  wins: Readonly<Record<string, number>>,
  caption: string,
): Markup {
  const bars = Object.entries(wins)
    .map(([name, value]) => ({ name, value, text: formatShare(value) }))
    .sort((a, b) => b.value - a.value);
  const description = mostly(bars);
  return figure(barChart({ title, quantity: "share", bars }, { id, title, description }), caption);
}
