import { describe, expect, it } from "vitest";

import type { StartRequest } from "../engine.ts";
import type { Container, Pod } from "./objects.ts";
import { attemptOf, podNameOf, podOf } from "./pod.ts";
import { readSettings } from "./settings.ts";

const ID = { job: "5b7f0c9e-8a55-4a0e-9c7b-0f2f6a3f1d20", attempt: 12 };
const REQUEST: StartRequest = {
  id: ID,
  placement: [{ machine: "n7", coresMilli: 1500, memoryMiB: 2000.5, gpuMilli: 2000 }],
  command: ["echo", "$(HOME)", "a$b"],
  directory: "/work",
  environment: { HOME: "/home/$USER", "BASH_FUNC_x%%": "() { :; }" },
  user: "ada",
  stdoutPath: null,
  stderrPath: null,
  limits: { memoryMiB: 2000, coresMilli: 1500, seconds: 59.5, graceSeconds: 30 },
};

describe("the pod of an attempt", () => {
  const settings = readSettings({
    namespace: "croft",
    image: "python:3.13",
    gpuResource: "amd.com/gpu",
    nodeSelector: { pool: "batch" },
    tolerations: [{ key: "pool" }],
    unreachablePatienceSeconds: 60,
  });
  const pod = podOf(REQUEST, settings);
  const [container] = pod.spec["containers"] as (Container & Record<string, unknown>)[];

  it("has what the attempt may use", () => {
    expect(container.resources).toEqual({
      requests: { cpu: "1500m", memory: "2001Mi", "amd.com/gpu": "2" },
      limits: { cpu: "1500m", memory: "2000Mi", "amd.com/gpu": "2" },
    });
    expect(pod.spec).toMatchObject({
      activeDeadlineSeconds: 60,
      terminationGracePeriodSeconds: 30,
      restartPolicy: "Never",
      nodeSelector: { pool: "batch" },
    });
  });

  it("is bound by nobody else, may do nothing in the cluster, and stays on a silent node as long as told", () => {
    expect(pod.spec["schedulerName"]).not.toMatch(/^(default-scheduler|croft)$/);
    expect(pod.spec["automountServiceAccountToken"]).toBe(false);
    const away = { operator: "Exists", effect: "NoExecute", tolerationSeconds: 60 };
    expect(pod.spec["tolerations"]).toEqual([
      { operator: "Exists", key: "pool" },
      { key: "node.kubernetes.io/not-ready", ...away },
      { key: "node.kubernetes.io/unreachable", ...away },
    ]);
  });

  it("has command and variables as they were submitted, since Kubernetes makes one dollar of two", () => {
    expect(container).toMatchObject({
      command: ["echo", "$$(HOME)", "a$$b"],
      workingDir: "/work",
      env: [
        { name: "HOME", value: "/home/$$USER" },
        { name: "CROFT_ATTEMPT", value: `${ID.job}.12` },
      ],
    });
  });

  it("is known by its name, whatever its labels", () => {
    const named = (name: string): Pod => ({ metadata: { name, uid: "u", resourceVersion: "1" }, spec: {} });
    expect(pod.metadata.name).toBe(podNameOf(ID));
    expect(attemptOf(named(podNameOf(ID)))).toEqual(ID);
    for (const name of ["croft-1", `croft-${ID.job}`, `${podNameOf(ID)}0000000`, `x${podNameOf(ID)}`])
      expect(attemptOf(named(name))).toBeNull();
  });
});
