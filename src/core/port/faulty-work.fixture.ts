import type { BadDay } from "./bad-day.fixture.ts";
import type { PlainDecision } from "./decisions.ts";
import type { OutcomeEvent } from "./events.ts";
import type { RealAttempt, RealFarm, RealJob } from "./real-farm.fixture.ts";

type WithoutTime<E> = E extends unknown ? Omit<E, "at"> : never;
export type Report = WithoutTime<OutcomeEvent>;
type Order = Exclude<PlainDecision, { readonly type: "MOVE" | "DUPLICATE" | "CANCEL" | "LOST" | "DRAIN" }>;

/** Carries out an engine's decisions on a real farm, where starts, suspensions and resumptions may fail. */
export class FaultyWork {
  /** By job: the pool of its last START. */
  readonly lastPool = new Map<number, number>();
  private readonly farm: RealFarm;
  private readonly day: BadDay;
  private readonly report: (event: Report) => void;

  /** @param report takes answers, and how attempts end, on their way to the engine */
  constructor(farm: RealFarm, day: BadDay, report: (event: Report) => void) {
    this.farm = farm;
    this.day = day;
    this.report = report;
  }

  /** Carries out a decision: at once, late or never. */
  carryOut(decision: PlainDecision): void {
    const { farm, day } = this;
    if (decision.type === "DRAIN") {
      farm.toldDrained[decision.pool][decision.machine] = true;
      day.fault("black hole drained");
      return;
    }
    if (decision.type === "DUPLICATE") {
      farm.add(decision.job, farm.jobs.get(decision.of)!.request);
    }
    const job = farm.jobs.get(decision.job);
    if (job === undefined || job.isOver) {
      farm.violations.push(`${JSON.stringify(decision)} is about a job that is over`);
      return;
    }
    switch (decision.type) {
      case "MOVE":
      case "DUPLICATE":
        // In another pool, and after it has come back, it may try every machine.
        job.refusals.length = 0;
        if (decision.seconds > 0) {
          job.pending++;
          day.later(decision.seconds + (day.isFaulty ? day.delay() : 0), () => {
            job.pending--;
            this.report({ type: "arrived", job: job.number, decision: decision.number });
          });
        }
        return;
      case "CANCEL":
        return;
      case "LOST":
        job.real = null;
        job.lostAttempt = decision.attempt;
        return;
      case "START":
      case "RESUME":
        farm.checkTold(decision, day.now);
    }
    if (decision.type === "START") {
      job.attempt = decision.attempt;
      this.lastPool.set(job.number, decision.pool);
    }
    job.isAnswered = false;
    job.pending++;
    // What it is told decides, though its pool may suspend in another way before it is carried out.
    const keepsMemory = farm.keepsMemory(decision.pool);
    const time = Math.max(job.busyUntil, day.now + (day.isFaulty ? day.delay() : 0));
    job.busyUntil = time;
    day.later(time - day.now, () => {
      job.pending--;
      if (!job.isOver && job.attempt === decision.attempt) this.act(job, decision, keepsMemory);
    });
  }

  private act(job: RealJob, decision: Order, keepsMemory: boolean): void {
    const { farm, day } = this;
    const { draws } = day;
    const { number, attempt, type } = decision;
    const about = { job: job.number, attempt, decision: number };
    const { pool } = decision;
    const { real } = job;
    if (type === "KILL") {
      const mayStay = decision.why === "preempt" && real !== null && real.attempt === attempt;
      if (mayStay && day.happens(0.2, "KILL refused")) {
        job.isAnswered = true;
        this.report({ type: "suspendFailed", ...about });
        return;
      }
      job.real = null;
      if (day.happens(0.05, "KILL never answered")) return;
      job.isAnswered = true;
      this.report({ type: "killed", ...about });
      return;
    }
    if (type === "START") {
      if (job.lostAttempt >= attempt) return;
      const broken = decision.placement.find(({ machine }) => farm.isDown[pool][machine]);
      const fault = draws.of(["machine", "machine", "job", "transient"] as const);
      if (broken !== undefined || day.happens(0.12, `start failed: ${fault}`)) {
        const { machine } = broken ?? draws.of(decision.placement);
        job.isAnswered = true;
        this.report({
          type: "startFailed",
          ...about,
          machine,
          fault: broken === undefined ? fault : "machine",
        });
        return;
      }
      job.real = { attempt, pool, placement: decision.placement, isSuspended: false, keepsMemory: false };
      farm.checkCapacity(pool);
      if (day.happens(0.03, "START never answered")) return;
      job.isAnswered = true;
      this.report({ type: "started", ...about });
      this.runs(job, job.real);
      return;
    }
    // An attempt that is gone cannot be stopped, and its end is under way.
    if (real === null || real.attempt !== attempt) return;
    const isSuspend = type === "SUSPEND";
    if (day.happens(0.2, isSuspend ? "suspend failed" : "resume failed")) {
      job.isAnswered = true;
      this.report({ type: isSuspend ? "suspendFailed" : "resumeFailed", ...about });
      return;
    }
    real.isSuspended = isSuspend;
    if (isSuspend) real.keepsMemory = keepsMemory;
    farm.checkCapacity(pool);
    if (day.happens(0.03, `${type} never answered`)) return;
    job.isAnswered = true;
    this.report({ type: isSuspend ? "suspended" : "resumed", ...about });
    if (!isSuspend) this.runs(job, real);
  }

  /** A job runs: at some time it ends or is lost, unless it is stopped before. */
  private runs(job: RealJob, real: RealAttempt): void {
    const { day } = this;
    day.later(day.draws.of([0, 1, 5, 20, 60, 200]), () => {
      if (job.real !== real || real.isSuspended) return;
      job.real = null;
      const type = day.happens(0.08, "attempt lost") ? "lost" : "exited";
      this.report({ type, job: job.number, attempt: real.attempt });
    });
  }
}
