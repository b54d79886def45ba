import { metrics, type Figures, type Metric } from "../metrics.ts";
import { formatDuration, formatPercent, formatShare } from "../numbers.ts";
import { AS_IT_WAS } from "../reference.ts";
import { tabulate } from "../runs.ts";
import { isOwnPace } from "../verdict.ts";
import type { ReportInput } from "../input.ts";
import type { FigureData } from "./figure.ts";

/** A row of the results: a policy at a load, or the farm as it was. */
interface ResultRow {
  readonly policy: string;
  readonly offeredLoad: number;
  readonly run: Figures;
}

function resultRows({ runs, recorded }: Pick<ReportInput, "runs" | "recorded">): ResultRow[] {
  return tabulate(runs).loads.flatMap((load) => [
    ...(recorded !== undefined && isOwnPace(load)
      ? [{ policy: AS_IT_WAS, offeredLoad: load.offeredLoad, run: recorded }]
      : []),
    ...load.runs.map(({ policy, run }) => ({ policy, offeredLoad: load.offeredLoad, run })),
  ]);
}

/** The metrics that a row at least has. */
function shownOf(rows: readonly ResultRow[]): Metric[] {
  return metrics.filter((metric) => rows.some(({ run }) => metric.value(run) !== null));
}

/** The figures of all runs, exact: times in seconds, shares of 1. */
export function resultData(input: Pick<ReportInput, "runs" | "recorded">): FigureData {
  const rows = resultRows(input);
  const shown = shownOf(rows);
  return {
    columns: ["policy", "offered load (share)", ...shown.map((metric) => metric.title + unitOf(metric))],
    rows: rows.map(({ policy, offeredLoad, run }) => [
      policy,
      offeredLoad,
      ...shown.map((metric) => metric.value(run)),
    ]),
  };
}

function unitOf({ format }: Metric): string {
  if (format === formatDuration) return " (s)";
  return format === formatShare ? " (share)" : "";
}

/** The figures of all runs as a table of LaTeX, rounded as on the page; it needs no package. */
export function resultLatex(input: Pick<ReportInput, "runs" | "recorded">): string {
  const rows = resultRows(input);
  const shown = shownOf(rows);
  const lines = [
    ["Policy", "Load", ...shown.map(({ title }) => title)],
    ...rows.map(({ policy, offeredLoad, run }) => [
      policy,
      formatPercent(offeredLoad),
      ...shown.map((metric) => {
        const value = metric.value(run);
        return value === null ? "–" : metric.format(value);
      }),
    ]),
  ].map((cells) => `${cells.map(latexText).join(" & ")} \\\\`);
  const [head, ...body] = lines;
  const columns = `l${"r".repeat(shown.length + 1)}`;
  return [
    `\\begin{tabular}{${columns}}`,
    "\\hline",
    head,
    "\\hline",
    ...body,
    "\\hline",
    "\\end{tabular}",
    "",
  ].join("\n");
}

const inLatex: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "−": "$-$",
  "–": "--",
  "×": "$\\times$",
  "\u00a0": "~",
};

export function latexText(text: string): string {
  return text.replaceAll(/[\\~^<>−–×\u00a0#$%&_{}]/g, (letter) => inLatex[letter] ?? `\\${letter}`);
}

/** RFC 4180, with a line end of one character; what has no value is empty. */
export function csvText({ columns, rows }: FigureData): string {
  return [columns, ...rows].map((cells) => `${cells.map(csvCell).join(",")}\n`).join("");
}

function csvCell(value: string | number | null): string {
  const text = value === null || (typeof value === "number" && !Number.isFinite(value)) ? "" : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
