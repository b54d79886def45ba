import { describe, expect, it } from "vitest";

import { podRequests } from "./requests.ts";

const GIB = 1024;
/** A container with requests of so many cores and GiB. */
const asks = (cpu: number, memory: number, more: object = {}) => ({
  resources: { requests: { cpu: String(cpu), memory: `${memory}Gi` } },
  ...more,
});
const sidecar = (cpu: number, memory: number, more: object = {}) =>
  asks(cpu, memory, { restartPolicy: "Always", ...more });

/** What is told of a pod besides. */
function requested(spec: unknown, status: unknown = {}) {
  const told: string[] = [];
  const requests = podRequests(spec, status, {
    unreadable: (text) => told.push(`unreadable ${text}`),
    notCounted: (name) => told.push(`not counted ${name}`),
    resized: () => told.push("resized"),
  });
  return { ...requests, told };
}

describe("a pod's requests", () => {
  it.each([
    ["one container", { containers: [asks(4, 4)] }, 4, 4],
    ["a container and a sidecar", { containers: [asks(4, 4)], initContainers: [sidecar(0.25, 1)] }, 4.25, 5],
    // 3 alone; then 0.5; then 1 + 0.5.
    [
      "an init container before a sidecar",
      { containers: [asks(1, 1)], initContainers: [asks(3, 1), sidecar(0.5, 1)] },
      3,
      2,
    ],
    // 0.5 first; then 3 + 0.5.
    [
      "an init container after a sidecar",
      { containers: [asks(1, 1)], initContainers: [sidecar(0.5, 1), asks(3, 1)] },
      3.5,
      2,
    ],
    // 0.5, 2 + 0.5, 0.5 + 1, 1 + 1.5, and 1 + 1.5 while it runs; memory 1, 4, 3, 4, 4.
    [
      "init containers between two sidecars",
      { containers: [asks(1, 1)], initContainers: [sidecar(0.5, 1), asks(2, 3), sidecar(1, 2), asks(1, 1)] },
      2.5,
      4,
    ],
    ["sidecars only while it starts", { containers: [{}], initContainers: [sidecar(2, 1)] }, 2, 1],
    ["requests of the pod", { containers: [{}], resources: { requests: { cpu: "6", memory: "8Gi" } } }, 6, 8],
    [
      "requests of the pod beside its containers'",
      {
        containers: [asks(2, 1), asks(1, 1)],
        initContainers: [asks(5, 1)],
        resources: { requests: { cpu: "6", memory: "8Gi" } },
      },
      6,
      8,
    ],
    [
      "a request of the pod of one resource",
      { containers: [asks(2, 1)], resources: { requests: { cpu: "6" } } },
      6,
      1,
    ],
    [
      "a limit of the pod, and requests of containers",
      { containers: [asks(2, 1)], resources: { limits: { cpu: "6", memory: "8Gi" } } },
      2,
      1,
    ],
    [
      "a limit of the pod alone",
      { containers: [{}], resources: { limits: { cpu: "6", memory: "8Gi" } } },
      6,
      8,
    ],
    [
      "overhead besides the requests of the pod",
      {
        containers: [{}],
        resources: { requests: { cpu: "6", memory: "8Gi" } },
        overhead: { cpu: "250m", memory: "1Gi" },
      },
      6.25,
      9,
    ],
    [
      "overhead besides an init container",
      { containers: [asks(1, 1)], initContainers: [asks(4, 1)], overhead: { cpu: "250m" } },
      4.25,
      1,
    ],
  ] as const)("with %s", (_what, spec, cores, gib) => {
    expect(requested(spec)).toEqual({ cores, memoryMiB: gib * GIB, gpus: 0, told: [] });
  });

  it("tell what is not counted", () => {
    const limits = { cpu: "2", "nvidia.com/mig-1g.10gb": "1", "nvidia.com/gpu": "1" };
    const { told, ...requests } = requested({
      containers: [{ resources: { limits } }],
      resourceClaims: [{}],
    });
    expect(requests).toEqual({ cores: 2, memoryMiB: 0, gpus: 1 });
    expect(told).toEqual(["not counted nvidia.com/mig-1g.10gb", "not counted resourceClaims"]);
  });

  it("tell a quantity that is none once, wherever it stands", () => {
    const named = { name: "a", resources: { requests: { cpu: "2x" } } };
    expect(requested({ containers: [named] }).told).toEqual(["unreadable 2x"]);
    expect(
      requested({ containers: [], overhead: { cpu: "x" }, resources: { requests: { cpu: "y" } } }).told,
    ).toEqual(["unreadable x", "unreadable y"]);
  });
});

describe("the requests of a pod that was resized", () => {
  const spec = { containers: [asks(2, 2, { name: "a" }), asks(1, 1, { name: "b" })] };
  const own = (cpu: string, allocated: string, name = "a") => ({
    name,
    resources: { requests: { cpu, memory: "2Gi" } },
    allocatedResources: { cpu: allocated, memory: "2Gi" },
  });

  it.each([
    ["as it was asked for", own("2", "2"), {}, 3, []],
    ["more in effect than asked for, on the way down", own("4", "2"), {}, 5, ["resized"]],
    ["more allocated than in effect, on the way up", own("2", "4"), {}, 5, ["resized"]],
    ["less than asked for, as long as that may come", own("1", "1"), {}, 3, ["resized"]],
    [
      "less than asked for, which can never come",
      own("1", "1"),
      { conditions: [{ type: "PodResizePending", status: "True", reason: "Infeasible" }] },
      2,
      ["resized"],
    ],
    ["less than asked for, in version 1.27", own("1", "1"), { resize: "Infeasible" }, 2, ["resized"]],
    ["another container's status", own("4", "4", "c"), {}, 3, []],
  ] as const)("are %s", (_what, containerStatus, more, cores, told) => {
    const status = { containerStatuses: [containerStatus], ...more };
    expect(requested(spec, status)).toEqual({ cores, memoryMiB: 3 * GIB, gpus: 0, told });
  });

  it("are those of a sidecar too", () => {
    const resized = {
      containers: [asks(1, 1, { name: "a" })],
      initContainers: [sidecar(1, 1, { name: "s" }), asks(2, 1, { name: "i" })],
    };
    const status = { initContainerStatuses: [own("3", "3", "s")] };
    // 3 first, then 2 + 3, and 1 + 3 while it runs.
    expect(requested(resized, status)).toMatchObject({ cores: 5, told: ["resized"] });
  });

  it("are those of the pod as a whole, whose status has the overhead in it", () => {
    const whole = {
      containers: [{ name: "a" }],
      resources: { requests: { cpu: "4", memory: "1Gi" } },
      overhead: { cpu: "500m" },
    };
    const status = (cpu: string) => ({
      resources: { requests: { cpu, memory: "1Gi" } },
      allocatedResources: { cpu: "4500m", memory: "1Gi" },
    });
    expect(requested(whole, status("4500m"))).toMatchObject({ cores: 4.5, told: [] });
    expect(requested(whole, status("6500m"))).toMatchObject({ cores: 6.5, told: ["resized"] });
  });

  it("keep GPUs, which the status leaves out", () => {
    const withGpu = {
      containers: [{ name: "a", resources: { requests: { cpu: "2" }, limits: { "nvidia.com/gpu": "1" } } }],
    };
    expect(requested(withGpu, { containerStatuses: [own("2", "2")] })).toMatchObject({ gpus: 1 });
  });
});
