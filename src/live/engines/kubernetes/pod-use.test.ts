import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Container, Pod } from "./objects.ts";
import { usedBy } from "./pod-use.ts";
import { mibOf, milliOf, valueOf } from "./quantity.ts";

describe("quantities", () => {
  it.each([
    ["1", 1],
    ["500m", 0.5],
    ["1.5", 1.5],
    [".5", 0.5],
    ["2e3", 2000],
    ["2E3", 2000],
    ["2E", 2e18],
    ["1Ki", 1024],
    ["1k", 1000],
    ["100n", 1e-7],
    ["nonsense", 0],
    [undefined, 0],
  ])("%s is %d", (text, value) => {
    expect(valueOf(text)).toBeCloseTo(value, 12);
  });

  it("are thousandths of cores, and MiB, without errors of rounding", () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (milli) => {
        expect(milliOf(`${milli}m`)).toBe(milli);
        expect(milliOf(String(milli / 1000))).toBe(milli);
        expect(mibOf(`${milli}Mi`)).toBe(milli);
      }),
    );
  });
});

describe("what a pod takes", () => {
  const container = (cpu: string, memory: string, restartPolicy?: string): Container => ({
    resources: { requests: { cpu, memory } },
    ...(restartPolicy === undefined ? {} : { restartPolicy }),
  });
  const use = (spec: Pod["spec"]) =>
    usedBy({ metadata: { name: "p", uid: "u", resourceVersion: "1" }, spec }, "nvidia.com/gpu");

  it("is the sum of its containers", () => {
    expect(use({ containers: [container("1", "1Gi"), container("500m", "24Mi")] })).toEqual({
      coresMilli: 1500,
      memoryMiB: 1048,
      gpuMilli: 0,
    });
  });

  it("is the largest step of its initialization, where that is more", () => {
    const initContainers = [container("4", "10Mi"), container("100m", "2Gi")];
    expect(use({ containers: [container("1", "1Gi")], initContainers })).toEqual({
      coresMilli: 4000,
      memoryMiB: 2048,
      gpuMilli: 0,
    });
  });

  it("has what runs beside it from the initialization on", () => {
    const initContainers = [
      container("1", "0", "Always"),
      container("4", "0"),
      container("1", "0", "Always"),
    ];
    expect(use({ containers: [container("2", "0")], initContainers }).coresMilli).toBe(5000);
    expect(use({ containers: [container("6", "0")], initContainers }).coresMilli).toBe(8000);
  });

  it("has limits for requests where there are none, GPUs, overhead, and what the pod as a whole requests", () => {
    const limited: Container = { resources: { limits: { cpu: "3", "nvidia.com/gpu": "2" } } };
    expect(use({ containers: [limited], overhead: { cpu: "250m" } })).toEqual({
      coresMilli: 3250,
      memoryMiB: 0,
      gpuMilli: 2000,
    });
    expect(use({ containers: [limited], resources: { requests: { cpu: "7" } } }).coresMilli).toBe(7000);
  });
});
