import type { Jobs } from "../../jobs/jobs.ts";
import type { Heuristic } from "../../matching/heuristic.ts";
import { NONE } from "../../none.ts";
import type { MachineState } from "../../machines/machine-state.ts";
import { FailedRequests } from "../../pool/failed-requests.ts";
import type { Chooser, Placer } from "../../pool/placer.ts";
import type { Plan } from "../../pool/plan.ts";
import type { Policy, PolicyContext, PolicyKind } from "../../pool/policy.ts";
import type { WaitQueue } from "../../queue/wait-queue.ts";
import { RunningJobs } from "./running-jobs.ts";
import { Shadow } from "./shadow.ts";

/**
 * EASY backfilling (Lifka 1995): jobs start in order of arrival; when the first
 * does not fit it is promised the earliest time at which it will, and later jobs
 * may start at once as long as that promise holds.
 */
export const easy: PolicyKind = {
  name: "easy",
  summary: "EASY backfilling: later jobs may pass as long as the first waiting job is not delayed",
  takesHeuristic: true,
  needsEstimates: true,
  needsMemory: false,
  reactsToEvents: true,
  create: (context, heuristic) => new Easy(context, heuristic, false),
};

/** EASY with the candidates in order of their estimates, shortest first (Tsafrir et al. 2007). */
export const easySjbf: PolicyKind = {
  ...easy,
  name: "easy-sjbf",
  summary: "EASY backfilling that tries the candidates with the shortest estimates first",
  create: (context, heuristic) => new Easy(context, heuristic, true),
};

class Easy implements Policy {
  private readonly machines: MachineState;
  private readonly jobs: Jobs;
  private readonly queue: WaitQueue;
  private readonly placer: Placer;
  private readonly chooser: Chooser;
  private readonly shortestFirst: boolean;
  private readonly running: RunningJobs;
  private readonly shadow: Shadow;
  private readonly failed: FailedRequests;
  private readonly candidates: number[] = [];

  constructor(context: PolicyContext, heuristic: Heuristic, shortestFirst: boolean) {
    this.machines = context.machines;
    this.jobs = context.jobs;
    this.queue = context.queue;
    this.placer = context.placer;
    this.chooser = context.chooser(heuristic);
    this.shortestFirst = shortestFirst;
    this.running = new RunningJobs(this.jobs);
    this.shadow = new Shadow(this.machines, this.jobs, context.placements);
    this.failed = new FailedRequests(this.jobs, context.waitingKinds);
  }

  cycle(now: number, plan: Plan): void {
    const { queue } = this;
    queue.begin();
    let head = queue.next();
    while (head !== NONE && this.start(head, now, plan)) head = queue.next();
    if (head !== NONE) this.backfill(head, now, plan);
  }

  finished(job: number): void {
    this.running.remove(job);
  }

  joined(job: number, now: number): void {
    this.running.add(job, now);
  }

  private start(job: number, now: number, plan: Plan): boolean {
    if (!this.placer.place(job, this.chooser, plan)) return false;
    this.queue.placed(job);
    this.running.add(job, now);
    return true;
  }

  private backfill(head: number, now: number, plan: Plan): void {
    const { queue, machines, jobs, candidates, failed, placer } = this;
    if (machines.totalFreeCores === 0) return;
    candidates.length = 0;
    for (let job = queue.next(); job !== NONE; job = queue.next()) {
      if (jobs.cores[job] * jobs.tasks[job] <= machines.totalFreeCores) candidates.push(job);
    }
    if (candidates.length === 0) return;
    if (this.shortestFirst) {
      const { estimateSeconds, arrival } = jobs;
      candidates.sort((a, b) => estimateSeconds[a] - estimateSeconds[b] || arrival[a] - arrival[b]);
    }
    let isComputed = false;
    failed.clear();
    for (const job of candidates) {
      if (failed.roomFor(job) !== NONE) continue;
      const start = plan.length;
      // The reservation is worked out on the machines as they are without the candidate, and only if there is one.
      if (!isComputed) {
        this.shadow.compute(head, this.running, plan, now);
        isComputed = true;
      }
      const end = now + jobs.estimateSeconds[job];
      if (!this.shadow.mayAdmit(job, end)) continue;
      if (!placer.place(job, this.chooser, plan)) failed.add(job, placer.room);
      else if (this.shadow.admits(plan, start, end)) {
        queue.placed(job);
        this.running.add(job, now);
      } else placer.undoLast(plan);
    }
  }
}
