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

  test("takes an optional column of undefined as absent", () => {
    const missing: object = { memoryMiB: undefined };
    expect(workloadOf({ ...three, ...missing }).memoryMiB).toBeNull();
  });

  test("refuses a column that is too short, coded or not", () => {
    expect(() => workloadOf({ ...three, memoryMiB: Int32Array.of(1, 2) })).toThrow(
      "column memoryMiB has 2 rows, submitSeconds 3",
    );
    const project = { codes: Int32Array.of(0), names: ["a"] };
    expect(() => workloadOf({ ...three, project })).toThrow("column project has 1 rows, submitSeconds 3");
  });

  test.each([
    ["submitSeconds", Float64Array.of(0, 7, 6), "row 2: submitSeconds must be in ascending order"],
    ["submitSeconds", Float64Array.of(0, NaN, 6), "row 1: submitSeconds must be in ascending order"],
    [
      "submitSeconds",
      Float64Array.of(-Infinity, 0, 6),
      "row 0: submitSeconds must be in ascending order, and at",
    ],
    [
      "submitSeconds",
      Float64Array.of(0, 5, 1e13),
      "row 2: submitSeconds must be in ascending order, and at most",
    ],
    ["submitSeconds", undefined, "column submitSeconds is missing"],
    ["runtimeSeconds", Float64Array.of(-1, 0, 0), "row 0: runtimeSeconds must be 0 to 1000000000000"],
    ["runtimeSeconds", Float64Array.of(1, Infinity, 0), "row 1: runtimeSeconds must be 0 to 1000000000000"],
    ["runtimeSeconds", [1, 2, 3], "column runtimeSeconds must be a Float64Array"],
    ["coresMilli", Int32Array.of(1, 1, 0), "row 2: coresMilli must be 1 or more"],
    ["memoryMiB", Int32Array.of(1, -1, 0), "row 1: memoryMiB must be 0 or more"],
    ["memoryMiB", [1, 2], "column memoryMiB must be an Int32Array"],
    ["tasks", Int32Array.of(1, 1, 0), "row 2: tasks must be 1 or more"],
    ["tasks", Float64Array.of(NaN, 1, 1), "column tasks must be an Int32Array"],
    [
      "estimateSeconds",
      Float64Array.of(NaN, -1, 1),
      "row 1: estimateSeconds must be 0 to 1000000000000, or NaN",
    ],
    [
      "user",
      { codes: Int32Array.of(0, 1, 0), names: ["ann"] },
      "row 1: user has the code 1, and no name for it",
    ],
    ["user", ["ann", "ann", "bob"], "column user must be { codes, names }"],
    ["estimate", Float64Array.of(1, 1, 1), "there is no column estimate"],
    ["farm", { maxRuntimeSeconds: NaN }, "farm.maxRuntimeSeconds must be 0 to 1000000000000"],
  ])("refuses %s of %s", (name, column, message) => {
    expect(() => workloadOf({ ...three, [name]: column })).toThrow(message);
  });
});
