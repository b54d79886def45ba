import type { ApiAnswer, Connection } from "../engines/kubernetes/connection.ts";
import type { Clock } from "../engines/system/clock.ts";

interface LeasePlace {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly namespace: string;
  readonly name: string;
  /** Another one for each process. */
  readonly holder: string;
  /** Called when it is held, and whether another one may have held it since this one did last. */
  readonly held: (wasOthers: boolean) => void;
  /** Called when it is held no more, or not at the beginning, and when that has another reason than before. */
  readonly lost: (why: string) => void;
}

interface LeaseObject {
  readonly metadata: { readonly name: string; readonly resourceVersion?: string };
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

const DURATION_SECONDS = 15;
const RENEW_SECONDS = 5;
/** Before others may take it: what was sent by then has arrived, or will be refused. */
const MARGIN_SECONDS = 5;
const LATE = "to renew it took too long";

/**
 * One scheduler of a name at a time: the one that holds a Lease. Whoever finds one that has not been renewed for its
 * duration, by its own clock, takes it; the resource version lets one of several succeed.
 */
export class Lease {
  private readonly place: LeasePlace;
  /** By the monotonic clock: until then nobody else takes it. */
  private heldUntil = -Infinity;
  /** By the monotonic clock: until then another one is known to hold it. */
  private othersUntil = -Infinity;
  private problem: string | null = "it has not been asked for yet";
  private isTold: boolean | null = null;
  private toldWhy = "";
  private wasOthers = true;
  private seen: { readonly text: string; readonly since: number } | null = null;
  private cancel: () => void = () => undefined;
  private isClosed = false;

  constructor(place: LeasePlace) {
    this.place = place;
  }

  get name(): string {
    return this.place.name;
  }

  get isHeld(): boolean {
    return this.place.clock.monotonicSeconds() < this.heldUntil - MARGIN_SECONDS;
  }

  /** Why nobody is known to hold it; null: this one does, or another one did a moment ago. */
  get whyUnheld(): string | null {
    if (this.isHeld || this.place.clock.monotonicSeconds() < this.othersUntil) return null;
    return `the lease ${this.place.namespace}/${this.name} is not held: ${this.problem ?? LATE}`;
  }

  open(): void {
    void this.step();
  }

  /** Gives it up, so that the next one need not wait. */
  async close(): Promise<void> {
    const wasHeld = this.isHeld;
    this.isClosed = true;
    this.cancel();
    this.heldUntil = -Infinity;
    if (!wasHeld) return;
    const found = await this.place.connection.call({ method: "GET", path: this.path });
    const lease = found.ok ? (found.value as LeaseObject) : null;
    if (lease?.spec?.holderIdentity === this.place.holder)
      await this.put(lease, { ...lease.spec, holderIdentity: "", leaseDurationSeconds: 1 });
  }

  private get path(): string {
    return `${leasesPath(this.place.namespace)}/${this.place.name}`;
  }

  private async step(): Promise<void> {
    const { clock } = this.place;
    const asked = clock.monotonicSeconds();
    const problem = await this.renew(asked);
    if (this.isClosed) return;
    this.problem = problem;
    if (problem === null) this.heldUntil = asked + DURATION_SECONDS;
    this.tell(problem ?? LATE);
    this.cancel = clock.after(RENEW_SECONDS, () => void this.step());
  }

  private tell(why: string): void {
    const { isHeld } = this;
    if (isHeld === this.isTold && (isHeld || why === this.toldWhy)) return;
    this.isTold = isHeld;
    this.toldWhy = why;
    if (!isHeld) return this.place.lost(why);
    this.place.held(this.wasOthers);
    this.wasOthers = false;
  }

  /** Returns why it is not held; null: it is. */
  private async renew(now: number): Promise<string | null> {
    const { connection, holder, namespace, name } = this.place;
    const found = await connection.call({ method: "GET", path: this.path });
    if (!found.ok && found.status !== 404) return whyNot(found);
    if (!found.ok) {
      this.wasOthers = true;
      const metadata = { name, namespace };
      const body = { ...KIND, metadata, spec: this.spec(0) };
      return whyNot(await connection.call({ method: "POST", path: leasesPath(namespace), body }));
    }
    const lease = found.value as LeaseObject;
    const {
      holderIdentity = "",
      leaseDurationSeconds = DURATION_SECONDS,
      leaseTransitions = 0,
    } = lease.spec ?? {};
    const text = `${holderIdentity} ${lease.spec?.renewTime}`;
    // By this clock, since the holder's may be wrong.
    if (this.seen?.text !== text) this.seen = { text, since: now };
    const isTaken = holderIdentity !== "" && holderIdentity !== holder;
    if (isTaken && now < this.seen.since + leaseDurationSeconds) {
      this.othersUntil = now + DURATION_SECONDS;
      return `it is held by ${holderIdentity}`;
    }
    const isNew = holderIdentity !== holder;
    if (isNew) this.wasOthers = true;
    return whyNot(
      await this.put(lease, this.spec(leaseTransitions + (isNew ? 1 : 0), isNew ? null : lease.spec)),
    );
  }

  private put(lease: LeaseObject, spec: object): Promise<ApiAnswer> {
    const { namespace, name } = this.place;
    // With its version: if another one was faster this is refused.
    const metadata = { name, namespace, resourceVersion: lease.metadata.resourceVersion };
    return this.place.connection.call({ method: "PUT", path: this.path, body: { ...KIND, metadata, spec } });
  }

  private spec(leaseTransitions: number, before: object | null = null): object {
    const now = microTime(this.place.clock.unixSeconds());
    return {
      acquireTime: now,
      ...before,
      holderIdentity: this.place.holder,
      leaseDurationSeconds: DURATION_SECONDS,
      renewTime: now,
      leaseTransitions,
    };
  }
}

const KIND = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };

export function leasesPath(namespace: string): string {
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
}

/** Six decimals: with three the API refuses it. */
export function microTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString().replace("Z", "000Z");
}

function whyNot(answer: ApiAnswer): string | null {
  return answer.ok ? null : answer.message;
}
