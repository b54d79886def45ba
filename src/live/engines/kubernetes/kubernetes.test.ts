import { randomUUID } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { AttemptId } from "../attempt-id.ts";
import type { StartRequest } from "../engine.ts";
import type { Watched } from "../world.fixture.ts";
import { StandInWorld } from "./world.fixture.ts";

/** What only this engine does, on a stand-in for a cluster. */
describe("a Kubernetes namespace", () => {
  let world: StandInWorld;
  let side: Watched;
  beforeAll(async () => {
    world = await StandInWorld.make({ startPatienceSeconds: 1 });
    side = await world.open();
  });
  afterAll(() => world.close());

  const fresh = (): AttemptId => ({ job: randomUUID(), attempt: 1 });
  const start = (id: AttemptId, change: Partial<StartRequest>): void =>
    side.engine.start({ ...world.request(id, "short"), ...change });

  it("starts elsewhere what its kubelet refuses: another scheduler was faster", async () => {
    const id = fresh();
    start(id, { command: ["refused"] });
    expect(await side.outcome(id)).toMatchObject({
      kind: "start-failed",
      fault: "transient",
      reason: "OutOfcpu: requested: 2",
    });
    expect(world.runs(id)).toBe(0);
  });

  it("gives up a pod that does not start, says why, and leaves none behind", async () => {
    const id = fresh();
    start(id, { command: ["stalled"] });
    expect(await side.outcome(id)).toMatchObject({
      kind: "start-failed",
      fault: "machine",
      reason: "it has not started on node-1 within 1 s: ImagePullBackOff: no such image",
    });
    await world.until("its pod is gone", () => world.kubelets.podOf(id) === undefined);
    expect(world.runs(id)).toBe(0);
  });

  it("refuses what no pod can do", async () => {
    const [placed] = world.request(fresh(), "short").placement;
    for (const [change, reason] of [
      [{ placement: [placed, { ...placed, machine: "node-2" }] }, "it is placed on 2 machines"],
      [{ stdoutPath: "/home/ada/out" }, "a pod cannot write to /home/ada/out"],
      [{ placement: [{ ...placed, gpuMilli: 500 }] }, "a pod has whole GPUs"],
    ] as const) {
      const id = fresh();
      start(id, change);
      const outcome = await side.outcome(id);
      expect(outcome).toMatchObject({ kind: "start-failed", fault: "job" });
      expect(JSON.stringify(outcome)).toContain(reason);
    }
  });

  it("has both streams of an attempt in one", async () => {
    const id = fresh();
    start(id, {});
    await side.outcome(id);
    const text = async (stream: "stdout" | "stderr") =>
      new TextDecoder().decode((await side.engine.output(id, stream, 0, 100))!);
    expect(await text("stdout")).toBe("out\nerr\n");
    expect(await text("stderr")).toBe("");
  });
});
