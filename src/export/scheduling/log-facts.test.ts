import { expect, it } from "vitest";

import { workloadOf } from "../../workload/workload-of.ts";
import { logFacts } from "./log-facts.ts";

const seconds = (...values: number[]): Float64Array => Float64Array.from(values);

it("takes the longest limit, the longest wait and how many usually wait", () => {
  // One waits from 10 to 100, a second one from 40 to 90; the log ends with the last start at 1000.
  const workload = workloadOf({
    name: "june",
    submitSeconds: seconds(0, 10, 40, 1000),
    runtimeSeconds: seconds(50, 5, 5, 5),
    coresMilli: Int32Array.of(1000, 1000, 1000, 1000),
    estimateSeconds: seconds(60, 3600, Number.NaN, 60),
    recordedWaitSeconds: seconds(0, 90, 50, 0),
  });
  expect(logFacts(workload)).toEqual({
    log: "june",
    longestSeconds: 3600,
    hasLimits: true,
    withoutLimitShare: 0.25,
    // Two wait for 50 s of 1000, which is 5 %: one or none for the rest.
    waiting: 1,
    longestWaitSeconds: 90,
    spanSeconds: 1000,
  });
});

it("takes run times where no job has a limit, and tells no waits that are not known", () => {
  const workload = workloadOf({
    submitSeconds: seconds(0, 10),
    runtimeSeconds: seconds(50, 70),
    coresMilli: Int32Array.of(1000, 1000),
  });
  expect(logFacts(workload)).toMatchObject({
    longestSeconds: 70,
    hasLimits: false,
    withoutLimitShare: 1,
    waiting: null,
    longestWaitSeconds: null,
  });
});
