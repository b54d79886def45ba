import { describe, expect, test } from "vitest";
import type { Markup } from "../markup.ts";
import { barChart } from "./bar-chart.ts";
import type { ChartOptions } from "./frame.ts";
import { intervalChart } from "./interval-chart.ts";
import { lineChart } from "./line-chart.ts";
import { percentileChart } from "./percentile-chart.ts";
import { timeline } from "./timeline.ts";

/** Every kind of chart, drawn from one list of values. */
const kinds: Readonly<
  Record<string, (values: readonly number[], options: ChartOptions, name?: string) => Markup>
> = {
  bars: (values, options, name) =>
    barChart(
      {
        title: "Wait",
        quantity: "seconds",
        bars: values.map((value, i) => ({ name: name ?? `p${i}`, value, text: "" })),
      },
      options,
    ),
  intervals: (values, options, name) =>
    intervalChart(
      {
        title: "Change",
        rows: values.map((value, index) => ({
          name: name ?? `p${index}`,
          index,
          value,
          interval: index % 2 === 0 ? { low: -value, high: value } : null,
        })),
      },
      options,
    ),
  lines: (values, options) =>
    lineChart(
      {
        x: { title: "Load", quantity: "share" },
        y: { title: "Wait", quantity: "seconds" },
        series: [0, 1].map((index) => ({
          name: `p${index}`,
          index,
          emphasized: index === 0,
          points: values.map((value, i): [number, number] => [i, value]),
        })),
      },
      options,
    ),
  "lines from zero": (values, options) =>
    lineChart(
      {
        x: { title: "Time", quantity: "number", isFromZero: true },
        y: { title: "Wait", quantity: "seconds" },
        isWide: true,
        series: [0, 1].map((index) => ({
          name: `p${index}`,
          index,
          emphasized: index === 0,
          points: values.map((value): [number, number] => [value, value]),
        })),
      },
      options,
    ),
  percentiles: (values, options, name = "p") =>
    percentileChart(
      { title: "Wait", quantity: "seconds", percentiles: values.map(String), rows: [{ name, values }] },
      options,
    ),
  timeline: (values, options) =>
    timeline(
      {
        size: "panel",
        heading: "p",
        untilSeconds: values.length * 60,
        top: Math.max(0, ...values),
        quantity: "number",
        lines: [
          {
            name: "l",
            timeSeconds: values.map((_, i) => i * 60),
            values,
            index: 0,
            dash: "",
            summary: "maximum",
          },
        ],
      },
      options,
    ),
};

const data: Readonly<Record<string, readonly number[]>> = {
  nothing: [],
  "one value": [3],
  zeros: [0, 0, 0],
  "orders of magnitude": [0, 1e-3, 1, 1e6],
  "the largest numbers": [Number.MAX_VALUE, 1],
  "the smallest numbers": [Number.MIN_VALUE, 0],
  "no numbers": [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
};

describe.each(Object.entries(kinds))("%s", (kind, draw) => {
  test.each(Object.entries(data))("of %s are drawn without a hole", (_, values) => {
    const options = { id: kind, title: "A <title>", description: "what it shows" };
    const { text } = draw(values, options);
    expect(text.match(/NaN|Infinity|undefined/g)).toBeNull();
    expect(text).toMatch(/^<svg [^>]*role="img"/);
    expect(text).toContain(`<title id="${kind}-t">A &lt;title&gt;</title>`);
    expect(text).toContain(`<desc id="${kind}-d">what it shows</desc>`);
  });
});

test.each([
  { waits: [10, 20], scale: "linear" },
  { waits: [10, 90_000], scale: "logarithmic" },
])("of two lines the one with the longer wait ends higher, $scale", ({ waits }) => {
  const series = waits.map((wait, index) => ({
    name: `p${index}`,
    index,
    emphasized: false,
    points: [[0.5, 1] as const, [0.9, wait] as const],
  }));
  const { text } = lineChart(
    { x: { title: "", quantity: "share" }, y: { title: "", quantity: "seconds" }, series },
    { id: "c", title: "", description: "" },
  );
  const ends = [...text.matchAll(/class="line" d="M[^L]*L[\d.]+,([\d.]+)"/g)].map((match) =>
    Number(match[1]),
  );
  expect(ends).toHaveLength(2);
  expect(ends[1]).toBeLessThan(ends[0]);
});

test("names too long for a line stand whole, on two", () => {
  for (const draw of [kinds.bars, kinds.intervals, kinds.percentiles]) {
    const { text } = draw([3], { id: "c", title: "", description: "" }, "conservative/best-fit-cores");
    expect(text).toMatch(/<tspan [^>]*>conservative\/<\/tspan><tspan [^>]*>best-fit-cores<\/tspan>/);
  }
});

test("the title of an axis that is longer than the chart stands whole, on two lines", () => {
  const title = "Mean wait against first-fit without reservations";
  const draw = (name: string): string =>
    intervalChart(
      { title: name, rows: [{ name: "p", index: 0, value: 0.1, interval: null }] },
      { id: "c", title: "", description: "" },
    ).text;
  const lines = [...draw(title).matchAll(/class="axis"[^>]*>([^<]*)</g)].map(([, text]) => text);
  expect(lines).toHaveLength(2);
  expect(lines.join(" ")).toBe(title);
  const height = (text: string): number => Number(/viewBox="0 0 \d+ (\d+)"/.exec(text)![1]);
  expect(height(draw(title))).toBeGreaterThan(height(draw("Change")));
});

test("an interval that goes on beyond the picture ends in an arrow, others in a cap", () => {
  const { text } = intervalChart(
    {
      title: "Change",
      rows: [
        { name: "p", index: 0, value: 0.1, interval: { low: -0.05, high: 4 } },
        { name: "q", index: 1, value: -0.1, interval: { low: -0.15, high: 0.1 } },
      ],
    },
    { id: "c", title: "", description: "" },
  );
  const marks = [...text.matchAll(/class="whisker" d="M[\d.]+ [\d.]+([vLH])/g)].map(([, kind]) => kind);
  expect(marks).toEqual(["H", "v", "L", "H", "v", "v"]);
});

test("a bar whose value is not known has its name and no mark", () => {
  const { text } = kinds.bars([Number.NaN, 10, 9000], { id: "c", title: "", description: "" });
  expect(text.match(/class="label"/g)).toHaveLength(3);
  expect(text.match(/class="leader"/g)).toHaveLength(2);
});

test("labels at the end of lines that meet do not lie on each other", () => {
  const { text } = lineChart(
    {
      x: { title: "", quantity: "share" },
      y: { title: "", quantity: "seconds" },
      series: Array.from({ length: 24 }, (_, index) => ({
        name: `p${index}`,
        index,
        emphasized: false,
        points: [[0.9, 60]],
      })),
    },
    { id: "c", title: "", description: "" },
  );
  const heights = [...text.matchAll(/class="label" x="[\d.]+" y="([\d.]+)"/g)].map((match) =>
    Number(match[1]),
  );
  heights.sort((a, b) => a - b);
  expect(heights).toHaveLength(24);
  for (let i = 1; i < heights.length; i++) expect(heights[i] - heights[i - 1]).toBeGreaterThanOrEqual(13.9);
});
