import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { barChart } from "../charts/bar-chart.ts";
import { inventInput } from "../report.fixture.ts";
import { renderReport, reportFigures } from "../report.ts";
import { figurePdf } from "./pdf.ts";
import { heightOf, standaloneSvg } from "./standalone.ts";
import { csvText, latexText, resultData, resultLatex } from "./tables.ts";

const input = inventInput();
const figures = reportFigures(input);

test("every chart of the page is a figure, each with its own name", () => {
  const drawn = Array.from(renderReport(input).matchAll(/<svg class="chart"/g)).length;
  expect(figures.length).toBe(drawn);
  expect(new Set(figures.map(({ id }) => id)).size).toBe(drawn);
});

test.each(figures.map((figure) => [figure.id, figure] as const))(
  "%s stands alone: no style sheet, no variable, nothing without a value",
  (_, figure) => {
    const svg = standaloneSvg(figure);
    expect(svg).not.toMatch(/class=|var\(|undefined|NaN/);
    expect(svg).toContain(`viewBox="0 0 ${figure.width} ${heightOf(figure)}"`);
    const open = svg.match(/<(\w+)(?=[ >])(?:[^>]*[^/])?>/g)?.length;
    expect(open).toBe(svg.match(/<\/\w+>/g)?.length);
  },
);

test.each(figures.map((figure) => [figure.id, figure] as const))(
  "%s has its data, a value a column in each row",
  (_, { data }) => {
    expect(data.rows.length).toBeGreaterThan(0);
    for (const row of data.rows) expect(row.length).toBe(data.columns.length);
  },
);

test("what its marks mean is in the file where the page says it beside the chart", () => {
  const spread = figures.find(({ id }) => id === "waits-spread")!;
  for (const name of ["median", "90 %", "longest"]) expect(standaloneSvg(spread)).toContain(name);
});

test("a PDF is one page of the figure's size, and the same each time", async () => {
  const figure = figures[0];
  const pdf = await figurePdf(figure);
  const text = Buffer.from(pdf).toString("latin1");
  expect(text.startsWith("%PDF-1.")).toBe(true);
  expect(text).toContain(`/MediaBox [0 0 ${figure.width} ${heightOf(figure)}]`);
  expect(Buffer.from(await figurePdf(figure)).equals(pdf)).toBe(true);
});

test.each(figures.map((figure) => [figure.id, figure] as const))(
  "%s is drawn as a PDF without complaint, also where it says at most and at least",
  async (_, figure) => {
    const warn = vi.spyOn(console, "warn").mockReturnValue();
    const spelled = { ...figure, svg: figure.svg.replace("</title>", " ≤ 2 ≥ 1 − 1 &amp; &lt;</title>") };
    const blank = await figurePdf({ ...figure, svg: "<svg></svg>", legend: [] });
    for (const each of [figure, spelled])
      expect((await figurePdf(each)).length).toBeGreaterThan(blank.length + 100);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  },
);

test("a hostile name stays text", () => {
  const bars = [{ name: `</text><script>&"`, value: 1, text: "1" }];
  const chart = barChart(
    { title: "<t>", quantity: "number", bars },
    { id: "x", title: "<t>", description: "" },
  );
  expect(chart.figures?.map(standaloneSvg).join("")).not.toContain("<script>");
});

test("the results are exact in CSV and rounded in LaTeX", () => {
  const { columns, rows } = resultData(input);
  const wait = columns.indexOf("Mean wait (s)");
  const run = input.runs.find(
    ({ policy, offeredLoad }) => policy === rows[1][0] && offeredLoad === rows[1][1],
  )!;
  expect(rows[1][wait]).toBe(run.waitMeanSeconds);
  const latex = resultLatex(input);
  expect(latex).toMatch(/^\\begin\{tabular\}\{lr+\}\n/);
  const body = latex.split("\n").filter((line) => line.includes("&"));
  expect(new Set(body.map((line) => line.match(/(?<!\\)&/g)!.length)).size).toBe(1);
});

test("LaTeX text has no letter that LaTeX would act on", () => {
  expect(latexText("a_b & 50 % #1 {x} ~^\\ −3")).toBe(
    "a\\_b \\& 50 \\% \\#1 \\{x\\} \\textasciitilde{}\\textasciicircum{}\\textbackslash{} $-$3",
  );
});

test("CSV comes back as it was", () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string(), { minLength: 2, maxLength: 2 })), (rows) => {
      const text = csvText({ columns: ["a", "b"], rows });
      const cells = Array.from(
        text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n\r]*))([,\n])/g),
        ([, quoted, plain]) => (quoted === undefined ? plain : quoted.replaceAll('""', '"')),
      );
      expect(cells).toEqual(["a", "b", ...rows.flat()]);
    }),
  );
});
