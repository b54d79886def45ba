import type { ServerResponse } from "node:http";

import { attemptKey, type AttemptId } from "../attempt-id.ts";
import { systemClock } from "../system/clock.ts";
import type { ApiAnswer, Connection } from "./connection.ts";
import type { ContainerStatus, Pod, Terminated } from "./objects.ts";
import { attemptOf, CONTAINER, podNameOf } from "./pod.ts";
import { Reflector } from "./reflector.ts";

interface Running {
  readonly pod: Pod;
  readonly startedAt: string;
  isOver: boolean;
}

/** A pod's log and who reads it. */
interface Log {
  text: string;
  isOver: boolean;
  readonly readers: Set<ServerResponse>;
}

/**
 * The kubelets of a cluster's nodes, with jobs that are pretended: `short`, `waiting` and `busy`, by their command;
 * `refused` is one that it does not admit, `stuck` one that it calls failed and whose end it does not tell, `stalled` one whose image cannot be fetched. It counts what it runs, as a job would.
 */
export class StandInKubelets {
  readonly starts = new Map<string, number>();
  readonly logs = new Map<string, Log>();
  /** The port that logs are served at; 0: the API server asks for them by itself. */
  logPort = 0;
  /** Nodes that are not there: nothing of theirs is looked after. */
  private readonly away = new Set<string>();
  private readonly running = new Map<string, Running>();
  /** UIDs of pods that were started once: no kubelet starts one twice. */
  private readonly seen = new Set<string>();
  private readonly released = new Set<string>();
  private readonly connection: Connection;
  private readonly pods: Reflector<Pod>;

  constructor(connection: Connection) {
    this.connection = connection;
    this.pods = new Reflector<Pod>(
      {
        connection,
        clock: systemClock(),
        random: () => 0.1,
        path: "/api/v1/pods",
        query: { fieldSelector: "spec.nodeName!=" },
        kept: (pod) => pod,
      },
      {
        changed: (pod) => this.look(pod),
        gone: (pod) => this.kill(pod),
        synced: () => undefined,
        failed: () => undefined,
        recovered: () => undefined,
      },
    );
  }

  open(): void {
    this.pods.open();
  }

  close(): void {
    this.pods.close();
    for (const { readers } of this.logs.values()) for (const reader of readers) reader.destroy();
  }

  /** Registers a node, or tells that it is back. */
  async register(name: string, isReady: boolean, cores = 16): Promise<void> {
    this.away.delete(name);
    const resources = { cpu: String(cores), memory: "16Gi", pods: "110" };
    const node = {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name },
      status: {
        capacity: resources,
        allocatable: resources,
        conditions: [
          {
            type: "Ready",
            status: isReady ? "True" : "False",
            reason: "Test",
            message: isReady ? "" : "for the test",
            lastHeartbeatTime: new Date().toISOString(),
            lastTransitionTime: new Date().toISOString(),
          },
        ],
        addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
        daemonEndpoints: { kubeletEndpoint: { Port: this.logPort } },
      },
    };
    await this.sure({ method: "POST", path: "/api/v1/nodes", body: node });
    await this.sure({ method: "PUT", path: `/api/v1/nodes/${name}/status`, body: node });
    for (const pod of this.pods.objects.values()) this.look(pod);
  }

  /** The node ends with all that runs there, and an administrator removes it and its pods. */
  async removeNode(name: string): Promise<void> {
    this.away.add(name);
    for (const each of this.running.values()) if (each.pod.spec.nodeName === name) this.forget(each);
    await this.sure({ method: "DELETE", path: `/api/v1/nodes/${name}`, body: {} });
    for (const pod of this.pods.objects.values()) if (pod.spec.nodeName === name) await this.delete(pod, 0);
  }

  /** Lets a waiting job go on to its end. */
  release(id: AttemptId): void {
    this.released.add(attemptKey(id));
    const running = this.running.get(attemptKey(id));
    if (running !== undefined) this.exit(running, { exitCode: 0, reason: "Completed" });
  }

  /** The job is killed by somebody on its node. */
  killJob(id: AttemptId): void {
    const running = this.running.get(attemptKey(id));
    if (running !== undefined) this.exit(running, { exitCode: 137, reason: "Error" });
  }

  /** The kubelet ends a pod since its node is short of something. */
  evict(id: AttemptId): void {
    const running = this.running.get(attemptKey(id));
    if (running === undefined) return;
    this.exit(running, { exitCode: 137, reason: "Error" }, { reason: "Evicted", message: "short of memory" });
  }

  async delete(pod: Pod, gracePeriodSeconds: number): Promise<void> {
    const { namespace, name } = pod.metadata;
    await this.sure({
      method: "DELETE",
      path: `/api/v1/namespaces/${namespace}/pods/${name}`,
      body: { gracePeriodSeconds },
    });
  }

  podOf(id: AttemptId): Pod {
    return [...this.pods.objects.values()].find(({ metadata }) => metadata.name === podNameOf(id))!;
  }

  isRunning(id: AttemptId): boolean {
    return this.running.has(attemptKey(id));
  }

  /** Serves a log by the pod's name. */
  readonly serveLog = (name: string, isFollowed: boolean, response: ServerResponse): void => {
    const log = this.logs.get(name);
    if (log === undefined) {
      response.writeHead(404);
      return void response.end();
    }
    response.writeHead(200, { "content-type": "text/plain" });
    response.write(log.text);
    if (!isFollowed || log.isOver) return void response.end();
    log.readers.add(response);
    response.on("close", () => log.readers.delete(response));
  };

  private look(pod: Pod): void {
    const id = attemptOf(pod);
    const { nodeName = "" } = pod.spec;
    if (id === null || this.away.has(nodeName)) return;
    const key = attemptKey(id);
    const running = this.running.get(key);
    if (pod.metadata.deletionTimestamp !== undefined) {
      if (running !== undefined) this.exit(running, { exitCode: 143, reason: "Error" });
      else void this.delete(pod, 0);
      return;
    }
    if (pod.status?.phase !== "Pending" || this.seen.has(pod.metadata.uid)) return;
    this.seen.add(pod.metadata.uid);
    const [command] =
      (pod.spec.containers?.[0] as { readonly command?: readonly string[] } | undefined)?.command ?? [];
    if (command === "refused")
      return void this.report({ pod }, {}, { phase: "Failed", reason: "OutOfcpu", message: "requested: 2" });
    if (command === "stalled") {
      const waiting = { reason: "ImagePullBackOff", message: "no such image" };
      return void this.report({ pod }, { state: { waiting } }, { phase: "Pending" });
    }
    this.starts.set(key, (this.starts.get(key) ?? 0) + 1);
    const started: Running = { pod, startedAt: new Date().toISOString(), isOver: false };
    this.running.set(key, started);
    this.logs.set(pod.metadata.name, { text: "out\nerr\n", isOver: false, readers: new Set() });
    void this.report(
      started,
      { state: { running: { startedAt: started.startedAt } } },
      { phase: "Running" },
    ).then(() => {
      if (command === "stuck") this.callFailed(started);
      else if (command === "short") this.exit(started, { exitCode: 3, reason: "Error" });
      else if (this.released.has(key)) this.release(id);
    });
  }

  /** As kubelets of 1.20 may: the pod has failed, and that its container has ended is never told. */
  private callFailed(running: Running): void {
    this.forget(running);
    const state = { running: { startedAt: running.startedAt } };
    void this.report(running, { state }, { phase: "Failed", reason: "DeadlineExceeded" });
  }

  /** Its pod is gone by force. */
  private kill(pod: Pod): void {
    const id = attemptOf(pod);
    const running = id === null ? undefined : this.running.get(attemptKey(id));
    if (running?.pod.metadata.uid === pod.metadata.uid) this.forget(running);
  }

  private exit(running: Running, how: Pick<Terminated, "exitCode" | "reason">, status: object = {}): void {
    if (running.isOver) return;
    this.forget(running);
    const { pod, startedAt } = running;
    const terminated = { ...how, startedAt, finishedAt: new Date().toISOString() };
    const phase = how.exitCode === 0 ? "Succeeded" : "Failed";
    void this.report(running, { state: { terminated } }, { phase, ...status }).then(() => {
      const latest = this.pods.objects.get(`${pod.metadata.namespace}/${pod.metadata.name}`);
      if (latest?.metadata.deletionTimestamp !== undefined) void this.delete(latest, 0);
    });
  }

  private forget(running: Running): void {
    running.isOver = true;
    this.running.delete(attemptKey(attemptOf(running.pod)!));
    const log = this.logs.get(running.pod.metadata.name);
    if (log === undefined) return;
    log.isOver = true;
    for (const reader of log.readers) reader.end();
  }

  private async report(
    { pod }: Pick<Running, "pod">,
    { state }: Pick<ContainerStatus, "state">,
    status: object,
  ): Promise<void> {
    const { namespace, name, uid, labels } = pod.metadata;
    const containerStatuses = [
      { name: CONTAINER, image: "image", imageID: "", ready: false, restartCount: 0, state },
    ];
    await this.sure({
      method: "PUT",
      path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
      body: {
        ...pod,
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name, namespace, uid, labels },
        status: { ...status, containerStatuses },
      },
    });
  }

  /** A kubelet tries until it is heard. */
  private async sure(request: Parameters<Connection["call"]>[0]): Promise<ApiAnswer> {
    for (;;) {
      const answer = await this.connection.call(request);
      if (answer.ok || (answer.status !== null && answer.status < 500 && answer.status !== 429))
        return answer;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
