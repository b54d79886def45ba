import type { EngineEvent, PlainDecision, Port } from "../core/index.ts";
import { IN_TRANSFER, KILLING, RESUMING, STARTING, SUSPENDING, TimeHeap } from "../core/index.ts";
import type { Coming, CourseParts, CourseWatch, Run } from "./course-parts.ts";
import { Holds } from "./holds.ts";

/** Of one step. */
const MOST_TICKS = 1000;

/**
 * Lets a farm run on: jobs end after their run times, others come, and what the engine decides is done at once. The same
 * code makes the past of a study and each possible future of a forecast.
 */
export class Course {
  /** When each job started first, of those that started in this course. */
  readonly starts = new Map<number, number>();
  readonly port: Port;
  readonly runs = new Map<number, Run>();
  /** When jobs on their way to a pool arrive there. */
  readonly arrivals = new Map<number, number>();
  /** The jobs that second attempts are at. */
  readonly twins = new Map<number, number>();
  now: number;
  /** Jobs that still run when their time has come. An entry whose time is not that of `endOf` is outdated. */
  private readonly ends = new TimeHeap();
  private readonly transfers = new TimeHeap();
  private readonly holds: Holds;
  private readonly endOf = new Map<number, number>();
  private readonly decisionOf = new Map<number, number>();
  private readonly runSecondsOf: (job: number) => number;
  private readonly runSecondsOfNew = new Map<number, number>();
  private readonly coming: Iterator<Coming>;
  private next: Coming | undefined;
  private number: number;
  private readonly watch: CourseWatch | undefined;

  constructor(parts: CourseParts) {
    const { port, now, runs, runSecondsOf, coming, firstNumber, arrivals, held, arrays, twins, watch } =
      parts;
    this.watch = watch;
    this.port = port;
    this.now = now;
    this.runSecondsOf = runSecondsOf;
    this.coming = coming;
    this.number = firstNumber;
    this.next = this.takeComing();
    this.holds = new Holds(held, arrays);
    for (const [twin, job] of twins ?? []) this.twins.set(twin, job);
    for (const [job, run] of runs) {
      this.runs.set(job, { ...run });
      if (!Number.isNaN(run.sinceSeconds))
        this.plan(job, run.sinceSeconds + run.runSeconds - run.doneSeconds);
    }
    this.answerPending(arrivals);
    this.release(this.holds.free);
  }

  /**
   * What was decided before the course begins and not answered yet is done at once. What stops comes first: jobs that
   * were promised its room are only then to be started.
   */
  private answerPending(arrivals: ReadonlyMap<number, number> | undefined): void {
    const { port, now } = this;
    const { jobs } = port.view;
    const pending = Array.from(jobs, (handle) => ({
      job: port.numberOf(handle),
      state: jobs.stateOf(handle),
      attempt: jobs.attemptOf(handle),
    }));
    for (const { job, state, attempt } of pending) {
      if (state !== SUSPENDING && state !== KILLING) continue;
      this.stop(job);
      this.tell({ type: state === KILLING ? "killed" : "suspended", at: now, job, attempt });
      const run = this.runs.get(job);
      if (!port.has(job)) {
        this.forget(job);
        this.release(this.holds.over(job));
      } else if (state === KILLING && run !== undefined) run.doneSeconds = 0;
    }
    for (const { job, state, attempt } of pending) {
      if (state === IN_TRANSFER) this.arrives(job, arrivals?.get(job) ?? now);
      const handle = port.handleOf(job);
      if ((state !== STARTING && state !== RESUMING) || jobs.stateOf(handle) !== state) continue;
      const doneSeconds = this.runs.get(job)?.doneSeconds ?? 0;
      this.runs.set(job, { runSeconds: this.totalOf(job), doneSeconds, sinceSeconds: now, attempt });
      this.begin(job);
      this.tell({ type: state === STARTING ? "started" : "resumed", at: now, job, attempt });
    }
  }

  /** The number of the next job to come. */
  get nextNumber(): number {
    return this.number;
  }

  /** Whether an event is still to come: an end, an arrival, a submission or a release. The engine's own timers are none. */
  get awaits(): boolean {
    const { transfers, holds, next } = this;
    return Math.min(this.nextEnd(), transfers.firstTime, holds.nextSeconds) < Infinity || next !== undefined;
  }

  /** When something happens next; Infinity if nothing ever will. */
  get nextSeconds(): number {
    return Math.min(
      this.nextEnd(),
      this.transfers.firstTime,
      this.holds.nextSeconds,
      this.next?.submitSeconds ?? Infinity,
      this.port.nextTime,
    );
  }

  /** Goes on to the next instant: what ends, arrives and comes then, and what the engine decides after that. */
  step(): void {
    const now = Math.max(this.now, this.nextSeconds);
    this.now = now;
    while (this.nextEnd() <= now) this.exit(this.ends.take());
    while (this.transfers.firstTime <= now) this.arrive(this.transfers.take());
    while (this.holds.nextSeconds <= now) {
      const job = this.holds.timeIsOver();
      if (job !== null) this.release([job]);
    }
    while (this.next !== undefined && this.next.submitSeconds <= now) this.submit(this.next);
    // What follows from the answers is decided at the same time. What never comes to rest goes on in the next step.
    for (let tick = 0; tick < MOST_TICKS && this.tell({ type: "tick", at: now }) > 0; tick++);
  }

  private nextEnd(): number {
    const { ends, endOf } = this;
    while (ends.firstTime < Infinity && endOf.get(ends.first) !== ends.firstTime) ends.take();
    return ends.firstTime;
  }

  private exit(job: number): void {
    const { now } = this;
    const { attempt, runSeconds } = this.runs.get(job)!;
    const first = this.twins.get(job) ?? job;
    this.watch?.ended(first, runSeconds);
    this.forget(job);
    this.tell({ type: "exited", at: now, job, attempt });
    this.release(this.holds.over(first));
  }

  private release(jobs: readonly number[]): void {
    for (const job of jobs) this.tell({ type: "released", at: this.now, job });
  }

  private arrive(job: number): void {
    const decision = this.decisionOf.get(job);
    this.decisionOf.delete(job);
    this.arrivals.delete(job);
    // One that was on its way before has no decision.
    this.tell({ type: "arrived", at: this.now, job, ...(decision === undefined ? {} : { decision }) });
  }

  private submit({ request, runSeconds, submitSeconds }: Coming): void {
    const job = this.number++;
    this.next = this.takeComing();
    this.runSecondsOfNew.set(job, runSeconds);
    this.tell({ type: "submitted", at: Math.max(this.now, submitSeconds), job, request });
  }

  private takeComing(): Coming | undefined {
    const { value, done } = this.coming.next();
    return done === true ? undefined : value;
  }

  /** Tells the engine an event and does what it decides. Returns how many decisions there were. */
  private tell(event: EngineEvent): number {
    const { decisions } = this.port.apply(event);
    for (const decision of decisions) this.carryOut(decision);
    return decisions.length;
  }

  private carryOut(decision: PlainDecision): void {
    const { now } = this;
    switch (decision.type) {
      case "START": {
        const { job, attempt, number } = decision;
        // A second attempt may start before the first.
        const first = this.twins.get(job) ?? job;
        if (!this.starts.has(first)) {
          this.starts.set(first, now);
          this.watch?.started(first, now);
        }
        this.runs.set(job, {
          runSeconds: this.totalOf(job),
          doneSeconds: this.runs.get(job)?.doneSeconds ?? 0,
          sinceSeconds: now,
          attempt,
        });
        this.begin(job);
        this.tell({ type: "started", at: now, job, attempt, decision: number });
        break;
      }
      case "RESUME":
        this.runs.get(decision.job)!.sinceSeconds = now;
        this.begin(decision.job);
        this.answer("resumed", decision);
        break;
      case "SUSPEND":
        this.stop(decision.job);
        this.answer("suspended", decision);
        break;
      case "KILL": {
        const { job, why } = decision;
        this.stop(job);
        if (why === "preempt" || why === "move") this.runs.get(job)!.doneSeconds = 0;
        else this.forget(job);
        this.answer("killed", decision);
        break;
      }
      case "MOVE":
        this.travel(decision.job, decision.number, decision.seconds);
        break;
      case "DUPLICATE":
        this.twins.set(decision.job, decision.of);
        this.travel(decision.job, decision.number, decision.seconds);
        break;
      case "CANCEL":
        this.decisionOf.delete(decision.job);
        this.forget(decision.job);
        break;
      case "LOST":
        this.stop(decision.job);
        if (decision.goesOn) this.runs.get(decision.job)!.doneSeconds = 0;
        else this.forget(decision.job);
        break;
      case "DRAIN":
        break;
    }
  }

  private answer(
    type: "suspended" | "resumed" | "killed",
    { job, attempt, number }: Extract<PlainDecision, { readonly attempt: number }>,
  ): void {
    this.tell({ type, at: this.now, job, attempt, decision: number });
  }

  /** A job begins to run, or goes on. */
  private begin(job: number): void {
    const { runSeconds, doneSeconds } = this.runs.get(job)!;
    this.plan(job, this.now + Math.max(0, runSeconds - doneSeconds));
  }

  private plan(job: number, end: number): void {
    this.endOf.set(job, end);
    this.ends.add(job, end);
  }

  /** A job stops, and keeps what it has done. */
  private stop(job: number): void {
    const run = this.runs.get(job);
    this.endOf.delete(job);
    if (run === undefined || Number.isNaN(run.sinceSeconds)) return;
    run.doneSeconds += this.now - run.sinceSeconds;
    run.sinceSeconds = NaN;
  }

  private forget(job: number): void {
    this.endOf.delete(job);
    this.runs.delete(job);
    this.runSecondsOfNew.delete(job);
    this.twins.delete(job);
  }

  private travel(job: number, number: number, seconds: number): void {
    this.decisionOf.set(job, number);
    this.arrives(job, this.now + seconds);
  }

  private arrives(job: number, at: number): void {
    this.arrivals.set(job, at);
    this.transfers.add(job, at);
  }

  /** A second attempt runs as long as the first. */
  private totalOf(job: number): number {
    const first = this.twins.get(job) ?? job;
    return this.runs.get(job)?.runSeconds ?? this.runSecondsOfNew.get(first) ?? this.runSecondsOf(first);
  }
}
