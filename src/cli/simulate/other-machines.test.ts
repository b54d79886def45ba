import { expect, it } from "vitest";

import type { PartWaits, WaitsByPart } from "../../simulation/index.ts";
import type { Machines } from "../../workload/index.ts";
import { busyQueueOf, otherMachines } from "./other-machines.ts";

const workload = { queue: { names: ["busy", "idle"], codes: Int32Array.of(0, 1) } };

/** As many machines of each queue as told, of one core each. */
function machines(busy: number, idle: number): Machines {
  const count = busy + idle;
  return {
    name: "list",
    count,
    ids: Array.from({ length: count }, (_, machine) => `n${machine}`),
    coresMilli: new Int32Array(count).fill(1000),
    memoryMiB: null,
    gpuMilli: null,
    attributes: {
      codes: Int32Array.from({ length: count }, (_, machine) => (machine < busy ? 0 : 1)),
      sets: [{ "queue.busy": true }, { "queue.idle": true }],
    },
  };
}

function waits(busySeconds: number): WaitsByPart {
  const part = (name: string, jobs: number, waitMeanSeconds: number): PartWaits => ({
    name,
    jobs,
    waitMeanSeconds,
    waitMaxSeconds: waitMeanSeconds,
  });
  const queues = [part("busy", 4, busySeconds), part("idle", 1, 400)];
  return { queues, cores: queues, runtimes: queues };
}

it("the busy queue is the one with more than half of all waiting, if only some machines take its jobs", () => {
  expect(busyQueueOf(waits(300), workload, machines(1, 2))).toEqual({
    name: "busy",
    waitsShare: 0.75,
    machines: 1,
    allMachines: 3,
  });
  expect(busyQueueOf(waits(100), workload, machines(1, 2))).toBeUndefined();
  expect(busyQueueOf(waits(0), workload, machines(1, 2))?.name).toBe("idle");
  expect(busyQueueOf(waits(300), workload, machines(3, 0))).toBeUndefined();
});

it("a tenth more and fewer machines are of the busy queue, at least one, and never none", () => {
  const tried = (busy: number, idle: number): (readonly [string, number])[] => {
    const place = machines(busy, idle);
    return otherMachines(busyQueueOf(waits(300), workload, place)).map((other) => [
      `${other.on}: ${other.what}`,
      (other.place(place) as Machines).count,
    ]);
  };
  expect(tried(1, 20)).toEqual([["more: 2 machines of queue busy in place of 1", 22]]);
  expect(tried(30, 20)).toEqual([
    ["fewer: 27 machines of queue busy in place of 30", 47],
    ["more: 33 machines of queue busy in place of 30", 53],
  ]);
  expect(tried(20, 0)).toEqual([
    ["fewer: 10 % fewer machines", 18],
    ["more: 10 % more machines", 22],
  ]);
});
