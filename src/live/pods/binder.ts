import { isPassing, type ApiAnswer, type Connection } from "../engines/kubernetes/connection.ts";
import { isOfRights } from "../engines/kubernetes/missing-right.ts";
import type { Clock } from "../engines/system/clock.ts";
import type { Lease } from "./lease.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Start } from "./units.ts";
import type { Unit } from "./unit.ts";

interface BinderParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly lease: Pick<Lease, "isHeld">;
  /** How many more pods a node takes, those included that are about to be bound to it. */
  readonly slots: (node: string) => number;
  /** Returns when nothing is told of a pod any more: that it is not scheduled must not arrive after it is. */
  readonly quiet: (uid: string) => Promise<void>;
  readonly bound: (pod: ScheduledPod, node: string) => void;
  /** Nothing of a pod is under way any more. */
  readonly settled: (uid: string) => void;
  /** None of a unit's pods is bound. */
  readonly failed: (unit: Unit, message: string) => void;
  /** Some of a unit's pods are bound, and others cannot be. */
  readonly gaveUp: (unit: Unit) => void;
}

type Result =
  | { readonly is: "bound" }
  | { readonly is: "gone" }
  | { readonly is: "refused"; readonly message: string };

/** A gang that has begun to start is bound as a whole: the rest is tried again, for so long. */
const REST_TRIES = 8;
const REST_SECONDS = 2;
/** How long binds wait for a lease that is being renewed. */
const LEASE_SECONDS = 10;
/**
 * Binds that are sent and not answered. More would not be faster, and would be sent long after the lease was looked at;
 * and what renews the lease would wait behind them.
 */
const AT_A_TIME = 16;

/**
 * Binds pods to their nodes. The API takes one binding of a pod and no other, so that whatever happens a pod is bound
 * once; where no answer has come, the pod itself is asked.
 */
export class Binder {
  private readonly parts: BinderParts;
  /** Starts that are under way. */
  private readonly underWay = new Set<Promise<void>>();
  private sent = 0;
  /** Those that are to be sent next, in their order. */
  private readonly queue = new Set<() => void>();
  /** Waits for the lease, or has done so in vain; null: it was held. */
  private leaseWait: Promise<void> | null = null;

  constructor(parts: BinderParts) {
    this.parts = parts;
  }

  bind(start: Start): void {
    const done = this.bindAll(start).finally(() => this.underWay.delete(done));
    this.underWay.add(done);
  }

  /** Returns when nothing is under way. */
  async idle(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  private async bindAll({ unit, pods }: Start): Promise<void> {
    const { failed, gaveUp, settled, slots } = this.parts;
    const full = pods.find(({ node }) => slots(node) < 0);
    if (full !== undefined) return failed(unit, `node ${full.node} takes no more pods`);
    // The first shows whether the API takes any: nothing of the others is done then.
    const [first, ...rest] = pods;
    const result = await this.bindOne(unit, first!);
    if (result.is === "refused") return failed(unit, result.message);
    settled(first!.pod.metadata.uid);
    const isBound = await Promise.all(rest.map((each) => this.bindRest(unit, each)));
    if (isBound.includes(false)) gaveUp(unit);
  }

  private async bindRest(unit: Unit, each: Start["pods"][number]): Promise<boolean> {
    const { clock, settled } = this.parts;
    let isDone = false;
    for (let tries = 0; tries < REST_TRIES && !isDone && unit.state === "placed"; tries++) {
      if (tries > 0) await new Promise<void>((resolve) => clock.after(REST_SECONDS, resolve));
      isDone = (await this.bindOne(unit, each)).is !== "refused";
    }
    settled(each.pod.metadata.uid);
    return isDone;
  }

  private async bindOne(unit: Unit, { pod, node }: Start["pods"][number]): Promise<Result> {
    await this.parts.quiet(pod.metadata.uid);
    if (this.sent === AT_A_TIME) await new Promise<void>((resolve) => this.queue.add(resolve));
    else this.sent++;
    try {
      // It has waited: meanwhile all may have been decided anew.
      if (unit.state !== "placed") return { is: "gone" };
      if (!(await this.isLeaseHeld())) return { is: "refused", message: "the lease is not held" };
      return await this.send(pod, node);
    } finally {
      const [next] = this.queue;
      if (next === undefined) this.sent--;
      else {
        this.queue.delete(next);
        next();
      }
    }
  }

  private async send(pod: ScheduledPod, node: string): Promise<Result> {
    const { namespace, name, uid } = pod.metadata;
    const answer = await this.parts.connection.call({
      method: "POST",
      path: `/api/v1/namespaces/${namespace}/pods/${name}/binding`,
      body: {
        apiVersion: "v1",
        kind: "Binding",
        metadata: { name, namespace, uid },
        target: { apiVersion: "v1", kind: "Node", name: node },
      },
    });
    if (answer.ok) {
      this.parts.bound(pod, node);
      return { is: "bound" };
    }
    // It may have been done all the same, or by another scheduler.
    if (answer.status === 409 || answer.status === 404 || isPassing(answer))
      return this.look(pod, node, answer);
    // That goes for all nodes.
    const where = isOfRights(answer.message) ? "" : ` to ${node}`;
    return { is: "refused", message: `it could not be bound${where}: ${answer.message}` };
  }

  /** A long turn keeps the lease from being renewed: it is, soon after, unless another one has it. */
  private async isLeaseHeld(): Promise<boolean> {
    const { lease } = this.parts;
    if (!lease.isHeld) await (this.leaseWait ??= this.waitForLease());
    if (lease.isHeld) this.leaseWait = null;
    return lease.isHeld;
  }

  private async waitForLease(): Promise<void> {
    const { clock, lease } = this.parts;
    for (let waited = 0; waited < LEASE_SECONDS && !lease.isHeld; waited++)
      await new Promise<void>((resolve) => clock.after(1, resolve));
  }

  private async look(
    pod: ScheduledPod,
    node: string,
    { message }: ApiAnswer & { ok: false },
  ): Promise<Result> {
    const { namespace, name, uid } = pod.metadata;
    const answer = await this.parts.connection.call({
      method: "GET",
      path: `/api/v1/namespaces/${namespace}/pods/${name}`,
    });
    if (!answer.ok) {
      // The watch tells that it is gone.
      if (answer.status === 404) return { is: "gone" };
      return { is: "refused", message: `it could not be bound to ${node}: ${message}` };
    }
    const found = answer.value as ScheduledPod;
    if (found.metadata.uid !== uid) return { is: "gone" };
    if (found.spec.nodeName === undefined)
      return { is: "refused", message: `it could not be bound to ${node}: ${message}` };
    this.parts.bound(found, found.spec.nodeName);
    return { is: "bound" };
  }
}
