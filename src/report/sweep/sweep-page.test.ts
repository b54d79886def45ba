import { expect, test } from "vitest";

import { renderSweepPage } from "./sweep-page.ts";
import { inventSweep } from "./sweep.fixture.ts";

const sweep = inventSweep();

test("the log's own load and estimates are called that, not log", () => {
  const page = renderSweepPage(sweep);
  expect(page).toContain("Mean waits at each log&#39;s own load, at 0.8 and at 0.9.");
  expect(page).toMatch(/, load (as logged|0\.[89]), estimates (as logged|exact)\)/);
  expect(page).not.toMatch(/load log|estimates log/);
});

test("which jobs of a log were taken stands beside its machines", () => {
  const [log, ...more] = sweep.logs;
  const page = renderSweepPage({ ...sweep, logs: [{ ...log, part: "the first 500 jobs" }, ...more] });
  expect(page).toContain("8x8c32g; the first 500 jobs");
  expect(renderSweepPage(sweep)).not.toContain("8x8c32g;");
});
