import { lineChart } from "../charts/line-chart.ts";
import { markup, none } from "../markup.ts";
import type { PageModel } from "../model.ts";
import { figure, grid, type Section } from "./parts.ts";

export const curvesSection: Section<PageModel> = {
  id: "curves",
  title: "Charts",
  render(model) {
    const { curves = [] } = model.input;
    if (curves.length === 0) return none;
    const charts = curves.map(({ caption, x, y, series }, i) => {
      const chart = lineChart(
        {
          x: { title: x, quantity: "number" },
          y: { title: y, quantity: "number" },
          series: series.map(({ name, points }, index) => ({ name, points, index, emphasized: false })),
        },
        {
          id: `curves-${i}`,
          title: caption,
          description: `${y} against ${x}: ${series.map(({ name }) => name).join(", ")}. The table has the figures.`,
        },
      );
      return figure(model, chart, caption);
    });
    return markup`${grid(charts)}`;
  },
};
