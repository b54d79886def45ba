import { describe, expect, it } from "vitest";

import { workloadOf } from "../workload-of.ts";
import type { CodedColumn, Workload } from "../workload.ts";
import { machineUse } from "./machine-use.ts";

function coded(texts: readonly string[]): CodedColumn {
  const names = [...new Set(texts)];
  return { names, codes: Int32Array.from(texts, (text) => names.indexOf(text)) };
}

/** Jobs of one core and an hour on these machines. */
function jobs(nodes: readonly string[], queues?: readonly string[]): Workload {
  return workloadOf({
    submitSeconds: new Float64Array(nodes.length),
    runtimeSeconds: new Float64Array(nodes.length).fill(3600),
    coresMilli: new Int32Array(nodes.length).fill(1000),
    nodes: coded(nodes),
    ...(queues === undefined ? {} : { queue: coded(queues) }),
  });
}

describe("where jobs ran", () => {
  it("is told by machine and by queue; a job on several counts in part", () => {
    expect(machineUse(jobs(["a", "a", "a,b", ""], ["x", "y", "y", "y"]))).toEqual({
      machines: 2,
      jobs: 3,
      largest: [
        { name: "a", jobShare: 2.5 / 3, workShare: 2.5 / 3 },
        { name: "b", jobShare: 0.5 / 3, workShare: 0.5 / 3 },
      ],
      crowded: null,
      queues: [
        { name: "y", jobShare: 2 / 3, workShare: 2 / 3, machines: 2 },
        { name: "x", jobShare: 1 / 3, workShare: 1 / 3, machines: 1 },
      ],
      users: null,
    });
  });

  it("is crowded where nine tenths of the jobs are on a tenth of the machines", () => {
    const others = Array.from({ length: 9 }, (_, at) => `n${at}`);
    const on = (count: number): string[] => [...others, ...Array<string>(count).fill("a")];
    expect(machineUse(jobs(on(81)))?.crowded).toEqual({ machines: 1, share: 0.9 });
    expect(machineUse(jobs(on(80)))?.crowded).toBeNull();
  });

  it("is unknown where no job tells it", () => {
    expect(machineUse(jobs(["", ""]))).toBeNull();
  });
});
