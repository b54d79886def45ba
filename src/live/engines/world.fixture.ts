import { attemptKey, type AttemptId } from "./attempt-id.ts";
import type { Engine, Outcome, Report, StartRequest } from "./engine.ts";
import type { Lifeline } from "./system/lifeline.fixture.ts";

/** The world around an engine, as the contract test needs it. It outlives the engine objects. */
export interface World {
  /** Machines that are up. */
  readonly machines: readonly string[];
  /** One that is not, if there can be one. */
  readonly downMachine: string | null;
  /**
   * A new engine on the state that is there. The one before is dead: nothing that it does has an effect.
   *
   * @param diesAtStep when this one dies by itself; see `Lifeline`
   */
  open(diesAtStep?: number): Promise<Watched>;
  /** How to ask for a job of this kind, on the first machine unless told otherwise. */
  request(id: AttemptId, kind: JobKind, machine?: string): StartRequest;
  /** Lets a waiting job go on to its end. */
  release(id: AttemptId): void;
  /** How often the attempt began to run, by a count that is the job's own. */
  runs(id: AttemptId): number;
  /** The processor time of what runs of it. */
  progress(id: AttemptId): Promise<number>;
  /** Whether anything of it is there. */
  isAlive(id: AttemptId): Promise<boolean>;
  readonly faults: readonly Fault[];
  /** Puts foreign files into the state folder; returns a check that they are unchanged. */
  litter(): Promise<() => Promise<boolean>>;
  /** Tells the batch system that a machine is back, as an administrator would, where it does not notice by itself. */
  bringBack?(machine: string): Promise<void>;
  /** Waits until it is so. */
  until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

/**
 * - `short`: prints `out` and `err`, ends with status 3.
 * - `waiting`: runs until it is released, ends with status 0.
 * - `busy`: computes, without an end.
 */
export type JobKind = "short" | "waiting" | "busy";

/** Something that befalls the engine's side while an attempt runs. */
export interface Fault {
  readonly name: string;
  inject(id: AttemptId): Promise<void>;
  /** Repairs it, if it does not end by itself. */
  repair(): Promise<void>;
  /** What the attempt may come to: it may be unharmed, or over in one of these ways. */
  readonly outcomes: readonly Outcome["kind"][];
  readonly mayBeUnharmed: boolean;
}

/** An engine and what it has reported. */
export class Watched {
  readonly engine: Engine;
  readonly reports: Report[] = [];
  private readonly world: Pick<World, "until">;
  private readonly life: Lifeline;

  constructor(engine: Engine, life: Lifeline, world: Pick<World, "until">) {
    this.engine = engine;
    this.life = life;
    this.world = world;
  }

  async open(): Promise<this> {
    // It may die while it opens.
    let isOpen = false;
    let failure: unknown = null;
    const opening = this.engine.open((report) => {
      if (!this.life.isDead) this.reports.push(report);
    });
    void opening.then(
      () => (isOpen = true),
      (error: unknown) => (failure = error),
    );
    await this.world.until("the engine is open", () => isOpen || failure !== null || this.life.isDead);
    if (failure !== null) throw failure;
    return this;
  }

  isDead(): boolean {
    return this.life.isDead;
  }

  of<Kind extends Report["kind"]>(kind: Kind): Extract<Report, { kind: Kind }>[] {
    return this.reports.filter((report): report is Extract<Report, { kind: Kind }> => report.kind === kind);
  }

  about<Kind extends Report["kind"]>(id: AttemptId, kind: Kind): Extract<Report, { kind: Kind }>[] {
    return this.of(kind).filter((report) => "id" in report && attemptKey(report.id) === attemptKey(id));
  }

  /** The next report of a kind, from `after` reports of it on. */
  async next<Kind extends Report["kind"]>(
    id: AttemptId,
    kind: Kind,
    after = 0,
  ): Promise<Extract<Report, { kind: Kind }>> {
    const what = `${kind} is reported of ${attemptKey(id)}`;
    await this.world.until(what, () => {
      const isReported = this.about(id, kind).length > after;
      if (!isReported && kind === "started" && this.outcomes(id).length > 0)
        throw new Error(`it has not started: ${JSON.stringify(this.outcomes(id)[0])}`);
      return isReported;
    });
    return this.about(id, kind)[after];
  }

  outcomes(id: AttemptId): Outcome[] {
    return [...this.about(id, "exited"), ...this.about(id, "lost"), ...this.about(id, "start-failed")];
  }

  async outcome(id: AttemptId): Promise<Outcome> {
    await this.world.until(
      `the outcome of ${attemptKey(id)} is reported`,
      () => this.outcomes(id).length > 0,
    );
    return this.outcomes(id)[0];
  }

  async known(id: AttemptId) {
    const listing = await this.engine.list();
    if (listing.kind === "unreachable") throw new Error(`unreachable: ${listing.reason}`);
    return listing.attempts.find((each) => attemptKey(each.id) === attemptKey(id)) ?? null;
  }
}
