import type { EngineEvent, Port, ReasonSink, WaitReason } from "../../core/index.ts";
import type { ScheduledPod } from "./objects.ts";
import { namesFor } from "./names-for.ts";
import type { Unit, Verdict } from "./unit.ts";

interface Farm {
  /** By number: those that the decision engine knows. */
  readonly units: ReadonlyMap<number, Unit>;
  /** By UID. */
  readonly pods: ReadonlyMap<string, ScheduledPod>;
  readonly tell: (event: EngineEvent) => void;
}

/** For whom room is kept that a unit could have, by its number, and how that is told. */
interface Kept {
  readonly whom: number;
  readonly verdict: Verdict;
}

/** Whom it is that comes first changes with each start, and each change is a write to the API for each that is told. */
const ASK_SECONDS = 10;
const MOST_ASKED = 100;
/** All machines are looked at for each that is asked about. */
const MOST_LOOKS = 100_000;

/**
 * For whom the room is kept that waiting pods could have. The decision engine is asked about the first of the queue, now
 * and then: the others learn that there is somebody, and not who.
 */
export class KeptFor implements ReasonSink {
  /** The handles of those that are asked about. */
  readonly jobs = new Set<number>();
  private readonly farm: Farm;
  private readonly known = new Map<number, Kept>();
  private port: Port | null = null;
  private askedAt = -Infinity;
  private isOutdated = true;

  constructor(farm: Farm) {
    this.farm = farm;
  }

  /** There is a new decision engine. */
  begin(port: Port): void {
    this.port = port;
    this.known.clear();
    this.jobs.clear();
    this.isOutdated = true;
    port.tellReasons(this);
  }

  /** The decision engine is told of something. */
  tells({ type }: EngineEvent): void {
    if (type !== "tick" && type !== "asked") this.isOutdated = true;
  }

  /** When to ask again; Infinity: the answers would be the same. */
  get nextTime(): number {
    const isOpen = this.isOutdated && (this.port?.view.pools[0]!.waiting ?? 0) > 0;
    return isOpen ? this.askedAt + ASK_SECONDS : Infinity;
  }

  /** Asks about the first of the queue, if it is time. The next cycle answers. */
  ask(at: number): void {
    if (at < this.nextTime) return;
    const port = this.port!;
    const pool = port.view.pools[0]!;
    const most = Math.min(MOST_ASKED, Math.ceil(MOST_LOOKS / Math.max(1, pool.machines.count)));
    const handles = pool.queue(at, most);
    const numbers = handles.map((handle) => port.numberOf(handle));
    this.askedAt = at;
    this.isOutdated = false;
    this.jobs.clear();
    for (const handle of handles) this.jobs.add(handle);
    for (const number of this.known.keys()) if (!numbers.includes(number)) this.known.delete(number);
    if (numbers.length > 0) this.farm.tell({ type: "asked", at, job: numbers[0]! });
  }

  /** How a unit is told for whom the room is kept; null: there is none, it is not known, or they wait no more. */
  verdictOf({ number }: Unit): Verdict | null {
    const kept = this.known.get(number);
    return kept !== undefined && this.farm.units.get(kept.whom)?.state === "waiting" ? kept.verdict : null;
  }

  waits(handle: number, _pool: number, reason: WaitReason): void {
    const number = this.port!.numberOf(handle);
    const kept = this.keptFrom(handle, reason);
    this.jobs.delete(handle);
    if (kept === null) this.known.delete(number);
    else this.known.set(number, kept);
  }

  waitsForPool(): void {}

  suspended(): void {}

  private keptFrom(handle: number, { rule, ahead, machines }: WaitReason): Kept | null {
    const hasRoom = machines.tasksWithRoom >= this.port!.view.jobs.tasksOf(handle);
    if (rule?.kind === "behind")
      return this.kept(
        handle,
        rule.job,
        (whom) => `it comes after ${whom}, which finds no room, and none may pass it`,
      );
    if (!hasRoom) return null;
    if (rule?.kind === "reserved")
      return this.kept(
        handle,
        ahead[0],
        (whom) => `a node has room, which is kept for pods before it, first ${whom}`,
      );
    if (rule?.kind === "would delay" || rule?.kind === "would delay promises")
      return this.kept(
        handle,
        rule.kind === "would delay" ? rule.job : rule.jobs[0],
        (whom) => `a node has room, and there it would delay ${whom}, which comes before it`,
      );
    return null;
  }

  private kept(from: number, handle: number | undefined, text: (whom: string) => string): Kept | null {
    const { units, pods } = this.farm;
    const whom = handle === undefined ? 0 : this.port!.numberOf(handle);
    const [own, unit] = [units.get(this.port!.numberOf(from)), units.get(whom)];
    if (own === undefined || unit === undefined) return null;
    const [told, first] = [pods.get(own.uids[0]!)!, pods.get(unit.uids[0]!)!];
    const isSame = told.metadata.namespace === first.metadata.namespace;
    const pod = `${isSame ? "pod " : ""}${namesFor(told, [first])}`;
    const named = `${unit.uids.length > 1 ? "the gang of " : ""}${pod}`;
    return { whom, verdict: { reason: "WaitingForTurn", message: `${text(named)}: it waits for its turn` } };
  }
}
