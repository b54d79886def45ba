import { expect, test } from "vitest";

import { simulate, type RunResult } from "../../simulation/index.ts";
import { aFarm, aWorkload } from "../../simulation/workload.fixture.ts";
import { backfillsConservatively, unattainable } from "./attainable.ts";

const { result } = simulate(aWorkload([{}]), aFarm([{ cores: 1000, memory: 1 }]), { policy: "fcfs" });
const runs = ["fcfs", "first-fit", "easy", "easy-sjbf", "conservative", "max-jobs"].map(
  (policy): RunResult => ({ ...result, policy }),
);

test.each([
  ["slurm", ["easy-sjbf", "max-jobs"]],
  ["lsf", ["fcfs", "easy", "easy-sjbf", "max-jobs"]],
  ["kubernetes", ["first-fit", "easy", "easy-sjbf", "conservative", "max-jobs"]],
  ["grid-engine", ["fcfs", "easy-sjbf", "max-jobs"]],
  ["htcondor", ["first-fit", "easy", "easy-sjbf", "conservative", "max-jobs"]],
  ["swf", []],
  [undefined, []],
])("the batch system of a log of %s cannot do all", (format, names) => {
  expect(Object.keys(unattainable(format, runs, true))).toEqual(names);
});

test("LSF alone backfills conservatively instead of EASY", () => {
  expect(["lsf", "slurm", "pbs", "kubernetes", "swf", undefined].map(backfillsConservatively)).toEqual([
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test("what it does instead is said", () => {
  expect(unattainable("lsf", runs, true)["easy"]).toBe(
    "it reserves for every waiting parallel job, which is nearer to conservative.",
  );
});
