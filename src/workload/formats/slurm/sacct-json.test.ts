import { describe, expect, it } from "vitest";

import { textSource } from "../../input/text.fixture.ts";
import type { Workload } from "../../workload.ts";
import { jobsOf, notesOf } from "../jobs.fixture.ts";
import { readWorkload } from "../registry.ts";

const EIGHT = Date.UTC(2026, 2, 1, 8) / 1000;

const set = (number: number) => ({ set: true, infinite: false, number });
const unset = { set: false, infinite: false, number: 0 };

function job(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    account: "physics",
    array: { job_id: 0, task_id: unset },
    cluster: "bison",
    group: "phys",
    het: { job_id: 0, job_offset: unset },
    job_id: 100,
    name: "run",
    nodes: "n[1-2]",
    partition: "batch",
    required: { CPUs: 16, memory_per_cpu: set(1000), memory_per_node: unset },
    state: { current: ["COMPLETED"], reason: "None" },
    steps: [{ step: { id: "100.batch" } }],
    time: {
      elapsed: 3600,
      eligible: EIGHT,
      end: EIGHT + 4200,
      start: EIGHT + 600,
      submission: EIGHT,
      limit: set(120),
    },
    tres: {
      allocated: [
        { type: "cpu", name: "", id: 1, count: 16 },
        { type: "mem", name: "", id: 2, count: 32_000 },
        { type: "node", name: "", id: 4, count: 2 },
        { type: "gres", name: "gpu:a100", id: 1002, count: 4 },
      ],
      requested: [],
    },
    user: "ann",
    ...fields,
  };
}

function read(...jobs: readonly unknown[]): Promise<Workload> {
  return readWorkload(
    textSource("sacct.json", JSON.stringify({ meta: { slurm: {} }, jobs, errors: [] }, null, 1)),
  );
}

const expected = {
  submitSeconds: EIGHT,
  recordedWaitSeconds: 600,
  runtimeSeconds: 3600,
  tasks: 2,
  coresMilli: 8000,
  memoryMiB: 16_000,
  gpuMilli: 2000,
  estimateSeconds: 7200,
  jobNumber: 100,
  user: "ann",
  project: "physics",
  queue: "batch",
  group: "phys",
  state: "COMPLETED",
  nodes: "n[1-2]",
};

describe("sacct --json", () => {
  it("gives a job for each object", async () => {
    const workload = await read(job());
    expect(jobsOf(workload)).toEqual([expected]);
    expect(workload.notes).toEqual([]);
    expect(workload.farm).toEqual({ computer: "bison", unixStartSeconds: 0 });
  });

  it("has arrays, and numbers and states as older versions write them", async () => {
    const workload = await read(
      job({ job_id: 105, array: { job_id: 100, task_id: set(3) } }),
      job({ array: { job_id: 0, task_id: null }, state: { current: "TIMEOUT", reason: "None" } }),
    );
    expect(jobsOf(workload)).toEqual([
      { ...expected, arrayIndex: 3 },
      { ...expected, state: "TIMEOUT" },
    ]);
  });

  it("has licences that were allocated, or else asked for", async () => {
    const usual = (job()["tres"] as { allocated: object[] }).allocated;
    const matlab = { type: "license", name: "matlab", id: 1003, count: 2 };
    const vcs = { type: "license", name: "vcs", id: 1004, count: 0 };
    const allocated = job({ tres: { allocated: [...usual, matlab, vcs], requested: [] } });
    const requested = job({ tres: { allocated: usual, requested: [matlab] } });
    expect((await read(allocated, requested)).licences!.names).toEqual(["", "matlab=2"]);
  });

  it("keeps a job without licences that cannot be read, and says so", async () => {
    const usual = (job()["tres"] as { allocated: object[] }).allocated;
    const licence = (name: string, count: unknown): object => ({ type: "license", name, count });
    const workload = await read(
      job({ tres: { allocated: [...usual, licence("", 2), licence("vcs", 1.5)], requested: [] } }),
      job({
        job_id: 7,
        tres: { allocated: [...usual, licence("vcs", 1), licence("vcs", 1)], requested: [] },
      }),
    );
    expect(workload.licences).toMatchObject({ codes: Int32Array.of(0, 1), names: ["", "vcs=1"] });
    expect(notesOf(workload)).toContain("counted as none: licences that cannot be read: 2");
  });

  it("has the requested memory if none is allocated, and leaves unknown what is missing", async () => {
    const tres = {
      allocated: [
        { type: "cpu", name: "", count: 16 },
        { type: "node", name: "", count: 2 },
      ],
      requested: [],
    };
    const time = { ...(job()["time"] as object), limit: { set: false, infinite: true, number: 0 } };
    const { estimateSeconds: _, gpuMilli: __, ...rest } = expected;
    expect(jobsOf(await read(job({ tres, time })))).toEqual([{ ...rest, memoryMiB: 8000 }]);
    const required = { CPUs: 16, memory_per_cpu: unset, memory_per_node: unset };
    const { memoryMiB: ___, ...unknown } = rest;
    expect(jobsOf(await read(job({ tres, time, required })))).toEqual([unknown]);
  });

  it("drops what never ran, had not ended, or is not a job, and says so", async () => {
    const time = job()["time"] as Record<string, unknown>;
    const workload = await read(
      job(),
      job({
        job_id: 101,
        nodes: "None assigned",
        time: { ...time, start: EIGHT + 5, end: EIGHT + 5, elapsed: 0 },
      }),
      job({ job_id: 102, time: { ...time, start: 0, end: 0 } }),
      job({ job_id: 103, time: { ...time, end: 0 } }),
      job({ job_id: "x" }),
      7,
    );
    expect(jobsOf(workload)).toEqual([expected]);
    expect(notesOf(workload)).toEqual([
      "dropped: it never started: 2",
      "dropped: it had not ended when the log was made: 1",
      "dropped: no job number: 1",
      "dropped: an item that is not an object: 1",
    ]);
  });

  it("that is cut short gives the complete jobs, and says so", async () => {
    const text = JSON.stringify({ jobs: [job(), job({ job_id: 101 })] });
    const workload = await readWorkload(textSource("sacct.json", text.slice(0, -40)));
    expect(workload.count).toBe(1);
    expect(notesOf(workload)).toEqual(["dropped: an item that the end of the text cuts short: 1"]);
  });
});
