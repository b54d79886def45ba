import { describe, expect, it } from "vitest";

import { readSettings } from "./settings.ts";

const LEAST = { namespace: "croft", image: "python:3.13" };

describe("the settings of a pool in a Kubernetes cluster", () => {
  it("have defaults for all but namespace and image", () => {
    expect(readSettings(LEAST)).toEqual({
      ...LEAST,
      kubeconfigPath: null,
      context: null,
      nodeSelector: {},
      tolerations: [],
      gpuResource: "nvidia.com/gpu",
      startPatienceSeconds: 300,
      unreachablePatienceSeconds: 300,
    });
  });

  it("have tolerations as a pod has them", () => {
    const tolerations = [
      { key: "pool", value: "batch", effect: "NoSchedule" },
      { key: "gpu" },
      { operator: "Exists" },
    ];
    expect(readSettings({ ...LEAST, tolerations }).tolerations).toEqual([
      { operator: "Equal", key: "pool", value: "batch", effect: "NoSchedule" },
      { operator: "Exists", key: "gpu" },
      { operator: "Exists" },
    ]);
  });

  it.each<[Record<string, unknown>, string]>([
    [{ namespace: undefined }, "namespace: give"],
    [{ namespace: "Not_One" }, "namespace: give"],
    [{ image: undefined }, "image: give"],
    [{ image: "a b" }, "image: give"],
    [{ kubeconfig: "relative" }, "kubeconfig: give the absolute path"],
    [{ schedule: "all" }, "schedule: pods of others are scheduled by croft schedule-pods"],
    [{ schedule: "some" }, "schedule: give one of own, all"],
    [{ gpuResource: "gpu" }, "gpuResource: give"],
    [{ nodeSelector: { a: 1 } }, "nodeSelector: a: give a text"],
    [{ tolerations: [{ value: "x" }] }, "tolerations 1: key: give"],
    [{ tolerations: [{ key: "k", operator: "Exists", value: "x" }] }, "value: leave it out"],
    [{ tolerations: [{ key: "k", seconds: 1 }] }, "seconds: there is no such setting"],
    [{ partition: "batch" }, "partition: there is no such setting"],
  ])("are refused: %j", (settings, message) => {
    expect(() => readSettings({ ...LEAST, ...settings })).toThrow(message);
  });
});
