import { describe, expect, it } from "vitest";

import type { ContainerStatus, Pod } from "./objects.ts";
import { goneOutcome, verdictOf } from "./verdict.ts";

const ID = { job: "5b7f0c9e-8a55-4a0e-9c7b-0f2f6a3f1d20", attempt: 1 };
const TIMES = { startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:01:30Z" };

function pod(
  status: Omit<NonNullable<Pod["status"]>, "containerStatuses">,
  state?: ContainerStatus["state"],
  isDeleted = false,
): Pod {
  return {
    metadata: {
      name: "p",
      uid: "u",
      resourceVersion: "1",
      ...(isDeleted ? { deletionTimestamp: TIMES.finishedAt } : {}),
    },
    spec: { nodeName: "n" },
    status: { ...status, ...(state === undefined ? {} : { containerStatuses: [{ name: "job", state }] }) },
  };
}

describe("what a pod says of its attempt", () => {
  it("waits, with the kubelet's reason", () => {
    expect(verdictOf(ID, pod({ phase: "Pending" }), false)).toEqual({ is: "waiting", reason: "" });
    const waiting = { reason: "ImagePullBackOff", message: "no such image" };
    expect(verdictOf(ID, pod({ phase: "Pending" }, { waiting }), false)).toEqual({
      is: "waiting",
      reason: "ImagePullBackOff: no such image",
    });
  });

  it("runs", () => {
    const state = { running: { startedAt: TIMES.startedAt } };
    expect(verdictOf(ID, pod({ phase: "Running" }, state), false)).toEqual({
      is: "running",
      sinceUnixSeconds: 1_767_225_600,
      isFailed: false,
    });
  });

  it("runs as long as its container does, though the pod is called failed", () => {
    const state = { running: { startedAt: TIMES.startedAt } };
    const status = { phase: "Failed", reason: "DeadlineExceeded" };
    expect(verdictOf(ID, pod(status, state), false)).toMatchObject({ is: "running", isFailed: true });
  });

  it.each([
    ["ends by itself", 0, "Completed", {}, false, false, { status: 0, signal: null, cause: "itself" }],
    ["fails by itself", 3, "Error", {}, false, false, { status: 3, signal: null, cause: "itself" }],
    ["is killed by somebody", 137, "Error", {}, false, false, { status: 137, signal: 9, cause: "itself" }],
    ["takes too much memory", 137, "OOMKilled", {}, false, false, { signal: 9, cause: "memory" }],
    ["takes too long", 143, "Error", { reason: "DeadlineExceeded" }, false, false, { cause: "time" }],
    ["is evicted by its kubelet", 137, "Error", { reason: "Evicted" }, false, false, { cause: "outside" }],
    ["is deleted by somebody", 143, "Error", {}, true, false, { signal: 15, cause: "outside" }],
    ["is deleted by the engine", 143, "Error", {}, true, true, { signal: 15, cause: "asked" }],
    ["ends before it could be deleted", 0, "Completed", {}, false, true, { status: 0, cause: "itself" }],
  ] as const)("%s", (_what, exitCode, reason, status, isDeleted, wasAsked, expected) => {
    const terminated = { exitCode, reason, ...TIMES };
    const verdict = verdictOf(ID, pod({ phase: "Failed", ...status }, { terminated }, isDeleted), wasAsked);
    expect(verdict).toMatchObject({
      is: "over",
      outcome: { kind: "exited", usage: { elapsedSeconds: 90 }, ...expected },
    });
  });

  it.each([
    ["OutOfcpu", "transient"],
    ["OutOfmemory", "transient"],
    ["OutOfpods", "transient"],
    ["OutOfnvidia.com/gpu", "transient"],
    ["UnexpectedAdmissionError", "machine"],
    ["NodeAffinity", "machine"],
    ["", "machine"],
  ] as const)("is refused by its kubelet: %s", (reason, fault) => {
    const verdict = verdictOf(ID, pod({ phase: "Failed", reason, message: "requested: 2" }), false);
    expect(verdict).toMatchObject({ is: "over", outcome: { kind: "start-failed", fault } });
  });

  it("cannot be run, anywhere", () => {
    const terminated = { exitCode: 128, reason: "StartError", message: "no such file" };
    expect(verdictOf(ID, pod({ phase: "Failed" }, { terminated }), false)).toMatchObject({
      is: "over",
      outcome: {
        kind: "start-failed",
        fault: "job",
        reason: expect.stringContaining("no such file") as string,
      },
    });
  });

  it("is over before it began, by its time or its kubelet", () => {
    for (const [reason, cause] of [
      ["DeadlineExceeded", "time"],
      ["Evicted", "outside"],
    ] as const)
      expect(verdictOf(ID, pod({ phase: "Failed", reason }), false)).toMatchObject({
        is: "over",
        outcome: { kind: "exited", status: null, cause },
      });
  });
});

describe("a pod that is gone, and whose end was not seen", () => {
  const unbound: Pod = { ...pod({ phase: "Pending" }), spec: {} };

  it("may have run, unless its last state is known and it was on no node", () => {
    expect(goneOutcome(ID, pod({ phase: "Running" }), true, false).kind).toBe("lost");
    expect(goneOutcome(ID, unbound, false, false).kind).toBe("lost");
    expect(goneOutcome(ID, null, false, false).kind).toBe("lost");
    expect(goneOutcome(ID, unbound, true, false)).toMatchObject({ kind: "start-failed", fault: "transient" });
  });

  it("was ended by its kubelet, where that has called it failed", () => {
    const state = { running: { startedAt: TIMES.startedAt } };
    for (const [reason, cause] of [
      ["DeadlineExceeded", "time"],
      ["Evicted", "outside"],
    ] as const) {
      const failed = pod({ phase: "Failed", reason }, state);
      expect(goneOutcome(ID, failed, true, false)).toMatchObject({ kind: "exited", status: null, cause });
      // Its container may have ended by itself since.
      expect(goneOutcome(ID, failed, false, false).kind).toBe("lost");
    }
    expect(goneOutcome(ID, pod({ phase: "Failed", reason: "New" }, state), true, false).kind).toBe("lost");
  });

  it("was ended, where it was to be", () => {
    expect(goneOutcome(ID, null, false, true)).toMatchObject({ kind: "exited", cause: "asked" });
    expect(goneOutcome(ID, unbound, true, true)).toMatchObject({ kind: "exited", cause: "never-ran" });
  });
});
