import type { Answer, EngineEvent, PlainDecision, Port } from "../../core/index.ts";

/** Instants that are gone through. */
const MOST_INSTANTS = 50;

/**
 * A copy of a farm in which nothing happens by itself: no job ends and none comes. What it decides is done at once, so
 * that a job which takes the place of others starts too.
 */
export class StandingFarm {
  readonly port: Port;
  /** The jobs that have started. */
  readonly started = new Set<number>();
  private now: number;
  private arrivals: { readonly job: number; readonly decision: number; readonly at: number }[] = [];

  constructor(port: Port, now: number) {
    this.port = port;
    this.now = now;
  }

  /** Tells it what happens, and does what it decides. */
  apply(event: EngineEvent): Answer {
    const answer = this.port.apply(event);
    for (const decision of answer.decisions) this.carryOut(decision);
    return answer;
  }

  /** Whether a job has started by then. */
  startsBy(job: number, until: number): boolean {
    for (let instant = 0; instant < MOST_INSTANTS && !this.started.has(job); instant++) {
      const { decisions } = this.apply({ type: "tick", at: this.now });
      // What follows from the answers is decided at the same time.
      if (decisions.length > 0) continue;
      const next = Math.min(this.port.nextTime, ...this.arrivals.map(({ at }) => at));
      if (!(next <= until)) break;
      this.now = Math.max(this.now, next);
      const due = this.arrivals.filter(({ at }) => at <= this.now);
      this.arrivals = this.arrivals.filter(({ at }) => at > this.now);
      for (const { job: arrived, decision } of due)
        this.apply({ type: "arrived", at: this.now, job: arrived, decision });
    }
    return this.started.has(job);
  }

  private carryOut(decision: PlainDecision): void {
    const { now: at } = this;
    switch (decision.type) {
      case "START":
        this.started.add(decision.job);
        return this.answer("started", decision);
      case "SUSPEND":
        return this.answer("suspended", decision);
      case "RESUME":
        return this.answer("resumed", decision);
      case "KILL":
        return this.answer("killed", decision);
      case "MOVE":
      case "DUPLICATE":
        if (decision.seconds > 0)
          this.arrivals.push({ job: decision.job, decision: decision.number, at: at + decision.seconds });
        return;
      case "CANCEL":
      case "LOST":
      case "DRAIN":
        return;
    }
  }

  private answer(
    type: "started" | "suspended" | "resumed" | "killed",
    { job, attempt, number: decision }: Extract<PlainDecision, { readonly attempt: number }>,
  ): void {
    this.apply({ type, at: this.now, job, attempt, decision });
  }
}
