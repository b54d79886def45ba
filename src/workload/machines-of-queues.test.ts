import { describe, expect, it } from "vitest";

import { machinesOfQueue, onMachinesOfQueues } from "./machines-of-queues.ts";
import { AttributeSet } from "./machines/attributes.ts";
import { MachineList } from "./machines/machine-list.ts";
import type { Machines } from "./machines/machines.ts";
import { workloadOf } from "./workload-of.ts";
import type { CodedColumn, Workload } from "./workload.ts";

/** Machines that take jobs of these queues. */
function machines(...queues: string[][]): Machines {
  const list = new MachineList();
  queues.forEach((names, at) => {
    const attributes = new AttributeSet().queues(names).done();
    list.add({ id: `n${at}`, coresMilli: 4000, memoryMiB: null, gpuMilli: null, attributes }, {});
  });
  return list.finish("list", {});
}

function coded(texts: readonly string[]): CodedColumn {
  const names = [...new Set(texts)];
  return { names, codes: Int32Array.from(texts, (text) => names.indexOf(text)) };
}

function jobs(queues: readonly string[], requires?: readonly string[]): Workload {
  return workloadOf({
    submitSeconds: new Float64Array(queues.length),
    runtimeSeconds: new Float64Array(queues.length),
    coresMilli: new Int32Array(queues.length).fill(1000),
    queue: coded(queues),
    ...(requires === undefined ? {} : { requires: coded(requires) }),
  });
}

function requirements(workload: Workload): string[] {
  const { codes, names } = workload.requires!;
  return Array.from(codes, (code) => names[code]);
}

describe("jobs on the machines of their queues", () => {
  it("may run where one of their queues may, beside what they require themselves", () => {
    const placed = onMachinesOfQueues(
      jobs(["long", "gpu", "long,gpu", "long"], ["", "ib", "", "cores >= 8 || ib"]),
      machines(["long"], ["long", "gpu"], ["short"]),
    )!;
    expect(requirements(placed.workload)).toEqual([
      "queue.long",
      "(ib) && (queue.gpu)",
      "queue.long || queue.gpu",
      "(cores >= 8 || ib) && (queue.long)",
    ]);
    expect(placed.queues).toEqual([
      { name: "long", machines: 2 },
      { name: "gpu", machines: 1 },
      { name: "long,gpu", machines: 2 },
    ]);
    expect(placed.unknown).toEqual([]);
  });

  it("of a queue that no machine names may run where none is named", () => {
    const placed = onMachinesOfQueues(jobs(["a", "other"]), machines(["a"], ["b"], []))!;
    expect(requirements(placed.workload)).toEqual(["queue.a", "!has(queue.a) && !has(queue.b)"]);
    expect(placed.unknown).toEqual(["other"]);
  });

  it("of such a queue may run anywhere where all name one", () => {
    const placed = onMachinesOfQueues(jobs(["a", "other"]), machines(["a"], ["b"]))!;
    expect(requirements(placed.workload)).toEqual(["queue.a", ""]);
  });

  it("are left alone where nothing is told, or all take all", () => {
    expect(onMachinesOfQueues(jobs(["a"]), machines([], []))).toBeNull();
    expect(onMachinesOfQueues(jobs(["a", "b"]), machines(["a", "b"], ["b", "a"]))).toBeNull();
    expect(onMachinesOfQueues({ ...jobs(["a"]), queue: null }, machines(["a"], ["b"]))).toBeNull();
  });

  it("have names with other characters as attributes have them", () => {
    const placed = onMachinesOfQueues(jobs(["all.q@big", ""]), machines(["all.q@big"], ["x"]))!;
    expect(requirements(placed.workload)).toEqual(["queue.all.q_big", ""]);
  });
});

it("the machines of a queue are those that name one of its partitions", () => {
  const list = machines(["long"], ["short"], ["long", "gpu"], []);
  expect(machinesOfQueue(list, "long")).toEqual([0, 2]);
  expect(machinesOfQueue(list, "gpu, short")).toEqual([1, 2]);
  expect(machinesOfQueue(list, "old")).toEqual([]);
  const { attributes: _attributes, ...without } = list;
  expect(machinesOfQueue(without, "long")).toEqual([]);
});
