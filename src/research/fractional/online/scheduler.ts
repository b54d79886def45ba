import { NONE } from "../../../core/none.ts";
import { GreedyPlacer } from "./greedy-placer.ts";
import type { OnlineRequest } from "./jobs.ts";
import type { OnlinePolicy } from "./notation.ts";
import { OnlineState } from "./state.ts";

export interface OnlineSettings {
  readonly policy: OnlinePolicy;
  readonly nodes: number;
  /** Seconds without progress after a pause and resume, or a move. */
  readonly penaltySeconds: number;
  /** What `/MVT` means. */
  readonly minimumVirtualSeconds: number;
  /** What `/MFT` means. */
  readonly minimumFlowSeconds: number;
  /** By node, 1 to 100 percent of the fastest kind; all alike unless given. */
  readonly speedPercent?: Int32Array;
}

/** What is to be done with a job. `share` only gives it another share of CPU where it is. */
export type DecisionKind = "start" | "resume" | "move" | "pause" | "share";

export interface Decision {
  readonly kind: DecisionKind;
  readonly job: number;
  /** Tasks that are started, saved, restored or moved; 0 for `share`. */
  readonly tasks: number;
}

/**
 * Schedules jobs on a homogeneous cluster whose CPU can be shared in parts and
 * whose memory cannot, without knowing how long they run (Stillwell 2014).
 *
 * The driver reports submissions and completions, then asks for the decisions
 * of that instant. Where each job is, and with what share, is in `state`. The
 * clock counts whole seconds.
 */
export class OnlineScheduler {
  readonly state: OnlineState;
  /** Of the last call of `decide`. */
  readonly decisions: Decision[] = [];
  private readonly settings: OnlineSettings;
  private readonly arrivals;
  private readonly packer;
  private readonly periodic;
  private readonly allocate;
  private readonly placer: GreedyPlacer;
  private readonly submitted: number[] = [];
  /** The state's changes at the last decision: without any since, shares stay as they are. */
  private changesThen = -1;

  constructor(settings: OnlineSettings) {
    const { policy } = settings;
    this.settings = settings;
    const state = new OnlineState(
      settings.nodes,
      policy.priority,
      settings.penaltySeconds,
      {
        minimumVirtualSeconds: policy.isMinimumVirtualTimeKept ? settings.minimumVirtualSeconds : 0,
        minimumFlowSeconds: policy.isMinimumFlowTimeKept ? settings.minimumFlowSeconds : 0,
      },
      settings.speedPercent,
    );
    this.state = state;
    this.arrivals = policy.arrival?.create(state);
    this.packer = policy.packing?.create(state);
    this.periodic = policy.periodic?.create(state);
    this.allocate = policy.allocation.create(state);
    this.placer = new GreedyPlacer(state);
  }

  /** A job has come. Its handle is valid until `finish`. */
  submit(request: OnlineRequest, now: number): number {
    const job = this.state.jobs.add(request, now);
    this.state.changes++;
    this.submitted.push(job);
    return job;
  }

  /** A job has ended. */
  finish(job: number): void {
    const { jobs, nodes, placements } = this.state;
    nodes.remove(job, jobs.planned[job], jobs, placements);
    this.state.release(jobs.planned[job]);
    jobs.remove(job);
    this.state.changes++;
  }

  /**
   * Decides what happens from now on, after all events of this instant.
   *
   * @param isPeriod whether this is the instant of a period
   * @param aheadSeconds from now until the next period
   */
  decide(now: number, isPeriod: boolean, aheadSeconds: number): void {
    const { state, settings, submitted } = this;
    const { jobs } = state;
    const { isAtCompletions } = settings.policy;
    this.decisions.length = 0;
    if (jobs.activeCount > 0) {
      // 1. Plan the jobs that have come.
      if (isPeriod) this.periodic?.pack(now, aheadSeconds);
      else if (this.packer !== undefined) {
        if (submitted.length > 0 || isAtCompletions) this.packer.pack(now, aheadSeconds);
      } else if (this.arrivals?.submitted !== undefined) {
        for (let i = 0; i < submitted.length; i++) this.arrivals.submitted(submitted[i], now);
      }
      // 2. Plan waiting jobs, now that all events of the instant are known.
      const waiting = isAtCompletions && this.packer === undefined ? this.waiting(now) : [];
      this.arrivals?.settle(now);
      for (let i = 0; i < waiting.length; i++) this.placer.place(waiting[i]);
      if (state.changes !== this.changesThen || !settings.policy.allocation.isTimeless) {
        // 3. Share out the CPU.
        this.allocate(now, aheadSeconds);
        // 4. Decide what changes from the present state to the plan.
        for (let i = 0; i < jobs.activeCount; i++) this.carryOut(jobs.active[i], now);
      }
      this.changesThen = state.changes;
    }
    submitted.length = 0;
  }

  /** The jobs planned nowhere, the most urgent first. */
  private waiting(now: number): number[] {
    const { jobs } = this.state;
    const waiting: number[] = [];
    for (let i = 0; i < jobs.activeCount; i++) {
      const job = jobs.active[i];
      if (jobs.planned[job] === NONE) waiting.push(job);
    }
    this.state.sortByPriority(waiting, now);
    return waiting;
  }

  private carryOut(job: number, now: number): void {
    const { state } = this;
    const { jobs } = state;
    const before = jobs.placement[job];
    const after = jobs.planned[job];
    if (after === NONE) {
      if (before === NONE) return;
      jobs.setShare(job, 0, now, null);
      jobs.placement[job] = NONE;
      state.release(before);
      this.decisions.push({ kind: "pause", job, tasks: jobs.tasks[job] });
      return;
    }
    const share = jobs.plannedShare[job];
    if (before === NONE) {
      const isResumed = jobs.hasRun[job] === 1;
      jobs.setShare(job, share, now, isResumed ? this.settings.penaltySeconds : null);
      jobs.hasRun[job] = 1;
      jobs.placement[job] = after;
      this.decisions.push({ kind: isResumed ? "resume" : "start", job, tasks: jobs.tasks[job] });
      return;
    }
    const isMoved = before !== after && !state.isSame(before, after);
    if (!isMoved && before !== after) {
      state.release(after);
      jobs.planned[job] = before;
    }
    if (isMoved) {
      const tasks = state.tasksMoved(before, after);
      jobs.setShare(job, share, now, this.settings.penaltySeconds);
      jobs.placement[job] = after;
      state.release(before);
      this.decisions.push({ kind: "move", job, tasks });
    } else if (jobs.share[job] !== share) {
      jobs.setShare(job, share, now, null);
      this.decisions.push({ kind: "share", job, tasks: 0 });
    }
  }
}
