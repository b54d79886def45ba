import { Reflector } from "../../src/live/engines/kubernetes/reflector.ts";
import { systemClock } from "../../src/live/engines/system/clock.ts";
import type { ScheduledPod } from "../../src/live/pods/objects.ts";
import type { Part } from "../../test/kubernetes-cluster.fixture.ts";
import type { PodsCluster } from "../../test/pods-cluster.fixture.ts";

/** What was found of the pods of a trial, as texts that say what is wrong. */
export interface Found {
  /** That were started, and how many containers were. */
  readonly pods: number;
  readonly starts: number;
  readonly twice: readonly string[];
  readonly boundTwice: readonly string[];
  readonly refused: readonly string[];
}

interface AuditEvent {
  readonly objectRef?: { readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly requestObject?: {
    readonly metadata?: { readonly uid?: string };
    readonly target?: { readonly name?: string };
  };
}

/**
 * Sees what becomes of pods beside the scheduler: every state that the API tells, every bind that the API server has
 * answered, by its audit, and every container that a kubelet has started, by its log.
 */
export class PodsWitness {
  private readonly world: PodsCluster;
  private readonly kubelets: readonly Part[];
  private readonly pods: Reflector<ScheduledPod>;
  /** By UID: the nodes that it was said to be on. */
  private readonly nodes = new Map<string, Set<string>>();
  private readonly refused = new Map<string, string>();
  /** By log: what was written of it before the trial. */
  private readonly read = new Map<string, number>();
  private readonly kills = new Map<string, number>();

  constructor(world: PodsCluster, kubelets: readonly Part[]) {
    this.world = world;
    this.kubelets = kubelets;
    this.pods = new Reflector<ScheduledPod>(
      {
        connection: world.admin,
        clock: systemClock(),
        random: () => 0.1,
        path: "/api/v1/pods",
        query: {},
        kept: (pod) => pod,
      },
      {
        changed: (pod) => this.see(pod),
        gone: (pod) => this.see(pod),
        synced: () => undefined,
        failed: () => undefined,
        recovered: () => undefined,
      },
    );
    this.pods.open();
  }

  close(): void {
    this.pods.close();
  }

  /** A trial begins: what was before is not of it. */
  begin(): void {
    for (const each of [this.nodes, this.refused, this.kills]) each.clear();
    for (const part of [...this.kubelets, "audit"] as const)
      this.read.set(part, this.world.cluster.log(part).length);
  }

  /** Containers of a made-up runtime end with their kubelet, which then starts those of its pods again. */
  killed(kubelet: Part): void {
    this.kills.set(kubelet, (this.kills.get(kubelet) ?? 0) + 1);
  }

  /** A kubelet has refused a pod, which is a fault whatever comes of it: its Job makes another one after minutes. */
  get hasRefused(): boolean {
    return this.refused.size > 0;
  }

  /** @param isPlanted a fault: another kubelet has started one of them, too */
  found(isPlanted: boolean): Found {
    const starts = this.starts();
    if (isPlanted) [...starts.values()][0]?.set("another", 1);
    const twice: string[] = [];
    for (const [uid, on] of starts) {
      if (on.size > 1) twice.push(`pod ${uid} was started by ${[...on.keys()].join(" and ")}`);
      for (const [kubelet, times] of on)
        if (times > 1 + (this.kills.get(kubelet) ?? 0))
          twice.push(`pod ${uid} was started ${times} times by ${kubelet}`);
    }
    const boundTwice: string[] = [];
    for (const [uid, nodes] of this.nodes)
      if (nodes.size > 1) boundTwice.push(`pod ${uid} was on ${[...nodes].join(" and on ")}`);
    for (const [uid, nodes] of this.binds())
      if (nodes.length > 1) boundTwice.push(`pod ${uid} was bound to ${nodes.join(", then to ")}`);
    const count = [...starts.values()].reduce(
      (sum, on) => sum + [...on.values()].reduce((a, b) => a + b, 0),
      0,
    );
    return { pods: starts.size, starts: count, twice, boundTwice, refused: [...this.refused.values()] };
  }

  /** By UID, by kubelet. */
  private starts(): Map<string, Map<string, number>> {
    const starts = new Map<string, Map<string, number>>();
    for (const kubelet of this.kubelets)
      for (const [, uid] of this.textOf(kubelet).matchAll(STARTED)) {
        const on = starts.get(uid) ?? new Map<string, number>();
        starts.set(uid, on.set(kubelet, (on.get(kubelet) ?? 0) + 1));
      }
    return starts;
  }

  /** By UID: the nodes, in the order of the binds that were done. */
  private binds(): Map<string, string[]> {
    const binds = new Map<string, string[]>();
    for (const line of this.textOf("audit").split("\n")) {
      const event = parsed(line);
      const uid = event?.requestObject?.metadata?.uid;
      if (
        uid === undefined ||
        event?.objectRef?.subresource !== "binding" ||
        event.responseStatus?.code !== 201
      )
        continue;
      binds.set(uid, [...(binds.get(uid) ?? []), event.requestObject?.target?.name ?? ""]);
    }
    return binds;
  }

  private textOf(part: Part | "audit"): string {
    return this.world.cluster.log(part).slice(this.read.get(part));
  }

  private see({ metadata: { uid, name }, spec: { nodeName }, status }: ScheduledPod): void {
    if (nodeName !== undefined) this.nodes.set(uid, (this.nodes.get(uid) ?? new Set()).add(nodeName));
    // One that has ended by itself, or was ended, has no reason.
    if (status?.phase === "Failed" && status.reason !== undefined)
      this.refused.set(uid, `pod ${name} on ${nodeName}: ${status.reason}: ${status.message}`);
  }
}

/** A line of a kubelet's log: a container of the pod's own has started, and not the sandbox around it. */
const STARTED = /Type:"ContainerStarted", Data:"[^"]*_([0-9a-f-]{36})_\d+_main_\d+"/g;

/** Null: the process was killed while it wrote the line. */
function parsed(line: string): AuditEvent | null {
  try {
    return JSON.parse(line) as AuditEvent;
  } catch {
    return null;
  }
}
