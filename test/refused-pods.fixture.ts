import type { Connection } from "../src/live/engines/kubernetes/connection.ts";
import { usedBy } from "../src/live/engines/kubernetes/pod-use.ts";
import { Reflector } from "../src/live/engines/kubernetes/reflector.ts";
import { systemClock } from "../src/live/engines/system/clock.ts";
import type { ScheduledPod } from "../src/live/pods/objects.ts";

interface Bound {
  readonly name: string;
  readonly scheduler: string;
  readonly node: string;
  readonly coresMilli: number;
  readonly atSeconds: number;
  /** When it gave its cores back; Infinity: not yet. */
  untilSeconds: number;
}

export interface Refusal {
  readonly pod: string;
  readonly message: string;
  /** Without what another scheduler bound there at the same moment it would have fitted. */
  readonly isRace: boolean;
}

/** Another scheduler may not have heard of what was bound within this time. On a busy machine that takes a while. */
const RACE_SECONDS = 5;

/** Watches who binds what where, and which pods kubelets refuse because their node has no room. */
export class RefusedPods {
  private readonly coresMilli: number;
  private readonly bound = new Map<string, Bound>();
  private readonly refused = new Map<string, string>();
  private readonly pods: Reflector<ScheduledPod>;

  /** @param coresMilli what each node has for pods */
  constructor(connection: Connection, coresMilli: number) {
    this.coresMilli = coresMilli;
    const clock = systemClock();
    this.pods = new Reflector<ScheduledPod>(
      { connection, clock, random: () => 0.1, path: "/api/v1/pods", query: {}, kept: (pod) => pod },
      {
        changed: (pod) => this.see(pod, clock.monotonicSeconds()),
        gone: ({ metadata }) => this.over(metadata.uid, clock.monotonicSeconds()),
        synced: () => undefined,
        failed: () => undefined,
        recovered: () => undefined,
      },
    );
    this.pods.open();
  }

  all(): Refusal[] {
    return Array.from(this.refused, ([uid, message]) => {
      const own = this.bound.get(uid)!;
      // What its scheduler could know of: all that it has bound itself, and of the others what was there a while before.
      const known = [...this.bound.values()].filter(
        (each) =>
          each !== own &&
          each.node === own.node &&
          each.untilSeconds > own.atSeconds &&
          each.atSeconds <= own.atSeconds - (each.scheduler === own.scheduler ? 0 : RACE_SECONDS),
      );
      const taken = known.reduce((sum, each) => sum + each.coresMilli, own.coresMilli);
      return { pod: `${own.name} of ${own.scheduler}`, message, isRace: taken <= this.coresMilli };
    });
  }

  close(): void {
    this.pods.close();
  }

  private see(pod: ScheduledPod, now: number): void {
    const { uid, name } = pod.metadata;
    const { nodeName: node, schedulerName: scheduler = "" } = pod.spec;
    if (node === undefined) return;
    if (!this.bound.has(uid)) {
      const { coresMilli } = usedBy(pod, "none");
      this.bound.set(uid, { name, scheduler, node, coresMilli, atSeconds: now, untilSeconds: Infinity });
    }
    // One that has ended by itself, or was ended, has no reason.
    if (pod.status?.phase !== "Failed" || pod.status.reason === undefined) return;
    this.over(uid, now);
    this.refused.set(uid, `${pod.status.reason}: ${pod.status.message}`);
  }

  private over(uid: string, now: number): void {
    const bound = this.bound.get(uid);
    if (bound !== undefined) bound.untilSeconds = Math.min(bound.untilSeconds, now);
  }
}
