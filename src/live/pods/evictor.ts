import { isPassing, type ApiAnswer, type Connection } from "../engines/kubernetes/connection.ts";
import type { Clock } from "../engines/system/clock.ts";
import { readBudgets, UNREAD, type Budgets, type Obstacle, type PolicyVersion } from "./budgets.ts";
import type { Lease } from "./lease.ts";
import type { ScheduledPod } from "./objects.ts";
import type { Eviction, Preemptions } from "./preemptions.ts";

interface EvictorParts {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly lease: Pick<Lease, "isHeld">;
  readonly preemptions: Pick<
    Preemptions,
    "isWanted" | "isLeaving" | "sparedFor" | "leaves" | "stays" | "nominate"
  >;
  /** All of its victims are about to leave. */
  readonly evicted: (eviction: Eviction) => void;
  /**
   * Some victims stay.
   *
   * @param staying those of its victims that run on
   * @param obstacle what keeps them; null: nothing that is to be told
   * @param forbids which pods cannot be evicted now
   */
  readonly refused: (
    eviction: Eviction,
    staying: readonly ScheduledPod[],
    obstacle: Obstacle | null,
    forbids: (pod: ScheduledPod) => boolean,
  ) => void;
}

/** Nodes at a time: binds go before them. */
const AT_A_TIME = 4;
/** An eviction without an answer may have been done: it is asked for again, so often, which does no harm. */
const TRIES = 5;
const RETRY_SECONDS = 2;

/**
 * Evicts pods by the eviction API, which honours disruption budgets and grace. Those that wait are done together, in
 * rounds. The pods for which room is made are nominated first: whatever happens then, the next scheduler finds for whom
 * pods are leaving.
 */
export class Evictor {
  private readonly parts: EvictorParts;
  private queue: Eviction[] = [];
  private round: Promise<void> | null = null;

  constructor(parts: EvictorParts) {
    this.parts = parts;
  }

  evict(eviction: Eviction): void {
    this.queue.push(eviction);
    this.round ??= this.goRound();
  }

  /** Returns when nothing is under way. */
  async idle(): Promise<void> {
    await this.round;
  }

  private async goRound(): Promise<void> {
    while (this.queue.length > 0) {
      const evictions = this.queue;
      this.queue = [];
      const namespaces = evictions.flatMap((each) => this.toEvict(each).map(namespaceOf));
      const found = await readBudgets(this.parts.connection, new Set(namespaces));
      const next = evictions.values();
      const work = async (): Promise<void> => {
        for (const eviction of next)
          if ("problem" in found) this.cannotBegin(eviction, { name: UNREAD, message: found.problem });
          else await this.evictAll(eviction, found.budgets, found.version);
      };
      await Promise.all(Array.from({ length: AT_A_TIME }, work));
    }
    this.round = null;
  }

  private async evictAll(eviction: Eviction, budgets: Budgets, version: PolicyVersion): Promise<void> {
    const { preemptions, evicted, refused } = this.parts;
    if (!preemptions.isWanted(eviction)) return this.refuse(eviction, null);
    const pods = this.toEvict(eviction);
    // It was decided before something was found that keeps some of them too.
    const known = pods
      .map(({ metadata }) => preemptions.sparedFor(metadata.uid))
      .find((each) => each !== null);
    if (known !== undefined) return this.refuse(eviction, known);
    if (!this.parts.lease.isHeld) return this.refuse(eviction, null);
    const forbidden = budgets.take(pods);
    if (forbidden !== null) return refused(eviction, pods, forbidden, (pod) => forbidden.forbids(pod));
    const problem = await this.nominate(eviction, true);
    if (problem !== null) return this.cannotBegin(eviction, { name: "nomination", message: problem });
    for (const [at, pod] of pods.entries()) {
      const { uid } = pod.metadata;
      preemptions.leaves(uid);
      const answer = await this.evictOne(pod, version);
      // Of one that is gone the watch tells.
      if (answer.ok || answer.status === 404) continue;
      preemptions.stays(uid);
      await this.nominate(eviction, false);
      const covering = budgets.of(pod);
      const by = covering.length === 0 ? "" : ` (disruption budget ${covering.join(", ")})`;
      const message = `the API server refuses it${by}: ${answer.message}`;
      return refused(eviction, pods.slice(at), { name: `API ${by}`, message }, (each) => each === pod);
    }
    evicted(eviction);
  }

  private async evictOne(pod: ScheduledPod, version: PolicyVersion): Promise<ApiAnswer> {
    const { connection, clock, lease } = this.parts;
    const { name, uid } = pod.metadata;
    const namespace = namespaceOf(pod);
    for (let tries = 1; ; tries++) {
      if (!lease.isHeld) return NOT_HELD;
      const answer = await connection.call({
        method: "POST",
        path: `/api/v1/namespaces/${namespace}/pods/${name}/eviction`,
        body: {
          apiVersion: version,
          kind: "Eviction",
          metadata: { name, namespace },
          deleteOptions: { preconditions: { uid } },
        },
      });
      if (answer.ok || answer.status === 429 || !isPassing(answer) || tries === TRIES) return answer;
      await new Promise<void>((resolve) => clock.after(RETRY_SECONDS, resolve));
    }
  }

  /**
   * Notes on the pods for which room is made on which node; or takes that back. Returns what is wrong; null: nothing.
   */
  private async nominate({ preemptors }: Eviction, isSo: boolean): Promise<string | null> {
    for (const { pod, node } of preemptors) {
      const { namespace, name, uid } = pod.metadata;
      this.parts.preemptions.nominate(uid, isSo ? node : null);
      const answer = await this.parts.connection.call({
        method: "PATCH",
        path: `/api/v1/namespaces/${namespace}/pods/${name}/status`,
        body: { metadata: { uid }, status: { nominatedNodeName: isSo ? node : null } },
      });
      // Of one that is gone the watch tells.
      if (!answer.ok && answer.status !== 404) return `${name} could not be nominated: ${answer.message}`;
    }
    return null;
  }

  /** The victims that are not about to leave already. */
  private toEvict({ victims }: Eviction): ScheduledPod[] {
    return victims.map(({ pod }) => pod).filter((pod) => !this.parts.preemptions.isLeaving(pod));
  }

  /** What has to be known or noted before it cannot be. Its victims are left alone for a while, as where a budget forbids it. */
  private cannotBegin(eviction: Eviction, obstacle: Obstacle): void {
    const pods = this.toEvict(eviction);
    this.parts.refused(eviction, pods, obstacle, (pod) => pods.includes(pod));
  }

  /** Nothing of it is done, for no fault of its victims. */
  private refuse(eviction: Eviction, obstacle: Obstacle | null): void {
    this.parts.refused(eviction, this.toEvict(eviction), obstacle, () => false);
  }
}

const NOT_HELD: ApiAnswer = {
  ok: false,
  status: 403,
  reason: "",
  message: "the lease is not held",
  retryAfterSeconds: null,
};

function namespaceOf({ metadata }: ScheduledPod): string {
  return metadata.namespace!;
}
