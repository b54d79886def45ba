import { expect, test } from "vitest";
import type { RunResult } from "../../simulation/result.ts";
import { inventRun } from "../report.fixture.ts";
import { renderFarmPage } from "./page.ts";

/** A run of one slot that was pictured at these times. */
function pictured(policy: string, times: readonly number[], load = 0.9): RunResult {
  const frames = times.map((timeSeconds) => ({
    timeSeconds,
    states: "d",
    packingIndex: 1,
    fillFactor: 1,
  }));
  const wait = { jobs: 1, waitMeanSeconds: 0 };
  return {
    ...inventRun(policy, 0, load, 1),
    packing: {
      policy: "relaxed",
      families: [{ family: "queue=ams", packingIndexMean: 1, ...wait }],
      ordinary: wait,
    },
    farmFrames: { nodes: 1, slots: 1, frames },
  };
}

function timesOf(page: string): number[] {
  const [, data] = /id="data">(.*?)<\/script>/.exec(page)!;
  return (JSON.parse(data) as { times: number[] }).times;
}

test("the slider stops where pictures were taken, from the first time at which all farms have one", () => {
  const runs = [pictured("a", [1200, 2400, 3600]), pictured("b", [2400, 4800])];
  const page = renderFarmPage(runs, "log", false)!;
  expect(timesOf(page)).toEqual([2400, 3600, 4800]);
  expect(page).toContain('min="0" max="2" value="0"');
});

test("farms at several loads are told apart", () => {
  const page = renderFarmPage([pictured("a", [60], 0.7), pictured("a", [60], 0.9)], "log", false)!;
  const names = [...page.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, name]) => name.replaceAll("\u00a0", " "));
  expect(names).toEqual(["a, 70 % load", "a, 90 % load"]);
});

test("without pictures there is no page", () => {
  expect(renderFarmPage([inventRun("a", 0, 0.9, 1)], "log", false)).toBeNull();
});
