import { describe, expect, test } from "vitest";

import { workloadOf } from "./workload-of.ts";

const three = {
  submitSeconds: Float64Array.of(0, 5, 5),
  runtimeSeconds: Float64Array.of(1, 2, 3),
  coresMilli: Int32Array.of(1000, 1000, 2000),
};

describe("workloadOf", () => {
  test("has what it is given and nothing else", () => {
    const workload = workloadOf({ ...three, name: "mine", memoryMiB: Int32Array.of(1, 2, 3) });
    expect(workload).toMatchObject({ ...three, name: "mine", count: 3, synthetic: false, tasks: null });
    expect(workload.memoryMiB).toEqual(Int32Array.of(1, 2, 3));
  });

  test("refuses a column that is too short, coded or not", () => {
    expect(() => workloadOf({ ...three, memoryMiB: Int32Array.of(1, 2) })).toThrow(
      "column memoryMiB has 2 rows, submitSeconds 3",
    );
    const project = { codes: Int32Array.of(0), names: ["a"] };
    expect(() => workloadOf({ ...three, project })).toThrow("column project has 1 rows, submitSeconds 3");
  });

  test.each([
    ["submitSeconds", Float64Array.of(0, 7, 6), "row 2: submitSeconds must ascend"],
    ["submitSeconds", Float64Array.of(0, NaN, 6), "row 1: submitSeconds must ascend"],
    ["runtimeSeconds", Float64Array.of(-1, 0, 0), "row 0: runtimeSeconds must be 0 or more"],
    ["submitSeconds", Float64Array.of(0, 5, Infinity), "row 2: submitSeconds must ascend"],
    ["runtimeSeconds", Float64Array.of(1, Infinity, 0), "row 1: runtimeSeconds must be 0 or more"],
    ["runtimeSeconds", [1, 2, 3], "column runtimeSeconds must be a typed array"],
    ["coresMilli", Int32Array.of(1, 1, 0), "row 2: coresMilli must be 1 or more"],
    ["memoryMiB", Int32Array.of(1, -1, 0), "row 1: memoryMiB must be 0 or more"],
    ["tasks", Int32Array.of(1, 1, 0), "row 2: tasks must be 1 or more"],
    [
      "user",
      { codes: Int32Array.of(0, 1, 0), names: ["ann"] },
      "row 1: user has the code 1, and no name for it",
    ],
  ])("refuses %s of %s", (name, column, message) => {
    expect(() => workloadOf({ ...three, [name]: column })).toThrow(message);
  });
});
