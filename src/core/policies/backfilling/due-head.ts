import { NONE } from "../../none.ts";
import type { Plan } from "../../pool/plan.ts";
import type { PolicyContext } from "../../pool/policy.ts";
import type { Chooser } from "../../pool/search.ts";
import { RunningJobs } from "./running-jobs.ts";
import { Shadow } from "./shadow.ts";

/**
 * Places the jobs whose promised time is now, where machines are reserved for families. The promises count the pool as a
 * whole, so the cores that are free for a job may be on machines that it may not use. From the first such job on, no
 * other job of the pass is placed where it would delay that one: as under EASY, by what is free on each machine.
 * Otherwise families could keep the job waiting for ever.
 */
export class DueHead {
  private readonly context: PolicyContext;
  private readonly running: RunningJobs;
  private readonly shadow: Shadow;
  /** The first job of the pass that found no machine; `NONE` if there is none yet. */
  private head = NONE;
  private isShadowKnown = false;

  constructor(context: PolicyContext) {
    this.context = context;
    this.running = new RunningJobs(context.jobs);
    this.shadow = new Shadow(context, this.running);
  }

  begin(): void {
    this.head = NONE;
    this.isShadowKnown = false;
  }

  place(job: number, chooser: Chooser, plan: Plan, now: number): boolean {
    const { shadow, head } = this;
    const { placer, jobs } = this.context;
    if (head === NONE) {
      const isPlaced = placer.place(job, chooser, plan);
      if (!isPlaced) this.head = job;
      return isPlaced;
    }
    if (!this.isShadowKnown) shadow.compute(head, plan, now);
    this.isShadowKnown = true;
    const start = plan.length;
    const end = now + jobs.estimateSeconds[job];
    if (!shadow.mayAdmit(job, end) || !placer.place(job, chooser, plan, shadow.guardUntil(end))) return false;
    if (shadow.admit(plan, start, end)) return true;
    placer.undoLast(plan);
    return false;
  }

  /** A job has been given machines. */
  add(job: number, now: number): void {
    this.running.add(job, now);
  }

  /** A job gives its machines back. */
  remove(job: number): void {
    this.running.remove(job);
  }
}
