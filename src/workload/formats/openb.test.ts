import { describe, expect, it } from "vitest";

import { inputErrorOf, textSource } from "../input/text.fixture.ts";
import { openb } from "./openb.ts";

const HEADER =
  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time";

const read = (...lines: readonly string[]) => openb.read(textSource("pods.csv", HEADER, ...lines));

describe("OpenB pods", () => {
  it("are jobs of one task", async () => {
    const workload = await read(
      "openb-pod-0016,12000,16384,1,460,,LS,Running,100,300,100",
      "openb-pod-0017,88000,327680,8,1000,V100M16|V100M32,Burstable,Succeeded,110,200,150",
    );
    expect([...workload.jobNumber!]).toEqual([16, 17]);
    expect([...workload.submitSeconds]).toEqual([100, 110]);
    expect([...workload.runtimeSeconds]).toEqual([200, 50]);
    expect([...workload.coresMilli]).toEqual([12_000, 88_000]);
    expect([...workload.memoryMiB!]).toEqual([16_384, 327_680]);
    expect([...workload.gpuMilli!]).toEqual([460, 8000]);
    expect([...workload.recordedWaitSeconds!]).toEqual([0, 40]);
    expect(workload.tasks).toBeNull();
    expect(workload.queue!.names).toEqual(["LS", "Burstable"]);
    expect(workload.notes).toEqual([{ what: "ignored: the kind of GPU asked for", count: 1, firstLine: 3 }]);
  });

  it("never scheduled run from creation on; those never deleted are dropped", async () => {
    const workload = await read(
      "openb-pod-0001,1000,1,0,0,,LS,Pending,100,300,",
      "openb-pod-0002,1000,1,0,0,,LS,Running,100,,100",
      "openb-pod-0003,1000,1,0,0,,LS,Running,100,120,130",
    );
    expect([...workload.runtimeSeconds]).toEqual([200]);
    expect(workload.recordedWaitSeconds).toBeNull();
    expect(workload.gpuMilli).toBeNull();
    expect(workload.notes.map(({ what, count, firstLine }) => [what, count, firstLine])).toEqual([
      ["filled in: never scheduled, runs from creation to deletion", 1, 2],
      ["dropped: never deleted, so its run time is unknown", 1, 3],
      ["dropped: deleted before it started", 1, 4],
    ]);
  });

  it("need a number in their names", async () => {
    const error = await inputErrorOf(() => read("pod,1000,1,0,0,,LS,Running,100,300,100"));
    expect(error.message).toMatch(/^pods.csv:2: column name/);
  });
});
