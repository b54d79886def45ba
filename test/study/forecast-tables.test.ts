import { expect, test } from "vitest";

import { forecastParts, scoresTable, tenthsTable, withTable } from "../../scripts/forecast-tables.ts";
import type { ForecastResult, ForecastRow } from "../../src/research/study/index.ts";

const row = (method: ForecastRow["method"], crpsSeconds: number): ForecastRow => ({
  method,
  coverage50: 0.5,
  coverage80: 0.81,
  coverage95: 0.9,
  pinballLossSeconds: crpsSeconds / 2,
  crpsSeconds,
  medianAbsoluteErrorSeconds: 60,
  within1Minute: 0.5,
  within10Minutes: 0.75,
  width80Seconds: 7200,
  revisionMedianSeconds: 30,
});
const result: ForecastResult = {
  rows: [row("croft", 120), row("mean", 600), row("quantile", 240)],
  jobs: 300,
  independentJobs: 100,
  deciles: [0.8, 0.88, 0.5].map((coverage80) => ({
    coverage50: 0.5,
    coverage80,
    coverage95: 0.95,
    waitMedianSeconds: 3600,
  })),
};

test("the tables of forecasts name the best other method, and how well a coverage is known", () => {
  const measured = [[forecastParts[0], result]] as const;
  expect(scoresTable(measured).split("\n")[2].replaceAll("\u00a0", " ")).toBe(
    "| KTH-SP2 | 300 | 100 | 16 | 50.0 ± 5.0 | 81.0 ± 4.0 | 90.0 ± 2.2 | 1.00 min | 2.00 min | `quantile` | 2.00 min | 4.00 min | 1.00 min | 75.0 % | 2.00 h | 30.0 s |",
  );
  expect(tenthsTable(measured).split("\n")[2].replaceAll("\u00a0", " ")).toBe(
    "| KTH-SP2 | 2 of 3 | 50 % around 1.00 h |",
  );
});

test("a table takes the place of the one before, and no other place", () => {
  const page = "a\n<!-- scores -->\nold\n<!-- end of scores -->\nb";
  const once = withTable(page, "scores", "new");
  expect(once).toBe("a\n<!-- scores -->\n\nnew\n\n<!-- end of scores -->\nb");
  expect(withTable(once, "scores", "new")).toBe(once);
  expect(() => withTable(page, "tenths", "new")).toThrow("put both back");
});
