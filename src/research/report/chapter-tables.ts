import { figureNames, type ChapterFigure, type ChapterResult, type ChaptersResult } from "../study/index.ts";
import type { FigureTable } from "./input.ts";
import { formatChange } from "../../report/numbers.ts";

const scenarioNames = { normal: "normal", "high-load": "high", "high-suspension": "suspended" } as const;

/** As short as a cell has to be. */
const verdictNames = {
  better: "better",
  worse: "worse",
  "no difference": "same",
  "cannot be judged": "?",
} as const;

/** How the verdicts in the tables came about. */
export function verdictNote(weeks: number): string {
  return weeks === 1
    ? "Compared with the first line of the same load: better or worse by more than 5 %, else the same; ?: not in all runs. From one week alone nothing can be said of chance."
    : `Compared with the first line of the same load, week by week: better or worse where the 95 % interval over ${weeks} weeks lies on one side of 0, else the same; ?: not in all weeks.`;
}

/** The table of a chapter that was tried. Times are mean minutes. */
export function chapterTable({ name, question, source, limits, rows }: ChapterResult): FigureTable {
  const figures = Object.keys(rows[0]!.figures) as ChapterFigure[];
  return {
    caption: `${name}: ${question} (${source}) ${limits}`,
    head: [
      "",
      "load",
      ...figures.flatMap((figure, i) => [figureNames[figure], ...(i === 0 ? ["difference"] : [])]),
    ],
    rows: rows.map((row) => [
      row.variant,
      scenarioNames[row.scenario],
      ...figures.flatMap((figure, i) => [
        cell(row, figure),
        ...(i === 0 ? [row.isBaseline ? "" : differenceText(row, figure)] : []),
      ]),
    ]),
  };
}

/** Chapters that were not tried, and why; null: there is none. */
function untriedTable({ chapters }: ChaptersResult): FigureTable | null {
  const untried = chapters.filter(({ notTried }) => notTried !== null);
  if (untried.length === 0) return null;
  return {
    caption: "Not tried.",
    head: ["chapter", "question", "source", "why not"],
    rows: untried.map(({ name, question, source, notTried }) => [name, question, source, notTried!]),
    isText: true,
  };
}

/** All of them, for a page. */
export function chapterTables(result: ChaptersResult): FigureTable[] {
  const untried = untriedTable(result);
  const tried = result.chapters.filter(({ notTried }) => notTried === null);
  return [...tried.map(chapterTable), ...(untried === null ? [] : [untried])];
}

type Row = ChapterResult["rows"][number];

function cell({ figures, isBaseline }: Row, figure: ChapterFigure): string {
  const { mean, verdict } = figures[figure]!;
  const value = mean === null ? "–" : mean.toFixed(1);
  return isBaseline ? value : `${value} ${verdictNames[verdict]}`;
}

/** With its interval; where there is none, as a part of the baseline's. */
function differenceText({ figures }: Row, figure: ChapterFigure): string {
  const { mean, difference, margin } = figures[figure]!;
  if (mean === null || difference === null) return "–";
  if (margin === null) return difference === 0 ? "0 %" : formatChange(difference / (mean - difference));
  const sign = difference < 0 ? "−" : "+";
  return `${sign}${Math.abs(difference).toFixed(1)} ± ${margin.toFixed(1)}`;
}
