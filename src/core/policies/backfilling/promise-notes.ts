import type { PolicyContext } from "../../pool/policy.ts";
import type { PromisedStart, WaitRule } from "../../reasons/reason.ts";
import { Turns, type PassOrder } from "../../reasons/turns.ts";
import { delayOf } from "./delays.ts";
import { LEAST_SECONDS, type Planner } from "./planner.ts";

/** The jobs that are named as those that a start would delay. */
const NAMED = 5;

/** Says why jobs wait where some hold promises: what a job is promised, or whose promises it would delay. */
export class PromiseNotes {
  private readonly context: PolicyContext;
  private readonly planner: Planner;
  private readonly promised: Turns;
  private readonly behind: Turns;

  constructor(context: PolicyContext, planner: Planner) {
    this.context = context;
    this.planner = planner;
    this.promised = new Turns((job) => context.notes.comesTo(job));
    this.behind = new Turns((job) => context.notes.waitsBy(job, this.wouldDelay(job)));
  }

  /** The pass comes to the promised jobs, by rank; again where it has promised more. */
  beginPromised(): void {
    const { promises } = this.planner;
    const { notes } = this.context;
    const { rank } = promises;
    const asked = notes.asked.filter((job) => promises.has(job));
    this.promised.begin(asked, (one, other) => rank[one] < rank[other]);
  }

  /** The turn of a promised job that is due. */
  comesToPromised(job: number): void {
    this.promised.come(job);
  }

  /** The pass comes to the jobs behind, in an order. */
  beginBehind(startedNow: ReadonlySet<number>, comesBefore: PassOrder): void {
    const { promises } = this.planner;
    this.promised.end();
    const asked = this.context.notes.asked.filter((job) => !startedNow.has(job) && !promises.has(job));
    this.behind.begin(asked, comesBefore);
  }

  comesTo(job: number): void {
    this.behind.come(job);
  }

  /** Notes why jobs wait that a pass did not start. */
  note(startedNow: ReadonlySet<number>): void {
    const { planner, context } = this;
    const { notes } = context;
    this.promised.end();
    this.behind.end();
    for (const job of notes.asked) {
      if (startedNow.has(job) || notes.isNoted(job)) continue;
      if (planner.promises.has(job)) notes.waitsBy(job, this.promiseOf(job));
      else notes.waitsBy(job, this.wouldDelay(job));
    }
    notes.passEnds(null);
  }

  private promiseOf(job: number): PromisedStart {
    const { planner } = this;
    const { start, first, delay } = planner.promises;
    const startSeconds = planner.knownTime(start[job]);
    return {
      kind: "promised",
      startSeconds,
      awaits: startSeconds === null ? this.context.notes.awaited(job) : null,
      firstSeconds: Number.isNaN(first[job]) ? null : first[job],
      machines: planner.placesOf(job).machine,
      delay: start[job] > first[job] ? delayOf(delay[job]) : null,
    };
  }

  /** Null if it would delay no promise. */
  private wouldDelay(job: number): WaitRule | null {
    const { planner } = this;
    const delayed = this.delayedBy(job);
    if (delayed.length === 0) return null;
    return {
      kind: "would delay promises",
      jobs: delayed.slice(0, NAMED),
      count: delayed.length,
      startSeconds: planner.knownTime(planner.promises.start[delayed[0]]),
    };
  }

  /** The jobs whose promises a job would delay if it started now where it has room, by rank. */
  private delayedBy(job: number): number[] {
    const { promises, plans, now } = this.planner;
    const { machines, allowed, jobs } = this.context;
    const { kind, kinds } = jobs;
    const { cores, memory, gpu } = kinds.request(kind[job]);
    const until = now + this.planner.secondsOf(job);
    const found = new Set<number>();
    for (let machine = 0; machine < machines.count; machine++) {
      if (!machines.isInService(machine) || !allowed.allows(job, machine)) continue;
      const tasks = Math.min(jobs.tasksOf(job), machines.roomFor(machine, cores, memory, gpu));
      if (tasks === 0) continue;
      promises.visitOn(machine, (other) => {
        const from = Math.max(now, promises.start[other]);
        const to = Math.min(until, promises.start[other] + promises.seconds[other]);
        if (from < to && plans.profiles[machine].room(from, to, cores, memory, gpu) < tasks) found.add(other);
      });
    }
    const asked = kinds.licences[kind[job]];
    if (plans.licencesFrom(asked, until - now, now, now + LEAST_SECONDS) !== now)
      promises.visitAll((other) => {
        if (promises.start[other] >= until) return;
        if (plans.asked(asked).some(({ licence }) => plans.asksFor(kinds.licences[kind[other]], licence)))
          found.add(other);
      });
    return [...found].sort((a, b) => promises.rank[a] - promises.rank[b]);
  }
}
