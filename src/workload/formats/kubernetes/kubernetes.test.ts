import { describe, expect, it } from "vitest";

import { textSource } from "../../input/text.fixture.ts";
import type { Workload } from "../../workload.ts";
import { jobsOf, notesOf, without } from "../jobs.fixture.ts";
import type { Job } from "../jobs.fixture.ts";
import { readWorkload } from "../registry.ts";
import { quantity } from "./quantity.ts";

/** 1 March 2026, 08:00 UTC. */
const EIGHT = Date.UTC(2026, 2, 1, 8) / 1000;
const at = (seconds: number): string => new Date((EIGHT + seconds) * 1000).toISOString().replace(".000", "");

const resources = (requests: Record<string, string>, limits: Record<string, string> = {}) => ({
  resources: { requests, limits },
});

interface PodFields {
  readonly metadata?: Record<string, unknown>;
  readonly spec?: Record<string, unknown>;
  readonly status?: Record<string, unknown>;
}

function pod({ metadata, spec, status }: PodFields = {}): Record<string, unknown> {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "run-x7", namespace: "physics", uid: "u1", creationTimestamp: at(0), ...metadata },
    spec: {
      containers: [{ name: "a", ...resources({ cpu: "1500m", memory: "2Gi" }) }],
      nodeName: "n1",
      priority: 5,
      activeDeadlineSeconds: 7200,
      ...spec,
    },
    status: {
      phase: "Succeeded",
      startTime: at(601),
      conditions: [
        { type: "Ready", status: "False", lastTransitionTime: at(4300) },
        { type: "PodScheduled", status: "True", lastTransitionTime: at(600) },
      ],
      containerStatuses: [{ state: { terminated: { startedAt: at(610), finishedAt: at(4200) } } }],
      ...status,
    },
  };
}

const usual: Job = {
  submitSeconds: EIGHT,
  recordedWaitSeconds: 600,
  runtimeSeconds: 3600,
  coresMilli: 1500,
  memoryMiB: 2048,
  estimateSeconds: 7200,
  priority: 5,
  project: "physics",
  state: "Succeeded",
  nodes: "n1",
};

function read(...items: readonly unknown[]): Promise<Workload> {
  return readWorkload(
    textSource("pods.json", JSON.stringify({ apiVersion: "v1", items, kind: "List" }, null, 1)),
  );
}

describe("the pods of Kubernetes", () => {
  it("are jobs of one task, from when they were scheduled to when the last container ended", async () => {
    const workload = await read(pod());
    expect(jobsOf(workload)).toEqual([usual]);
    expect(workload.notes).toEqual([]);
    expect(jobsOf(await readWorkload(textSource("pod.json", JSON.stringify(pod()))))).toEqual([usual]);
  });

  it.each([
    [
      "containers together, and those that stay",
      {
        spec: {
          containers: [
            resources({ cpu: "1", memory: "1Gi" }),
            resources({ cpu: "500m", "nvidia.com/gpu": "1" }),
          ],
          initContainers: [
            { restartPolicy: "Always", ...resources({ cpu: "250m" }) },
            resources({ cpu: "1" }),
          ],
          overhead: { cpu: "250m", memory: "512Mi" },
        },
      },
      { coresMilli: 2000, memoryMiB: 1536, gpuMilli: 1000 },
    ],
    [
      "an init container that asks for more",
      {
        spec: {
          containers: [resources({ cpu: "1", memory: "1Gi" })],
          initContainers: [resources({ cpu: "4" })],
        },
      },
      { coresMilli: 4000, memoryMiB: 1024 },
    ],
    [
      "limits where nothing is requested",
      { spec: { containers: [resources({}, { cpu: "2", memory: "1e9" })] } },
      { coresMilli: 2000, memoryMiB: 954 },
    ],
    ["a queue", { metadata: { labels: { "kueue.x-k8s.io/queue-name": "fast" } } }, { queue: "fast" }],
    ["a failure", { status: { phase: "Failed" } }, { state: "Failed" }],
    [
      "an eviction",
      {
        status: {
          phase: "Failed",
          containerStatuses: [],
          conditions: [{ type: "DisruptionTarget", status: "True", lastTransitionTime: at(1201) }],
        },
      },
      { state: "Failed", recordedWaitSeconds: 601, runtimeSeconds: 600 },
    ],
  ] as const)("may have %s", async (_what, { spec, ...fields }: PodFields, expected) => {
    const { containers = pod()["spec"]!["containers" as never], ...others } = spec ?? {};
    expect(jobsOf(await read(pod({ spec: { containers, ...others }, ...fields })))).toEqual([
      { ...usual, ...expected },
    ]);
  });

  it("that ask for nothing get the minimum, with a note", async () => {
    const workload = await read(
      pod({ spec: { containers: [{ name: "a" }], activeDeadlineSeconds: undefined } }),
    );
    const rest = without(without({ ...usual, coresMilli: 1 }, "memoryMiB"), "estimateSeconds");
    expect(jobsOf(workload)).toEqual([rest]);
    expect(notesOf(workload)).toEqual(["raised: no CPU asked for, to a thousandth of a core: 1"]);
  });

  it("with quantities that are none count them as nothing, with a note", async () => {
    const containers = [
      resources({ cpu: "1500m", memory: "4GB" }),
      resources({ memory: "two" }, { memory: "2Gi" }),
    ];
    const workload = await read(pod({ spec: { containers } }));
    expect(jobsOf(workload)).toEqual([usual]);
    expect(workload.notes).toEqual([
      { what: "counted as none: quantities that cannot be read", count: 2, firstLine: 4, example: "4GB" },
    ]);
  });

  it("with resources that are not counted tell one, and with a resize that", async () => {
    const containers = [{ name: "a", ...resources({ cpu: "1500m", memory: "2Gi", "x/mig": "1" }) }];
    const { containerStatuses } = pod()["status"] as { containerStatuses: readonly object[] };
    const resized = { name: "a", ...containerStatuses[0], ...resources({ cpu: "3", memory: "2Gi" }) };
    const workload = await read(pod({ spec: { containers }, status: { containerStatuses: [resized] } }));
    expect(jobsOf(workload)).toEqual([{ ...usual, coresMilli: 3000 }]);
    expect(workload.notes).toEqual([
      { what: "kept: a resized pod, with the most of what it asked for and held", count: 1, firstLine: 4 },
      {
        what: "not counted: resources other than CPU, memory and those that end in /gpu",
        count: 1,
        firstLine: 4,
        example: "x/mig",
      },
    ]);
  });

  it("with a limit that is none are kept without it, with a note", async () => {
    const workload = await read(pod({ spec: { ...pod()["spec"]!, activeDeadlineSeconds: "2h" } }));
    expect(jobsOf(workload)).toEqual([without(usual, "estimateSeconds")]);
    expect(workload.notes).toEqual([
      { what: "counted as unknown: a limit that cannot be read", count: 1, firstLine: 4, example: '"2h"' },
    ]);
  });

  it("that are not jobs are left out, with a note", async () => {
    const running = pod({ metadata: { uid: "u2" }, status: { phase: "Running", containerStatuses: [] } });
    const workload = await read(
      running,
      pod({ metadata: { uid: "u3" }, spec: { nodeName: undefined }, status: { phase: "Failed" } }),
      pod({ metadata: { uid: "u4", ownerReferences: [{ kind: "DaemonSet" }] } }),
      pod({ metadata: { uid: "u5" }, status: { containerStatuses: [], conditions: [] } }),
      { kind: "Node", metadata: {}, spec: {}, status: {} },
      pod(),
      pod(),
      pod({ metadata: { uid: "u2" } }),
      pod({ metadata: { uid: "u6", creationTimestamp: "yesterday" } }),
    );
    expect(jobsOf(workload).map(({ jobNumber }) => jobNumber)).toEqual([6, 8]);
    expect(notesOf(workload)).toEqual([
      "dropped: it had not ended when the log was made: 1",
      "dropped: it never started: 1",
      "left out: pods of daemon sets, which are of their nodes: 1",
      "dropped: when it ended is not told: 1",
      "left out: objects that are neither pods nor Kueue's workloads: 1",
      "dropped: the log has the same object already: 1",
      "dropped: no time of submission: 1",
    ]);
  });
});

describe("a pod that failed", () => {
  const evictedAt = { type: "DisruptionTarget", status: "True", lastTransitionTime: at(2400) };
  const initDone = [{ name: "i", state: { terminated: { exitCode: 0, finishedAt: at(660) } } }];
  const lost = {
    state: { terminated: { exitCode: 137, reason: "ContainerStatusUnknown", finishedAt: null } },
  };

  it.each([
    ["the eviction, not the end of its init container", 1800, [evictedAt], []],
    ["the eviction, where the kubelet lost its container", 1800, [evictedAt], [lost]],
    ["the eviction, where its container is told as running", 1800, [evictedAt], [{ state: { running: {} } }]],
    [
      "when it was no longer ready, as older versions tell",
      1500,
      [{ type: "Ready", status: "False", lastTransitionTime: at(2100) }],
      [],
    ],
    [
      "when it was no longer ready, as an eviction that was called off does not count",
      1500,
      [
        { ...evictedAt, status: "False" },
        { type: "Ready", status: "False", lastTransitionTime: at(2100) },
      ],
      [],
    ],
  ] as const)("ended at %s", async (_what, runtimeSeconds, conditions, containerStatuses) => {
    const scheduled = { type: "PodScheduled", status: "True", lastTransitionTime: at(600) };
    const status = { phase: "Failed", reason: "Evicted", initContainerStatuses: initDone };
    const workload = await read(
      pod({ status: { ...status, conditions: [scheduled, ...conditions], containerStatuses } }),
    );
    expect(jobsOf(workload)).toEqual([{ ...usual, state: "Failed", runtimeSeconds }]);
    expect(workload.notes).toEqual([]);
  });

  it("as it started ended with its init container", async () => {
    const status = {
      phase: "Failed",
      conditions: [
        { type: "PodScheduled", status: "True", lastTransitionTime: at(600) },
        { type: "Ready", status: "False", lastTransitionTime: at(601) },
      ],
      containerStatuses: [{ state: { waiting: { reason: "PodInitializing" } } }],
      initContainerStatuses: [{ state: { terminated: { exitCode: 1, finishedAt: at(660) } } }],
    };
    expect(jobsOf(await read(pod({ status })))).toEqual([{ ...usual, state: "Failed", runtimeSeconds: 60 }]);
  });

  it.each([
    [
      "it never started",
      { reason: "OutOfcpu", message: "Pod was rejected: Node didn't have enough resource" },
    ],
    ["it never started", { reason: "NodeAffinity" }],
    [
      "it never started",
      { reason: "Evicted", message: "Pod was rejected: The node had condition: [PIDPressure]. " },
    ],
    ["it never started", { reason: "Evicted", message: "Pod The node had condition: [DiskPressure]. " }],
    [
      "it never started",
      { reason: "NodeShutdown", message: "Pod was rejected as the node is shutting down." },
    ],
    ["when it ended is not told", { reason: "Evicted", message: "The node was low on resource: memory. " }],
    [
      "when it ended is not told",
      {
        reason: "Evicted",
        conditions: [{ type: "Ready", status: "False", lastTransitionTime: at(602) }],
        initContainerStatuses: initDone,
      },
    ],
  ] as const)("is left out since %s: %j", async (reason, status) => {
    const failed = pod({
      metadata: { uid: "u2" },
      status: { phase: "Failed", conditions: [], containerStatuses: [], ...status },
    });
    const workload = await read(pod(), failed);
    expect(workload.count).toBe(1);
    expect(notesOf(workload)).toEqual([`dropped: ${reason}: 1`]);
  });
});

function workload(podSets: readonly unknown[], counts: Record<string, number> = {}): Record<string, unknown> {
  return {
    apiVersion: "kueue.x-k8s.io/v1beta1",
    kind: "Workload",
    metadata: { name: "job-run", namespace: "physics", uid: "w1", creationTimestamp: at(0) },
    spec: { podSets, queueName: "fast", priority: 5, maximumExecutionTimeSeconds: 7200 },
    status: {
      admission: { podSetAssignments: Object.entries(counts).map(([name, count]) => ({ name, count })) },
      conditions: [
        { type: "QuotaReserved", status: "True", lastTransitionTime: at(590) },
        { type: "Admitted", status: "True", lastTransitionTime: at(600) },
        { type: "Finished", status: "True", lastTransitionTime: at(4200), reason: "Succeeded" },
      ],
    },
  };
}

const podSet = (name: string, count: number, requests: Record<string, string>) => ({
  name,
  count,
  template: { spec: { containers: [resources(requests)] } },
});

describe("Kueue's workloads", () => {
  const expected = without({ ...usual, queue: "fast" }, "nodes");

  it("are jobs with a task for each pod, from when they were admitted", async () => {
    const set = podSet("main", 4, { cpu: "1500m", memory: "2Gi" });
    expect(jobsOf(await read(workload([set])))).toEqual([{ ...expected, tasks: 4 }]);
    expect(jobsOf(await read(workload([set], { main: 2 })))).toEqual([{ ...expected, tasks: 2 }]);
  });

  it("whose pods differ are tasks like the largest, as many as hold them all", async () => {
    const sets = [
      podSet("launcher", 1, { cpu: "1", memory: "1Gi" }),
      podSet("worker", 4, { cpu: "8", memory: "16Gi" }),
    ];
    const read1 = await read(workload(sets));
    expect(jobsOf(read1)).toEqual([{ ...expected, tasks: 5, coresMilli: 8000, memoryMiB: 16_384 }]);
    expect(notesOf(read1)).toEqual(["kept as tasks like its largest pod: its pods are not alike: 1"]);
  });

  it("with a quantity that is none count it as nothing, with a note", async () => {
    const read1 = await read(workload([podSet("main", 1, { cpu: "1500m", memory: "2Gi", "x/gpu": "many" })]));
    expect(jobsOf(read1)).toEqual([expected]);
    expect(notesOf(read1)).toEqual(["counted as none: quantities that cannot be read: 1"]);
  });

  it("beside pods get a note", async () => {
    const both = await read(pod(), workload([podSet("main", 1, { cpu: "1500m", memory: "2Gi" })]));
    expect(both.count).toBe(2);
    expect(notesOf(both)).toEqual(["kept: Kueue's workloads beside pods, which may be of the same jobs: 1"]);
  });
});

describe("a quantity", () => {
  it.each([
    ["500m", 0.5],
    ["2", 2],
    [2, 2],
    ["1.5", 1.5],
    [".5", 0.5],
    ["4Gi", 4 * 1024 ** 3],
    ["128974848", 128_974_848],
    ["129e6", 129e6],
    ["129M", 129e6],
    ["1k", 1000],
    ["100n", 1e-7],
  ])("%j is %d", (text, value) => {
    expect(quantity(text)).toBeCloseTo(value, 12);
  });

  it.each(["", "Gi", "4GB", "1.2.3", "-1", "i", "1i", null, undefined, {}])("is not %j", (text) => {
    expect(quantity(text)).toBeNaN();
  });
});
