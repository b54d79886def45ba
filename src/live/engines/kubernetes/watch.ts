import { attemptKey } from "../attempt-id.ts";
import { cachedMachines, cacheMachines } from "../machine-cache.ts";
import type { Reachability } from "../reachability.ts";
import type { KubernetesAttempt } from "./attempt.ts";
import type { Fleet } from "./fleet.ts";
import type { Node, Pod } from "./objects.ts";
import { podsPath, type Parts } from "./parts.ts";
import { attemptOf } from "./pod.ts";
import { seePod } from "./reconcile.ts";
import { Reflector, type ReflectorEvents } from "./reflector.ts";
import { selecting } from "./settings.ts";

/** How long the farm's start waits for the cluster: it has other pools too. */
const FIRST_LOOK_SECONDS = 15;
/** Machines change with every pod of others, and are written down now and then. */
const CACHE_SECONDS = 5;

/** Watches the nodes, our pods, and what the pods of others take of the nodes. */
export class Watch {
  private readonly parts: Parts;
  private readonly fleet: Fleet;
  private readonly reachability: Reachability;
  private readonly nodes: Reflector<Node>;
  private readonly ours: Reflector<Pod>;
  private readonly bound: Reflector<Pod>;
  private wake: () => void = () => undefined;
  private isCaching = false;

  constructor(parts: Parts, fleet: Fleet, reachability: Reachability) {
    this.parts = parts;
    this.fleet = fleet;
    this.reachability = reachability;
    const { connection, clock, random, settings } = parts;
    const place = { connection, clock, random };
    this.nodes = new Reflector<Node>(
      { ...place, path: "/api/v1/nodes", query: selecting(settings.nodeSelector), kept: nameOf },
      this.events("nodes", {
        changed: (node) => this.fleet.see(node),
        gone: ({ metadata: { name } }) => this.fleet.remove(name),
      }),
    );
    this.ours = new Reflector<Pod>(
      // All of the namespace: a watch by labels calls a pod deleted that has lost its label.
      { ...place, path: podsPath(parts), query: {}, kept: placeOf },
      this.events("pods", {
        changed: (pod) => this.changed(pod),
        gone: (pod, isFinal) => this.gone(pod, isFinal),
      }),
    );
    const isTaking = "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed";
    this.bound = new Reflector<Pod>(
      { ...place, path: "/api/v1/pods", query: { fieldSelector: isTaking }, kept: placeOf },
      this.events("pods of all namespaces", {
        changed: (pod) => this.fleet.seePod(pod),
        gone: (pod) => this.fleet.removePod(pod),
      }),
    );
  }

  /** Whether everything has been seen once. */
  get hasSynced(): boolean {
    return [this.nodes, this.ours, this.bound].every((each) => each.hasSynced);
  }

  /** Returns when everything has been seen once, or the cluster is known to be unreachable. */
  async open(): Promise<void> {
    let cancel: () => void = () => undefined;
    const late = new Promise<void>((resolve) => {
      cancel = this.parts.clock.after(FIRST_LOOK_SECONDS, () => {
        if (!this.hasSynced)
          this.reachability.setProblem("start", `it has not answered for ${FIRST_LOOK_SECONDS} s`);
        resolve();
      });
    });
    const synced = new Promise<void>((resolve) => (this.wake = resolve));
    for (const each of [this.nodes, this.ours, this.bound]) each.open();
    await Promise.race([synced, late, this.reachability.whenLost()]);
    cancel();
    if (!this.hasSynced) this.fleet.recall(await cachedMachines(this.parts));
  }

  /** Pods that are named as ours are, and are not known. */
  strangers(): string[] {
    return [...this.ours.objects.values()]
      .filter(
        (pod) =>
          attemptOf(pod) !== null &&
          this.attemptOf(pod) === undefined &&
          pod.metadata.deletionTimestamp === undefined,
      )
      .map(({ metadata: { name, namespace } }) => `pod ${namespace}/${name}`);
  }

  /** Machines have changed. */
  cacheSoon(): void {
    if (this.isCaching || !this.hasSynced) return;
    this.isCaching = true;
    this.parts.clock.after(CACHE_SECONDS, () => {
      this.isCaching = false;
      void cacheMachines(this.parts, this.fleet.all());
    });
  }

  close(): void {
    for (const each of [this.nodes, this.ours, this.bound]) each.close();
  }

  private events<Kind extends Node | Pod>(
    what: string,
    own: Pick<ReflectorEvents<Kind>, "changed" | "gone">,
  ): ReflectorEvents<Kind> {
    return {
      ...own,
      synced: () => this.synced(),
      failed: (reason) => this.reachability.setProblem(what, `its ${what} cannot be seen: ${reason}`),
      recovered: () => this.reachability.clearProblem(what),
    };
  }

  private synced(): void {
    if (!this.hasSynced) return;
    this.fleet.complete();
    this.cacheSoon();
    this.reachability.clearProblem("start");
    for (const attempt of this.parts.attempts.values())
      if (attempt.state !== "over") this.parts.reconcileSoon(attempt);
    this.wake();
  }

  private changed(pod: Pod): void {
    const attempt = this.attemptOf(pod);
    if (attempt === undefined) return;
    if (attempt.record.uid === pod.metadata.uid) seePod(this.parts, attempt, pod);
    // It was made, and the attempt was ended before it could be claimed.
    else if (attempt.state === "over" && attempt.record.uid === null) {
      attempt.pod = pod;
      attempt.presence = "there";
    } else return;
    this.parts.reconcileSoon(attempt);
  }

  private gone(pod: Pod, isFinal: boolean): void {
    const attempt = this.attemptOf(pod);
    if (attempt === undefined || (attempt.pod?.metadata.uid ?? attempt.record.uid) !== pod.metadata.uid)
      return;
    if (isFinal) {
      attempt.pod = pod;
      attempt.isFinal = true;
      if (pod.spec.nodeName !== undefined) attempt.isBound = true;
    }
    attempt.presence = isFinal ? "gone" : "missing";
    this.parts.reconcileSoon(attempt);
  }

  private attemptOf(pod: Pod): KubernetesAttempt | undefined {
    const id = attemptOf(pod);
    return id === null ? undefined : this.parts.attempts.get(attemptKey(id));
  }
}

/** Who it is, of what the fleet and the attempts keep themselves as far as they need it. */
function nameOf({ metadata }: Node | Pod): Node {
  const { name, namespace, uid, resourceVersion, deletionTimestamp } = metadata;
  return {
    metadata: {
      name,
      uid,
      resourceVersion,
      ...(namespace === undefined ? {} : { namespace }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
  };
}

/** Who it is, and where. */
function placeOf(pod: Pod): Pod {
  const { nodeName } = pod.spec;
  return { metadata: nameOf(pod).metadata, spec: nodeName === undefined ? {} : { nodeName } };
}
