import { join } from "node:path";

import { beforeAll, describe, expect, it } from "vitest";

import { traces, tracesAreMissing } from "../input/text.fixture.ts";
import { readMachines } from "../machines/registry.ts";
import type { Workload } from "../workload.ts";
import { expectConsistent } from "./consistent.fixture.ts";
import { readWorkload } from "./registry.ts";

/** Jobs kept, and the counts of the notes, as a count over the columns with awk has them. */
const swfLogs: readonly (readonly [string, number, Readonly<Record<string, number>>])[] = [
  ["CEA-Curie-2011-2.1-cln", 298_092, { cancelled: 14_730, "no processors": 4, "kept: ran longer": 5416 }],
  ["HPC2N-2002-2.2-cln", 202_871, { "kept: ran longer": 14_817, "filled in": 2137 }],
  ["KTH-SP2-1996-2.1-cln", 28_475, { "no processors": 1, "kept: ran longer": 475 }],
  ["LANL-CM5-1994-4.1-cln", 122_057, { "no processors": 3, "kept: ran longer": 40_180, "filled in": 3 }],
  [
    "LPC-EGEE-2004-1.2-cln",
    220_679,
    { recognised: 1, cancelled: 14_210, "kept: ran longer": 755, "filled in": 302 },
  ],
  ["RICC-2010-2", 447_786, { cancelled: 8, "kept: ran longer": 7092 }],
  ["SDSC-SP2-1998-4.2-cln", 54_034, { cancelled: 5681, "kept: ran longer": 4134 }],
  [
    "alea-wagap-2013",
    17_898,
    { recognised: 1, "no run time": 2, "kept: ran longer": 702, "ignored: the preceding": 17_900 },
  ],
];

describe.skipIf(tracesAreMissing)("real SWF logs (skipped where they are not at hand)", () => {
  const logs = new Map<string, Workload>();
  beforeAll(async () => {
    for (const [name] of swfLogs) logs.set(name, await readWorkload(join(traces, "swf", `${name}.swf.gz`)));
  });
  const log = (name: string): Workload => [...logs].find(([full]) => full.startsWith(name))![1];

  it.each(swfLogs)("%s has %d jobs, and every repair is counted", (name, jobs, notes) => {
    const workload = logs.get(name)!;
    expect(workload.name).toBe(name);
    expect(workload.count).toBe(jobs);
    expectConsistent(workload);
    expect(workload.notes.length).toBe(Object.keys(notes).length);
    for (const [what, count] of Object.entries(notes)) {
      expect(workload.notes.find((note) => note.what.includes(what))?.count).toBe(count);
    }
  });

  it("keep their own clocks", () => {
    expect(log("CEA").submitSeconds[0]).toBe(31_656_837);
    expect(log("LPC").submitSeconds[0]).toBe(3_585_977);
  });

  it("tell of their farms", () => {
    expect(log("RICC").farm).toMatchObject({ nodes: 1024, processors: 8192 });
    expect(log("LPC").farm).toMatchObject({ nodes: 70, processors: 140, maxRuntimeSeconds: 259_200 });
    expect(log("alea").farm).toBeNull();
  });

  it("have memory where the log has it, in sizes that machines can hold", () => {
    const largest = (name: string): number => log(name).memoryMiB!.reduce((a, b) => Math.max(a, b));
    expect([log("KTH").memoryMiB, log("SDSC").memoryMiB, log("CEA").memoryMiB]).toEqual([null, null, null]);
    expect(largest("LANL")).toBe(32);
    expect(largest("RICC")).toBeLessThanOrEqual(12 * 1024);
    expect(log("RICC").memoryMiB!.filter((memory) => memory === 1172).length).toBeGreaterThan(425_000);
    expect(largest("LPC")).toBeLessThan(8 * 1024);
    expect(largest("alea")).toBeLessThan(512 * 1024);
    const wagap = [...log("alea").memoryMiB!].sort((a, b) => a - b);
    expect(wagap[wagap.length >> 1]).toBeGreaterThan(100);
    expect(wagap[wagap.length >> 1]).toBeLessThan(8 * 1024);
  });

  it("of LANL name their queues", () => {
    expect(log("LANL").queue!.names).toContain("scavenge_production");
  });
});

describe.skipIf(tracesAreMissing)("real logs of other kinds (skipped where they are not at hand)", () => {
  it("OpenB has 8,152 pods on 1,523 nodes", async () => {
    const pods = await readWorkload(join(traces, "openb/openb_pod_list_default.csv.gz"));
    expectConsistent(pods);
    expect(pods.count).toBe(8152);
    expect([...pods.queue!.names].sort()).toEqual(["BE", "Burstable", "Guaranteed", "LS"]);
    expect(pods.notes.find(({ what }) => what.includes("never scheduled"))?.count).toBe(897);
    const nodes = await readMachines(join(traces, "openb/openb_node_list_all_node.csv.gz"));
    expect(nodes.count).toBe(1523);
    expect(nodes.coresMilli.reduce((a, b) => a + b)).toBe(125_514_000);
    expect(nodes.gpuMilli!.reduce((a, b) => a + b)).toBe(6_212_000);
  });

  it("Open XDMoD's reference data of Slurm has 4,046 jobs that ran, and 239 that never did", async () => {
    const jobs = await readWorkload(join(traces, "accounting/phillips.sacct.gz"));
    expectConsistent(jobs);
    expect([jobs.format, jobs.count]).toEqual(["slurm", 4046]);
    expect(jobs.notes.filter(({ what }) => what.startsWith("dropped: "))).toMatchObject([
      { what: "dropped: it never started", count: 239 },
    ]);
  });

  it("NetBatch's columns give 6,000 jobs for 60 machines", async () => {
    const jobs = await readWorkload(join(traces, "reference/simba/jobs.netbatch.csv.gz"));
    expectConsistent(jobs);
    expect([jobs.count, jobs.jobNumber, jobs.notes]).toEqual([6000, null, []]);
    const machines = await readMachines(join(traces, "reference/simba/machines.csv"), { memoryUnit: "GiB" });
    expect([machines.count, machines.coresMilli.reduce((a, b) => a + b)]).toEqual([60, 564_000]);
    expect(machines.memoryMiB![0]).toBe(96 * 1024);
  });

  it("Alea's machines are 20 × 80 and 48 × 12 cores", async () => {
    const machines = await readMachines(join(traces, "swf/alea-wagap-2013.swf.machines"));
    expect([machines.count, machines.coresMilli.reduce((a, b) => a + b)]).toEqual([68, 2_176_000]);
  });

  it("published schedules out of order are sorted", async () => {
    const workload = await readWorkload(join(traces, "oracle/KTH-SP2-easy-res.swf.gz"));
    expectConsistent(workload);
    expect(workload.count).toBe(28_481);
    expect(workload.notes.find(({ what }) => what.startsWith("sorted"))?.count).toBeGreaterThan(1000);
  });
});
