import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parse } from "yaml";

import { connect, type ApiRequest, type Connection } from "../src/live/engines/kubernetes/connection.ts";
import type { Node } from "../src/live/engines/kubernetes/objects.ts";
import type { ScheduledPod } from "../src/live/pods/objects.ts";
import { KubernetesCluster } from "./kubernetes-cluster.fixture.ts";
import { grantRights } from "./kubernetes-rights.fixture.ts";

/** Far more than anything here takes: a machine may be busy. */
const PATIENCE_SECONDS = 240;
const EXAMPLES = join(import.meta.dirname, "../examples/kubernetes/scheduler");
export const NAMESPACE = "work";
export const PODS = `/api/v1/namespaces/${NAMESPACE}/pods`;
export const JOBS = `/apis/batch/v1/namespaces/${NAMESPACE}/jobs`;
export const POD_GROUPS = `/apis/scheduling.x-k8s.io/v1alpha1/namespaces/${NAMESPACE}/podgroups`;

export interface JobShape {
  readonly pods: number;
  readonly cores: string;
  readonly memory: string;
  readonly schedulerName?: string;
  readonly priorityClassName?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A whole cluster on this machine, with hollow nodes, for a scheduler that has the example's rights and no more. */
export class PodsCluster {
  readonly cluster: KubernetesCluster;
  /** What an administrator does. */
  readonly admin: Connection;
  /** With a farm file and the scheduler's credentials. */
  readonly folder = mkdtempSync(join(tmpdir(), "croft-pods-"));
  readonly farmPath = join(this.folder, "farm.yaml");

  private constructor(isAudited: boolean) {
    this.cluster = new KubernetesCluster(isAudited);
    this.admin = connect(async () => this.credentials(this.cluster.tokens.admin));
  }

  /** @param evicts pods are evicted for those of higher priority */
  static async make(hollowNodes: number, { isAudited = false, evicts = false } = {}): Promise<PodsCluster> {
    const made = new PodsCluster(isAudited);
    await made.cluster.start();
    made.cluster.startControllers();
    for (let node = 1; node <= hollowNodes; node++) await made.cluster.startHollow(node);
    await made.ask({ method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: NAMESPACE } } });
    await made.definePodGroups();
    await grantRights(made.admin, join(EXAMPLES, "rights.yaml"));
    if (evicts) await grantRights(made.admin, join(EXAMPLES, "evictions.yaml"));
    await made.writeFarm(evicts);
    await made.until("all nodes are ready", async () => {
      const nodes = await made.list<Node>("/api/v1/nodes");
      return nodes.length === hollowNodes && nodes.every(isReady);
    });
    return made;
  }

  credentials(token: string) {
    return {
      server: this.cluster.url,
      tls: { rejectUnauthorized: false },
      headers: { authorization: `Bearer ${token}` },
    };
  }

  /** A token of the scheduler's service account, from the API itself. */
  async serviceToken(): Promise<string> {
    const answer = await this.ask<{ status: { token: string } }>({
      method: "POST",
      path: "/api/v1/namespaces/croft/serviceaccounts/croft-scheduler/token",
      body: {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: { audiences: ["https://127.0.0.1"], expirationSeconds: 86_400 },
      },
    });
    return answer.status.token;
  }

  /** @throws Error where it is refused */
  async ask<Answer = unknown>(request: ApiRequest): Promise<Answer> {
    const answer = await this.admin.call(request);
    if (!answer.ok) throw new Error(`${request.method} ${request.path}: ${answer.message}`);
    return answer.value as Answer;
  }

  async list<Kind>(path: string): Promise<Kind[]> {
    return (await this.ask<{ items: Kind[] }>({ method: "GET", path })).items;
  }

  pods(): Promise<ScheduledPod[]> {
    return this.list<ScheduledPod>(PODS);
  }

  async pod(name: string): Promise<ScheduledPod | null> {
    const answer = await this.admin.call({ method: "GET", path: `${PODS}/${name}` });
    if (!answer.ok && answer.status !== 404) throw new Error(answer.message);
    return answer.ok ? (answer.value as ScheduledPod) : null;
  }

  /** A pod, once its condition has a reason. */
  async told(name: string, reason: string): Promise<ScheduledPod> {
    let pod: ScheduledPod | null = null;
    await this.until(`${name} is told ${reason}`, async () => {
      pod = await this.pod(name);
      return conditionOf(pod!)?.reason === reason;
    });
    return pod!;
  }

  async eventsOf(name: string): Promise<string[]> {
    const { items } = await this.ask<{ items: { reason: string; message: string }[] }>({
      method: "GET",
      path: `/api/v1/namespaces/${NAMESPACE}/events`,
      query: { fieldSelector: `involvedObject.name=${name}` },
    });
    return items.map(({ reason, message }) => `${reason}: ${message}`);
  }

  /** A Job whose pods are all there at once. They do not end by themselves, as no pod of a hollow node does. */
  async job(name: string, shape: JobShape): Promise<void> {
    await this.ask({ method: "POST", path: JOBS, body: jobOf(name, shape) });
  }

  async makePod(name: string, spec: object, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.ask({
      method: "POST",
      path: PODS,
      body: {
        metadata: { name, labels },
        spec: { schedulerName: "croft", containers: [containerOf("10m", "10Mi")], ...spec },
      },
    });
  }

  /** Its pods are removed after it. */
  async removeJob(name: string): Promise<void> {
    await this.ask({
      method: "DELETE",
      path: `${JOBS}/${name}`,
      body: { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" },
    });
  }

  /** Everything is as at the beginning. */
  async clear(): Promise<void> {
    const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" };
    for (const path of [JOBS, PODS]) await this.ask({ method: "DELETE", path, body });
    await this.until("all pods are gone", async () => (await this.pods()).length === 0);
  }

  async until(what: string, isSo: () => Promise<boolean>, seconds = PATIENCE_SECONDS): Promise<void> {
    const end = Date.now() + seconds * 1000;
    while (!(await isSo())) {
      if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async close(): Promise<void> {
    this.admin.close();
    await this.cluster.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** As the controllers of scheduler-plugins would bring it. */
  private async definePodGroups(): Promise<void> {
    const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
    await this.ask({
      method: "POST",
      path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      body: {
        metadata: {
          name: "podgroups.scheduling.x-k8s.io",
          annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
        },
        spec: {
          group: "scheduling.x-k8s.io",
          scope: "Namespaced",
          names: { plural: "podgroups", singular: "podgroup", kind: "PodGroup", listKind: "PodGroupList" },
          versions: [{ name: "v1alpha1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
        },
      },
    });
    await this.until(
      "there are PodGroups",
      async () => (await this.admin.call({ method: "GET", path: POD_GROUPS })).ok,
    );
  }

  /** The example's farm file, for all nodes. */
  private async writeFarm(evicts: boolean): Promise<void> {
    const farm = parse(readFileSync(join(EXAMPLES, "farm.yaml"), "utf8"));
    const { engine } = farm.pools[0];
    delete engine.nodeSelector;
    if (evicts) {
      engine.evict = true;
      delete farm.preemption;
    }
    engine.kubeconfig = join(this.folder, "kubeconfig");
    mkdirSync(this.folder, { recursive: true });
    writeFileSync(engine.kubeconfig, this.cluster.kubeconfig(await this.serviceToken()));
    writeFileSync(this.farmPath, JSON.stringify(farm));
  }
}

export function jobOf(name: string, shape: JobShape) {
  const { pods, cores, memory, schedulerName = "croft", priorityClassName, labels = {} } = shape;
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name },
    spec: {
      completions: pods,
      parallelism: pods,
      // Pods that a kubelet refuses are made again.
      backoffLimit: 1000,
      template: {
        metadata: { labels },
        spec: {
          schedulerName,
          ...(priorityClassName === undefined ? {} : { priorityClassName }),
          restartPolicy: "Never",
          terminationGracePeriodSeconds: 1,
          containers: [containerOf(cores, memory)],
        },
      },
    },
  };
}

export function containerOf(cores: string, memory: string) {
  return { name: "main", image: "image", resources: { requests: { cpu: cores, memory } } };
}

export function isReady({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") === true;
}

/** Why a pod is told to be pending. */
export function conditionOf({ status }: ScheduledPod) {
  return status?.conditions?.find(({ type }) => type === "PodScheduled");
}
