import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterEach, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

import { farmChecks } from "../../simulation/index.ts";
import { readFarm } from "../../workload/index.ts";
import type { ScheduledPod } from "./objects.ts";
import { planOf } from "./plan.ts";
import { termsOf, whyNot } from "./terms.ts";
import { NAMESPACE, planFor, podOf, PodWorld } from "./world.fixture.ts";

const FOLDER = join(import.meta.dirname, "../../../examples/kubernetes/scheduler");

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly Rule[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
  readonly subjects?: readonly { readonly name: string; readonly namespace: string }[];
  /** Of a Deployment or a Job. */
  readonly spec: {
    readonly replicas: number;
    readonly template: {
      readonly spec: {
        readonly serviceAccountName?: string;
        readonly schedulerName?: string;
        readonly volumes: readonly { readonly configMap: { readonly name: string } }[];
      };
    };
  };
}

const text = (name: string): string => readFileSync(join(FOLDER, name), "utf8");
const manifests = (name: string): Manifest[] =>
  parseAllDocuments(text(name)).map((each) => each.toJS() as Manifest);
const plan = async () =>
  planOf(await readFarm(join(FOLDER, "farm.yaml"), { ...farmChecks, enginesTellMachines: true }), null);

let world: PodWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

describe("the manifests of the scheduler", () => {
  it("are of one service account, one replica, and files that are there", async () => {
    const rights = [...manifests("rights.yaml"), ...manifests("evictions.yaml")];
    const [deployment] = manifests("deployment.yaml");
    const kustomization = parse(text("kustomization.yaml"));
    expect(kustomization.resources).toEqual(["rights.yaml", "deployment.yaml"]);
    expect(kustomization.configMapGenerator).toEqual([{ name: "croft-farm", files: ["farm.yaml"] }]);
    const account = rights.find(({ kind }) => kind === "ServiceAccount")!.metadata;
    const pod = deployment.spec.template.spec;
    expect(pod.serviceAccountName).toBe(account.name);
    expect(deployment.metadata.namespace).toBe(account.namespace);
    expect(deployment.spec.replicas).toBe(1);
    expect(pod.volumes[0].configMap.name).toBe("croft-farm");
    // It must not wait for itself.
    expect(pod.schedulerName).toBeUndefined();
    for (const { roleRef, subjects } of rights.filter(({ kind }) => kind.endsWith("Binding"))) {
      expect(
        rights.some(({ kind, metadata }) => kind === roleRef!.kind && metadata.name === roleRef!.name),
      ).toBe(true);
      expect(subjects).toEqual([{ kind: "ServiceAccount", ...account }]);
    }
  });

  it("have a farm file for it, and a Job that names it", async () => {
    const { schedulerName, namespace } = await plan();
    const [job] = manifests("job.yaml");
    expect(job.spec.template.spec.schedulerName).toBe(schedulerName);
    // The documentation has such nodes labelled and tainted.
    const node = {
      metadata: { name: "n7", uid: "n", resourceVersion: "1", labels: { "croft.dev/pool": "batch" } },
      spec: { taints: [{ key: "croft.dev/pool", value: "batch", effect: "NoSchedule" }] },
    };
    const pod = {
      metadata: { name: "first", uid: "u" },
      spec: job.spec.template.spec,
    } as unknown as ScheduledPod;
    expect(whyNot(termsOf(pod), node)).toBeNull();
    const lease = manifests("rights.yaml").flatMap(({ rules = [] }) =>
      rules.flatMap(({ resourceNames = [] }) => resourceNames),
    );
    expect(lease).toEqual([`croft-${schedulerName}`]);
    expect(namespace).toBe(manifests("deployment.yaml")[0].metadata.namespace);
  });

  it.each([false, true])("allow what the scheduler does, and nothing else; it evicts: %s", async (evicts) => {
    world = await PodWorld.make(planFor({ victim: evicts ? "lowest-priority" : null }));
    const { server } = world;
    world.node("n1", { cores: "2" });
    world.open();
    // What is done in the test's own name is not done by calls.
    const gang = (fields: object) => ({ cores: "8", ...fields });
    world.pod("own", gang({ schedulingGroup: { podGroupName: "g" } }));
    world.pod("theirs", gang({ labels: { "scheduling.x-k8s.io/pod-group": "g" } }));
    server.set("podgroups", { metadata: { name: "g", namespace: NAMESPACE } });
    server.refusesBindings = 500;
    world.pod("a");
    await world.told("a", "BindFailed");
    server.refusesBindings = null;
    await world.placed("a");
    if (evicts) {
      world.server.set("pods", { ...podOf("runs", { nodeName: "n1" }), status: { phase: "Running" } });
      world.pod("high", { priority: 10 });
      await world.until("an eviction", () => server.calls.has("create pods/eviction"));
    }
    for (const call of ["update coordination.k8s.io/leases", "create events", "watch pods", "watch nodes"])
      await world.until(call, () => server.calls.has(call));
    const groups = ["scheduling.k8s.io", "scheduling.x-k8s.io"];
    for (const group of groups) await world.until(group, () => server.calls.has(`get ${group}/podgroups`));
    const files = evicts ? ["rights.yaml", "evictions.yaml"] : ["rights.yaml"];
    const allowed = files
      .flatMap(manifests)
      .flatMap(({ rules = [] }) =>
        rules.flatMap(({ apiGroups, resources, verbs }) =>
          apiGroups.flatMap((group) =>
            resources.flatMap((resource) =>
              verbs.map((verb) => `${verb} ${group === "" ? "" : `${group}/`}${resource}`),
            ),
          ),
        ),
      );
    expect([...server.calls].sort()).toEqual([...new Set(allowed)].sort());
  });
});
