import { doubleColumns } from "../../arrays.ts";
import { NONE } from "../../none.ts";
import type { Joining, PolicyContext, PolicyState, PromiseView } from "../../pool/policy.ts";
import type { DelayName, PromisedStart } from "../../reasons/reason.ts";
import {
  ABOVE_LIMIT,
  countsByDelay,
  delayNames,
  delayOf,
  HIGHER_RANK,
  LATE_CYCLE,
  MACHINE_LOST,
  NOT_DELAYED,
  OVERRUN,
  REFUSED,
  RESUMED,
} from "./delays.ts";
import { LostJobs } from "./lost-jobs.ts";
import { RecentStarts } from "./recent-starts.ts";
import type { RunningJobs } from "./running-jobs.ts";
import { isAmount, isBelow, isSeconds, loadCounts, savedColumn } from "./saved-columns.ts";

/** Whether another job became the head while one waited: none did; one that came; one that lost its machines. */
const FIRST = 0;
const OUTRANKED = 1;
const BEHIND_LOST = 2;

/**
 * The record of the times that EASY has promised: the first one of each job that was the head, and why it started
 * later. The policy keeps one promise at a time and finds it anew, so the reason is the first that fits, in the order
 * of `whyLate`.
 */
export class HeadPromises implements PromiseView {
  private readonly context: PolicyContext;
  private readonly running: RunningJobs;
  private readonly recent: RecentStarts;
  private readonly lost: LostJobs;
  /** By job. */
  private readonly record = {
    /** Its first time; NaN without one. */
    first: new Float64Array(1024).fill(NaN),
    outranked: new Uint8Array(1024),
    delay: new Uint8Array(1024),
    /** What had happened when it got its promise. */
    losses: new Float64Array(1024),
    resumptions: new Float64Array(1024),
    overruns: new Float64Array(1024),
  };
  private head = NONE;
  private now = 0;
  private open: number;
  private layout: number;
  /** How often machines went out of service or changed, jobs took machines outside of a pass, or were to run for longer. */
  private losses = 0;
  private resumptions = 0;
  private overruns = 0;
  private readonly late = new Float64Array(delayNames.length);

  constructor(context: PolicyContext, running: RunningJobs) {
    this.context = context;
    this.running = running;
    this.recent = new RecentStarts(context.jobs);
    this.lost = new LostJobs(context);
    this.open = context.machines.openCount;
    this.layout = context.machines.layout;
  }

  firstSeconds(job: number): number {
    return job < this.record.first.length ? this.record.first[job] : NaN;
  }

  broken(): ReadonlyMap<DelayName, number> {
    return countsByDelay(this.late);
  }

  /** What moved a job behind its first time that has just started; null: nothing. */
  delayOf(job: number): DelayName | null {
    return delayOf(this.record.delay[job]);
  }

  /** What the head is promised. EASY promises a time, and no machines. */
  promised(head: number, startSeconds: number): PromisedStart {
    const first = this.record.first[head];
    const isUnknown = Number.isNaN(startSeconds);
    const isLater = startSeconds > first || (isUnknown && !Number.isNaN(first));
    return {
      kind: "promised",
      startSeconds: isUnknown ? null : startSeconds,
      awaits: isUnknown ? this.context.notes.awaited(head) : null,
      firstSeconds: Number.isNaN(first) ? null : first,
      machines: null,
      delay: isLater ? delayOf(this.delayOfJob(head, this.now, isUnknown ? NOT_DELAYED : OVERRUN)) : null,
    };
  }

  /** A job waits. Unless its start was undone it has not been promised anything. */
  waits(job: number): void {
    const { record } = this;
    while (job >= record.first.length) {
      const { length } = record.first;
      doubleColumns(record);
      record.first.fill(NaN, length);
    }
    if (this.recent.undo(job) && !this.lost.has(job)) {
      if (this.now > record.first[job]) this.late[record.delay[job]]--;
      return;
    }
    record.first[job] = NaN;
    record.outranked[job] = FIRST;
    record.delay[job] = NOT_DELAYED;
  }

  /** A job is in the plan: what becomes the head now has not outranked it. */
  planned(job: number): void {
    if (this.head === job) this.head = NONE;
  }

  /** A job stops waiting. One with a placement starts. */
  leaves(job: number): void {
    this.planned(job);
    if (this.context.jobs.placement[job] !== NONE) this.starts(job);
  }

  finished(job: number): void {
    this.lost.finished(job);
  }

  joined(how: Joining): void {
    if (how === "longer") this.overruns++;
    else if (how === "resumed") this.resumptions++;
    else if (this.head !== NONE) this.outranks(this.head, OUTRANKED);
  }

  /** A pass starts a job before it comes to the one that was the head. */
  startsFirst(job: number): void {
    const { head, now } = this;
    if (head === NONE || head === job) return;
    // What is over by then is in nobody's way.
    if (now + this.context.jobs.estimateSeconds[job] > this.record.first[head]) this.isPassedBy(job);
  }

  /** A pass begins. */
  begin(now: number): void {
    const { openCount, layout } = this.context.machines;
    if (openCount < this.open || layout !== this.layout) this.losses++;
    this.open = openCount;
    this.layout = layout;
    this.now = now;
    this.recent.begin(now);
  }

  /** The pass leaves a job waiting as the head. Returns whether it is still to be promised its first time. */
  becomesHead(job: number): boolean {
    if (this.head !== job && this.head !== NONE) this.isPassedBy(job);
    this.head = job;
    return Number.isNaN(this.record.first[job]);
  }

  /** The head is expected to start then; NaN: at no time that is known. */
  promise(job: number, time: number): void {
    const { record } = this;
    record.first[job] = time;
    record.losses[job] = this.losses;
    record.resumptions[job] = this.resumptions;
    record.overruns[job] = this.overruns;
  }

  /** The pass is over, and the head waits; `NONE`: no job does. */
  passEnds(head: number): void {
    const { record, now } = this;
    this.lost.passEnds();
    if (head === NONE || now < record.first[head] || Number.isNaN(record.first[head])) return;
    const { licences, jobs } = this.context;
    const isAbove = licences?.limits?.allow(jobs.kind[head]) === false;
    record.delay[head] = this.delayOfJob(head, now, isAbove ? ABOVE_LIMIT : REFUSED);
  }

  /** For a snapshot: the records of the jobs that wait, and the counts. */
  save(placeOf: (job: number) => number): PolicyState {
    const { record } = this;
    const heads: number[][] = [];
    for (let job = 0; job < record.first.length; job++) {
      if (Number.isNaN(record.first[job]) || placeOf(job) === NONE) continue;
      const since = [
        this.losses - record.losses[job],
        this.resumptions - record.resumptions[job],
        this.overruns - record.overruns[job],
      ];
      heads.push([placeOf(job), record.first[job], record.outranked[job], record.delay[job], ...since]);
    }
    // In the order of the jobs in the snapshot, which are numbered anew: it is then the same when it is made again.
    heads.sort((a, b) => a[0] - b[0]);
    return { heads: Float64Array.from(heads.flat()), late: this.late.slice() };
  }

  /** @throws RangeError where the state is damaged */
  load(state: Partial<PolicyState>): void {
    const { record, context } = this;
    const isJob = isBelow(context.jobs.count);
    const heads = savedColumn(state, "heads", [
      isJob,
      isSeconds,
      isBelow(3),
      isBelow(delayNames.length),
      isAmount,
      isAmount,
      isAmount,
    ]);
    for (let i = 0; i < heads.length; i += 7) {
      const job = heads[i];
      record.first[job] = heads[i + 1];
      record.outranked[job] = heads[i + 2];
      record.delay[job] = heads[i + 3];
      record.losses[job] = this.losses - heads[i + 4];
      record.resumptions[job] = this.resumptions - heads[i + 5];
      record.overruns[job] = this.overruns - heads[i + 6];
    }
    loadCounts(state, "late", this.late);
  }

  private isPassedBy(job: number): void {
    // One that lost its machines is in its old place again: nobody came.
    this.outranks(this.head, this.lost.has(job) ? BEHIND_LOST : OUTRANKED);
  }

  private outranks(head: number, how: number): void {
    const { outranked } = this.record;
    if (outranked[head] === FIRST) outranked[head] = how;
  }

  private starts(job: number): void {
    const { record, now } = this;
    this.recent.add(job);
    if (!(now > record.first[job])) return;
    // No pass came at the time promised. After events, the job whose end was awaited did not end then.
    const otherwise = this.context.intervalSeconds > 0 ? LATE_CYCLE : OVERRUN;
    record.delay[job] = this.delayOfJob(job, now, otherwise);
    this.late[record.delay[job]]++;
  }

  private delayOfJob(job: number, now: number, otherwise: number): number {
    const { record, running } = this;
    if (record.delay[job] !== NOT_DELAYED) return record.delay[job];
    if (record.outranked[job] === OUTRANKED) return HIGHER_RANK;
    if (record.outranked[job] === BEHIND_LOST || this.losses > record.losses[job]) return MACHINE_LOST;
    if (this.resumptions > record.resumptions[job]) return RESUMED;
    const isOverrun = this.overruns > record.overruns[job] || running.placeAfter(now) > 0;
    return isOverrun ? OVERRUN : otherwise;
  }
}
