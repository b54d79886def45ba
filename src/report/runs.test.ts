import { expect, test } from "vitest";
import { inventRun } from "./report.fixture.ts";
import { chooseBaseline, tabulate } from "./runs.ts";

const run = (policy: string, load: number, more: object = {}) => ({
  ...inventRun(policy, 0, load, 1),
  ...more,
});

test("loads rise, policies keep the order in which they first appear", () => {
  const { policies, loads } = tabulate([
    run("mix-fit", 0.9),
    run("first-fit", 0.9),
    run("first-fit", 0.6),
    run("mix-fit", 0.6),
  ]);
  expect(policies).toEqual(["mix-fit", "first-fit"]);
  expect(loads.map((load) => load.offeredLoad)).toEqual([0.6, 0.9]);
  for (const load of loads)
    expect(load.runs.map((row) => [row.policy, row.index])).toEqual([
      ["mix-fit", 0],
      ["first-fit", 1],
    ]);
});

test("settings that differ become part of the policy's name", () => {
  const byInterval = [run("mix-fit", 0.9), run("mix-fit", 0.9, { intervalSeconds: 10 })];
  expect(tabulate(byInterval).policies).toEqual(["mix-fit, every 30 s", "mix-fit, every 10 s"]);
  const byEstimate = [
    run("first-fit", 0.9),
    run("easy", 0.9, { estimates: "user" }),
    run("easy", 0.9, { estimates: "exact" }),
  ];
  expect(tabulate(byEstimate).policies).toEqual([
    "first-fit",
    "easy, user estimates",
    "easy, exact estimates",
  ]);
});

test("a policy that was not run at every load leaves a gap, not a shift", () => {
  const { loads } = tabulate([run("a", 0.6), run("b", 0.6), run("b", 0.9)]);
  expect(loads[1].runs.map((row) => [row.policy, row.index])).toEqual([["b", 1]]);
});

test("the baseline is the named one, else first-fit, else the first", () => {
  const table = tabulate([run("mix-fit", 0.9), run("first-fit", 0.9)]);
  expect(chooseBaseline(table)).toBe("first-fit");
  expect(chooseBaseline(table, "mix-fit")).toBe("mix-fit");
  expect(chooseBaseline(tabulate([run("b", 0.9), run("a", 0.9)]))).toBe("b");
});
