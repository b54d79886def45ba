import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { InputError } from "../errors.ts";
import type { Workload } from "../workload.ts";
import { workloadOf } from "../workload-of.ts";
import { inferredMachines } from "./inferred.ts";

interface Job {
  readonly start: number;
  readonly run: number;
  readonly nodes: string;
  readonly tasks?: number;
  readonly cores?: number;
  readonly memory?: number;
  readonly gpus?: number;
}

/** All submitted at 0, so that a start is a wait. */
function workload(jobs: readonly Job[]): Workload {
  const column = (of: (job: Job) => number): Int32Array => Int32Array.from(jobs, of);
  const names = ["", ...new Set(jobs.map(({ nodes }) => nodes))];
  return workloadOf({
    submitSeconds: new Float64Array(jobs.length),
    runtimeSeconds: Float64Array.from(jobs, ({ run }) => run),
    recordedWaitSeconds: Float64Array.from(jobs, ({ start }) => start),
    coresMilli: column(({ cores = 1 }) => cores * 1000),
    tasks: column(({ tasks = 1 }) => tasks),
    memoryMiB: column(({ memory = 0 }) => memory),
    gpuMilli: column(({ gpus = 0 }) => gpus * 1000),
    nodes: { codes: column(({ nodes }) => names.lastIndexOf(nodes)), names },
  });
}

/** By machine: cores, MiB, GPUs. */
function inferred(jobs: readonly Job[]): Record<string, number[]> {
  const { ids, coresMilli, memoryMiB, gpuMilli } = inferredMachines(workload(jobs));
  return Object.fromEntries(
    ids.map((id, row) => [id, [coresMilli[row] / 1000, memoryMiB![row], gpuMilli![row] / 1000]]),
  );
}

describe("machines inferred from a log", () => {
  it("have the most that jobs held on them at once", () => {
    const jobs = [
      { start: 0, run: 10, nodes: "n1", cores: 4, memory: 100, gpus: 1 },
      { start: 5, run: 10, nodes: "n1", cores: 2, memory: 300 },
      { start: 10, run: 10, nodes: "n1", cores: 3, memory: 50 },
      { start: 0, run: 5, nodes: "n2", cores: 1 },
      { start: 5, run: 5, nodes: "n2", cores: 1 },
    ];
    expect(inferred(jobs)).toEqual({ n1: [6, 400, 1], n2: [1, 0, 0] });
  });

  it("have the queues whose jobs ran on them, where there are several", () => {
    const jobs = workload([
      { start: 0, run: 10, nodes: "n1" },
      { start: 0, run: 10, nodes: "n[1-2]", tasks: 2 },
      { start: 20, run: 0, nodes: "n3" },
    ]);
    const queue = { names: ["long", "gpu"], codes: Int32Array.of(0, 1, 1) };
    const { sets, codes } = inferredMachines({ ...jobs, queue }).attributes!;
    expect(Array.from(codes, (code) => sets[code])).toEqual([
      { "queue.gpu": true, "queue.long": true },
      { "queue.gpu": true },
      { "queue.gpu": true },
    ]);
    const one = { names: ["", "long"], codes: Int32Array.of(1, 1, 0) };
    expect(inferredMachines({ ...jobs, queue: one }).attributes).toBeUndefined();
  });

  it("have parts of jobs on several", () => {
    expect(
      inferred([{ start: 0, run: 9, nodes: "n[1-2]", tasks: 2, cores: 8, memory: 64, gpus: 2 }]),
    ).toEqual({
      n1: [8, 64, 2],
      n2: [8, 64, 2],
    });
    // Five tasks on two machines: three on one of them, and which is not known.
    expect(inferred([{ start: 0, run: 9, nodes: "a,b", tasks: 5, memory: 10 }])).toEqual({
      a: [3, 30, 0],
      b: [3, 30, 0],
    });
    expect(inferred([{ start: 0, run: 9, nodes: "a*3,b*1", tasks: 4, memory: 10 }])).toEqual({
      a: [3, 30, 0],
      b: [1, 10, 0],
    });
    expect(inferred([{ start: 0, run: 9, nodes: "a,b", cores: 4, memory: 10 }])).toEqual({
      a: [2, 5, 0],
      b: [2, 5, 0],
    });
  });

  it("come in the order of their names, numbers in them by size", () => {
    const jobs = ["n10", "n9", "b", "n9x", "n09", "a2"].map((nodes) => ({ start: 0, run: 1, nodes }));
    expect(inferredMachines(workload(jobs)).ids).toEqual(["a2", "b", "n09", "n9", "n9x", "n10"]);
  });

  it("count jobs that took no time, and those whose place is not known", () => {
    const jobs = [
      { start: 5, run: 0, nodes: "n1", cores: 4 },
      { start: 0, run: 10, nodes: "n1", cores: 2 },
      { start: 0, run: 10, nodes: "" },
      { start: 0, run: 10, nodes: "n[1-" },
      { start: Number.NaN, run: 10, nodes: "n1", cores: 64 },
    ];
    const { ids, coresMilli, jobsWithoutPlace, name } = inferredMachines(workload(jobs));
    expect([ids, [...coresMilli], jobsWithoutPlace, name]).toEqual([["n1"], [6000], 3, "inferred"]);
  });

  it("have no memory and no GPUs if the log tells of none", () => {
    const { memoryMiB, gpuMilli } = inferredMachines({
      ...workload([{ start: 0, run: 1, nodes: "n1" }]),
      memoryMiB: null,
      gpuMilli: null,
    });
    expect([memoryMiB, gpuMilli]).toEqual([null, null]);
  });

  it("cannot be found in a log that does not say where jobs ran", () => {
    const { nodes: _, ...unplaced } = workload([{ start: 0, run: 1, nodes: "n1" }]);
    expect(() => inferredMachines(unplaced)).toThrow(InputError);
    expect(() => inferredMachines(unplaced)).toThrow(/does not say where its jobs ran: give its machines/);
    const unstarted = { ...workload([{ start: 0, run: 1, nodes: "n1" }]), recordedWaitSeconds: null };
    expect(() => inferredMachines(unstarted)).toThrow(/says where its jobs ran, but not when they started/);
    expect(() => inferredMachines(workload([{ start: 0, run: 1, nodes: "" }]))).toThrow(/no machine in it/);
  });

  it("are the same as a plain check of every start finds", () => {
    const job = fc.record({
      start: fc.nat(20),
      run: fc.integer({ min: 1, max: 10 }),
      nodes: fc.constantFrom("a", "b", "a,b"),
      tasks: fc.constantFrom(2, 4),
      cores: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(job, { minLength: 1, maxLength: 12 }), (jobs) => {
        const most: Record<string, number> = {};
        for (const { start } of jobs) {
          for (const name of ["a", "b"]) {
            const held = jobs
              .filter(
                (each) => each.nodes.includes(name) && each.start <= start && start < each.start + each.run,
              )
              .reduce((sum, { nodes, tasks, cores }) => sum + (tasks / nodes.split(",").length) * cores, 0);
            if (held > 0) most[name] = Math.max(most[name] ?? 0, held);
          }
        }
        const { ids, coresMilli } = inferredMachines(workload(jobs));
        expect(Object.fromEntries(ids.map((id, row) => [id, coresMilli[row] / 1000]))).toEqual(most);
      }),
    );
  });
});
