import { lineChart } from "../../../report/charts/line-chart.ts";
import { extremes } from "../../../report/finding.ts";
import { markup, none } from "../../../report/markup.ts";
import type { StudyModel } from "../input.ts";
import { formatNumber } from "../../../report/numbers.ts";
import { figure, grid, type Section } from "../../../report/sections/parts.ts";

export const curvesSection: Section<StudyModel> = {
  id: "curves",
  title: "Charts",
  render(model) {
    const { curves = [] } = model.input;
    if (curves.length === 0) return none;
    const charts = curves.map(({ caption, x, y, series, isScattered = false }, i) => {
      const chart = lineChart(
        {
          x: { title: x, quantity: "number" },
          y: { title: y, quantity: "number" },
          isScattered,
          series: series.map(({ name, points }, index) => ({ name, points, index, emphasized: false })),
        },
        {
          id: `curves-${i}`,
          title: caption,
          description: `${y} against ${x}${isScattered ? ", the lowest of each" : ", at the right end"}. ${extremes(
            series.flatMap(({ name, points }) => {
              const value = isScattered ? Math.min(...points.map(([, at]) => at)) : points.at(-1)?.[1];
              return value === undefined ? [] : [{ name, value, text: formatNumber(value) }];
            }),
          )}`,
        },
      );
      return figure(chart, caption);
    });
    return markup`${grid(charts)}`;
  },
};
