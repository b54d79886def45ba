import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import type { Workload } from "../workload.ts";
import type { ReadOptions } from "./format.ts";
import { netbatch } from "./netbatch.ts";

interface Fields {
  id?: string;
  start?: number | string;
  wtime?: number | string;
  queue?: string;
  qslot?: string;
  submit?: number | string;
  reservation?: string;
}

function line(fields: Fields): string {
  const { id = "1", start = 0, wtime = 10, queue = "/q", qslot = "/a", submit = 100 } = fields;
  const { reservation = "cores=1;memory=4" } = fields;
  const columns = [id, 0, 0, 0, 0, start, 0, 0, 0, wtime, 0, 0, 0, 0, queue, qslot, 0, 0, submit, 0, 1];
  return [...columns, reservation].join(",");
}

function read(lines: readonly string[], options?: ReadOptions): Promise<Workload> {
  return netbatch.read(textSource("pool.csv", ...lines), options);
}

describe("a NetBatch log", () => {
  it("gives a row a job: one task of its cores, numbered by its line", async () => {
    const workload = await read([
      line({ wtime: "76.25", start: 130, qslot: "/a/b", reservation: "cores=8;memory=12" }),
      line({ submit: 101, reservation: "xcores=9;class=x; memory = 0.5 ;cores=2;coresx=3" }),
    ]);
    expect(workload.tasks).toBeNull();
    expect([...workload.coresMilli]).toEqual([8000, 2000]);
    expect([...workload.memoryMiB!]).toEqual([12_288, 512]);
    expect([...workload.runtimeSeconds]).toEqual([76.25, 10]);
    expect([...workload.submitSeconds]).toEqual([100, 101]);
    expect([...workload.recordedWaitSeconds!]).toEqual([30, Number.NaN]);
    expect(workload.jobNumber).toBeNull();
    expect(workload.project!.names).toEqual(["/a/b", "/a"]);
    expect(workload.queue!.names).toEqual(["/q"]);
    expect(workload.notes).toEqual([]);
  });

  it("skips bad lines, counts them, and goes on numbering by line", async () => {
    const workload = await read([
      "jobid,some,header",
      line({}),
      line({ wtime: "" }),
      line({ submit: "soon" }),
      line({ reservation: "memory=4" }),
      line({ reservation: "cores=0;memory=4" }),
      line({ wtime: -5 }),
      line({ queue: '"open' }),
      "",
      line({ submit: 120 }),
    ]);
    expect([...workload.jobNumber!]).toEqual([2, 10]);
    expect(workload.notes).toEqual([
      { what: expect.stringMatching(/^skipped: .* 22 columns/), count: 3, firstLine: 1 },
      { what: expect.stringMatching(/^skipped: .* no submit time/), count: 5, firstLine: 3 },
    ]);
  });

  it("may have quoted fields", async () => {
    const workload = await read([line({ queue: '"/q,""x"""', reservation: '"cores=2;memory=1,5"' })]);
    expect(workload.queue!.names).toEqual(['/q,"x"']);
    expect(workload.coresMilli[0]).toBe(2000);
    expect(workload.memoryMiB).toBeNull();
  });

  it("keeps the slaves of parallel jobs as jobs, and counts them", async () => {
    const workload = await read([line({}), line({ id: "17:1" }), line({ id: "17:2" })]);
    expect(workload.count).toBe(3);
    expect(workload.notes).toEqual([
      { what: expect.stringMatching(/^kept: a slave/), count: 2, firstLine: 2 },
    ]);
  });

  it("may be told that a job's cores are tasks", async () => {
    const workload = await read([line({ reservation: "cores=4;memory=6" })], { jobShape: "tasks" });
    expect([workload.tasks![0], workload.coresMilli[0], workload.memoryMiB![0]]).toEqual([4, 1000, 1536]);
  });

  it("has the minimums of its own simulator, when asked to", async () => {
    const options = { minimumRuntimeSeconds: 1, minimumMemoryMiB: 1024 };
    const workload = await read([line({ wtime: "0.4", reservation: "cores=1;memory=0.25" })], options);
    expect([workload.runtimeSeconds[0], workload.memoryMiB![0]]).toEqual([1, 1024]);
    expect(workload.notes.map(({ count }) => count)).toEqual([1, 1]);
  });

  it("with no job in it says what became of its lines", async () => {
    const error = await inputErrorOf(() => read(["a,b", "c,d"]));
    expect(error.message).toMatch(/^pool.csv: there is no job in it; skipped: .* \(2\)/);
  });
});
