import { describe, expect, it } from "vitest";

import { inputErrorOf } from "../input/text.fixture.ts";
import { kubernetes } from "./kubernetes.ts";
import type { Machines } from "./machines.ts";
import { attributes, notes, readList, rows } from "./read.fixture.ts";
import { samples } from "./samples.fixture.ts";

function read(...nodes: object[]): Promise<Machines> {
  const items = nodes.map((node, at) => ({ kind: "Node", metadata: { name: `n${at + 1}` }, ...node }));
  return readList(kubernetes, JSON.stringify({ kind: "NodeList", items }));
}

describe("kubectl get nodes -o json", () => {
  it("tells what pods can have: allocatable, not capacity", async () => {
    const machines = await readList(kubernetes, samples["kubernetes"]);
    expect(rows(machines)).toEqual([
      ["worker-1", 15.89, 31 * 1024, 4],
      // 16 × 10^9 and 8 × 10^9 bytes.
      ["worker-2", 8, 15_258, 0],
      ["master-1", 4, 7629, 0],
    ]);
    expect(notes(machines)).toEqual([
      "less what Kubernetes keeps for the system: allocatable, not capacity: 1 (worker-1)",
      "down or drained, but kept: --leave-out-down leaves them out: 2 " +
        "(worker-2 cordoned; master-1 not ready: NodeStatusUnknown)",
    ]);
  });

  it("tells labels and other resources, but not the label that names the node", async () => {
    expect(attributes(await readList(kubernetes, samples["kubernetes"]))).toEqual([
      {
        "kubernetes.io_arch": "amd64",
        "nvidia.com_gpu.product": "NVIDIA-A100-SXM4-40GB",
        rdma_hca: 1000,
        spot: true,
      },
      {},
      { "node-role.kubernetes.io_control-plane": "" },
    ]);
  });

  it("tells taints that keep jobs off", async () => {
    const status = {
      allocatable: { cpu: "4", memory: "1Gi" },
      conditions: [{ type: "Ready", status: "True" }],
    };
    const machines = await read(
      { spec: { taints: [{ key: "dedicated", value: "ml", effect: "NoSchedule" }] }, status },
      { spec: { taints: [{ key: "cheap", effect: "PreferNoSchedule" }] }, status },
    );
    expect(notes(machines)).toEqual([
      "tainted, and kept: which jobs tolerate that is not known: 1 (n1 dedicated)",
    ]);
  });

  it("may be one node", async () => {
    const node = { kind: "Node", metadata: { name: "a" }, status: { capacity: { cpu: "2", memory: "1Gi" } } };
    expect(rows(await readList(kubernetes, JSON.stringify(node)))).toEqual([["a", 2, 1024, null]]);
  });

  it.each([
    ["2", 2],
    ["7910m", 7.91],
    ["0.5", 0.5],
    ["1e1", 10],
    ["2k", 2000],
  ])("%s CPUs are %d cores", async (cpu, cores) => {
    expect(rows(await read({ status: { allocatable: { cpu } } }))[0]).toEqual(["n1", cores, null, null]);
  });

  it.each([
    ["1Gi", 1024],
    ["1048576Ki", 1024],
    ["1G", 953],
    ["1E", 953_674_316_406],
    ["1073741824", 1024],
    ["1073741824000m", 1024],
    ["1.5Ti", 1_572_864],
  ])("%s of memory are %d MiB", async (memory, mebibytes) => {
    const reading = read({ status: { allocatable: { cpu: "1", memory } } });
    if (mebibytes > 2 ** 31) await expect(reading).rejects.toThrow(`machine n1 has ${mebibytes} MiB`);
    else expect((await reading).memoryMiB![0]).toBe(mebibytes);
  });

  it.each([
    [{ "nvidia.com/gpu": "8" }, 8, {}],
    [{ "amd.com/gpu": "2", "gpu.intel.com/i915": "1" }, 3, {}],
    [{ "nvidia.com/mig-1g.5gb": "7", "nvidia.com/gpu": "0" }, 0, { "nvidia.com_mig-1g.5gb": 7 }],
  ])("%j: GPUs and others", async (resources, gpus, others) => {
    const machines = await read({ status: { allocatable: { cpu: "1", ...resources } } });
    expect(rows(machines)[0][3] ?? 0).toBe(gpus);
    expect(attributes(machines)).toEqual([others]);
  });

  it.each([
    ["{}", /this JSON has no list "items"/],
    ['{"items":[]}', /there is no machine in it/],
    [
      '{"items":[{"metadata":{"name":"a"},"status":{"allocatable":{"cpu":"4 cores"}}}]}',
      /node a: cpu: "4 cores" is not a quantity/,
    ],
    ['{"items":[{"metadata":{"name":"a"}}]}', /left out: no cores told: 1/],
  ])("is refused: %s", async (text, message) => {
    expect((await inputErrorOf(() => readList(kubernetes, text))).message).toMatch(message);
  });
});
