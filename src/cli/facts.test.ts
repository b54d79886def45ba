import { expect, it } from "vitest";

import { aWorkload } from "../simulation/workload.fixture.ts";
import type { Machines, Workload } from "../workload/index.ts";
import { machineUse } from "./facts.ts";

const machines: Machines = {
  name: "m",
  count: 4,
  ids: ["n1", "n2", "n3", "n4"],
  coresMilli: new Int32Array(4).fill(1000),
  memoryMiB: null,
  gpuMilli: null,
};

/** Jobs of these queues on these machines. */
function log(places: readonly (readonly [queue: string, node: string])[], requires?: string): Workload {
  const names = [...new Set(places.map(([, node]) => node))];
  return {
    ...aWorkload(places.map(([queue]) => ({ queue, ...(requires === undefined ? {} : { requires }) }))),
    nodes: { names, codes: Int32Array.from(places, ([, node]) => names.indexOf(node)) },
  };
}

const jobs = log([
  ["black", "n1"],
  ["black", "n1"],
  ["red", "n2"],
  ["red", "n2"],
  ["red", "n3"],
]);

it("where jobs ran is told of all jobs where they may run anywhere", () => {
  expect(machineUse(jobs, machines, false, null)).toEqual({
    isInferred: false,
    machines: 4,
    used: 3,
    busiest: { name: "n1", jobsShare: 2 / 5 },
  });
});

it("where jobs ran is told of the largest queue's where these have machines of their own", () => {
  const queues = [
    { name: "black", machines: 1 },
    { name: "red", machines: 3 },
  ];
  expect(machineUse(jobs, machines, true, queues)).toEqual({
    isInferred: true,
    machines: 4,
    isByQueue: true,
    queue: { name: "red", machines: 3, jobsShare: 3 / 5 },
    used: 2,
    busiest: { name: "n2", jobsShare: 2 / 3 },
  });
  // The machines of the largest are not known.
  expect(machineUse(jobs, machines, true, queues.slice(0, 1))).toEqual({
    isInferred: true,
    machines: 4,
    isByQueue: true,
  });
});

it("of inferred machines it is told how many jobs do not say where they ran", () => {
  const lost = { ...jobs, nodes: { names: ["n1", "n2", "n3", ""], codes: Int32Array.of(3, 0, 1, 1, 2) } };
  expect(machineUse(lost, machines, true, null)).toMatchObject({ placelessShare: 1 / 5 });
  expect(machineUse(lost, machines, false, null)).not.toHaveProperty("placelessShare");
  expect(machineUse(jobs, machines, true, null)).not.toHaveProperty("placelessShare");
});

it("nothing is told of jobs that require something of machines", () => {
  const asking = log([["red", "n1"]], "cores >= 1");
  expect(machineUse(asking, machines, false, null)).toBeUndefined();
  expect(machineUse(asking, machines, true, null)).toEqual({ isInferred: true, machines: 4 });
  const queues = [{ name: "red", machines: 3 }];
  expect(machineUse(asking, machines, false, queues)).toEqual({
    isInferred: false,
    machines: 4,
    isByQueue: true,
  });
});
