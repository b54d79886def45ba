import { barChart } from "../charts/bar-chart.ts";
import type { Markup } from "../markup.ts";
import { mostly } from "../finding.ts";
import { formatPercent, formatShare } from "../numbers.ts";
import { figure } from "./parts.ts";

/** Ends the caption of every chart of wins. */
export const tied =
  "The dark part was won alone, the rest tied with others: each of those that tie is counted, so that the sum may exceed 100 %.";

/** The share of contests that each heuristic won, and the part of it that it won alone. */
export interface Wins {
  readonly wins: Readonly<Record<string, number>>;
  readonly soleWins: Readonly<Record<string, number>>;
}

/** The share of contests that each heuristic won, the most successful first. */
export function winsChart(id: string, title: string, { wins, soleWins }: Wins, caption: string): Markup {
  const bars = Object.entries(wins)
    .map(([name, value]) => {
      const alone = soleWins[name] ?? 0;
      return { name, value, part: alone, text: `${formatShare(value)}, ${formatPercent(alone)} alone` };
    })
    .sort((a, b) => b.value - a.value);
  const description = mostly(bars);
  return figure(barChart({ title, quantity: "share", bars }, { id, title, description }), caption);
}
