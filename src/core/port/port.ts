import { Engine } from "../engine/engine.ts";
import {
  ignoredText,
  NO_SUCH_JOB,
  NOT_AN_EVENT,
  NUMBER_USED,
  OTHER_ATTEMPT,
  OTHER_DECISION,
  REJECTED,
  TAKEN,
  type Ignored,
} from "../engine/ignored.ts";
import type { EngineSettings, JobChange } from "../engine/settings.ts";
import { plainNumber, presentJobs, type PortSnapshot } from "../engine/snapshot.ts";
import { NONE } from "../none.ts";
import { plainDecision, type PlainDecision } from "./decisions.ts";
import { EventChecks } from "./event-checks.ts";
import type { Answer, EngineEvent, UserEvent } from "./events.ts";
import { JobNumbers } from "./job-numbers.ts";
import { checkSnapshot } from "./snapshot-checks.ts";
import { View } from "./view.ts";

/**
 * The one way into the engine, of the simulator as of the live farm: events in, decisions out, a view of what is.
 *
 * A live farm's events may be late, repeated or wrong. It knows jobs by numbers that are never used again, and quotes
 * in each answer the decision that it answers; `apply` takes an event and returns the decisions that follow at once, as
 * plain data. Cycles run at a `tick`, which it applies after events and whenever `nextTime` has come. Events that were
 * answered with "taken" or "rejected", and all ticks, in their order are the journal: applied to a fresh port with the
 * same settings they give the same decisions, byte for byte. Those that were ignored changed nothing and may be left out.
 *
 * The simulator reports at once and in order, millions of times. It knows jobs by the engine's handles (`byHandle`),
 * tells events (`tell`) and reads decisions one by one (`next`, `take`), each into the same object: see `Engine`.
 */
export class Port extends Engine {
  /** What is, for drivers to read. */
  readonly view: View;
  private readonly settings: EngineSettings;
  /** Null: events are the simulator's own. To check the millions of a month cost a tenth of its time. */
  private readonly checks: EventChecks | null;
  /** Null: jobs are named by handle. */
  private readonly numbers: JobNumbers | null;
  private now = -Infinity;
  private decisionCount = 0;

  /** @param byHandle whether events and decisions name jobs by handle: see `events.ts` */
  constructor(settings: EngineSettings, byHandle = false) {
    super(settings);
    this.view = new View(this.engineJobs, this.pools, this.router, this.limits);
    this.settings = settings;
    this.checks = byHandle ? null : new EventChecks(settings);
    this.numbers = byHandle ? null : new JobNumbers(this.engineJobs);
  }

  // Events.

  /** Takes an event, and returns the decisions that follow from it at once: at a tick, from the cycles that are due. */
  apply(event: EngineEvent): Answer {
    const answer = this.tell(event, this.now);
    if (answer === TAKEN || answer === REJECTED) this.now = Math.max(this.now, event.at);
    if (answer === REJECTED) return { answer: "rejected", reason: this.rejection, decisions: [] };
    if (answer !== TAKEN) return { answer: "ignored", why: answer, text: ignoredText[answer], decisions: [] };
    const { now, decision } = this;
    const decisions: PlainDecision[] = [];
    while (event.type === "tick" ? this.next(now) : this.take(now))
      decisions.push(plainDecision(++this.decisionCount, decision, this.known, this.view));
    return { answer: "taken", decisions };
  }

  /**
   * Takes an event, whose decisions are to be read. Returns `TAKEN`, `REJECTED`, or why it was ignored.
   *
   * @param earliest an earlier time counts as this
   */
  tell(event: EngineEvent, earliest = -Infinity): Ignored {
    if (this.checks?.isEvent(event) === false) return NOT_AN_EVENT;
    const now = Math.max(earliest, event.at);
    const { machines, outcomes, requests } = this;
    const { job: named } = event as { readonly job?: number };
    let job = named ?? NONE;
    if (
      this.numbers !== null &&
      named !== undefined &&
      event.type !== "submitted" &&
      event.type !== "found"
    ) {
      job = this.handleOf(named);
      if (job === NONE) return NO_SUCH_JOB;
      if ("attempt" in event && event.attempt !== this.view.jobs.attemptOf(job)) return OTHER_ATTEMPT;
      if ("decision" in event && event.decision !== this.numbers.awaited(job)) return OTHER_DECISION;
    }
    switch (event.type) {
      case "exited":
        return outcomes.exited(job, now);
      case "started":
        return outcomes.started(job, now);
      case "submitted":
        return this.submit(event, now);
      case "found":
        return this.find(event, now);
      case "suspended":
        return outcomes.suspended(job, now);
      case "suspendFailed":
        return outcomes.suspendFailed(job, now);
      case "resumed":
        return outcomes.resumed(job, now);
      case "resumeFailed":
        return outcomes.resumeFailed(job, now);
      case "killed":
        return outcomes.killed(job, now);
      case "lost":
        return outcomes.lost(job, now);
      case "arrived":
        return outcomes.arrived(job, now);
      case "startFailed":
        return outcomes.startFailed(job, event.machine, event.fault, now);
      case "expected":
        return outcomes.expected(job, event.until, now);
      case "spared":
        return outcomes.spared(job, event.until, now);
      case "held":
        return requests.hold(job, now);
      case "released":
        return requests.release(job, now);
      case "cancelled":
        return requests.cancel(job, now);
      case "asked":
        return requests.ask(job, now);
      case "changed":
        return requests.change(job, changeOf(event), now);
      case "machineUp":
        return machines.up(event.pool, event.machine, now);
      case "machineDown":
        return machines.down(event.pool, event.machine, now);
      case "machineDrained":
        return machines.drain(event.pool, event.machine, now);
      case "machineUndrained":
        return machines.undrain(event.pool, event.machine, now);
      case "machineAdded":
        return machines.add(event.pool, event.machine, event, event.group, now);
      case "machineChanged":
        return machines.resize(event.pool, event.machine, event, event.group, now);
      case "machineRemoved":
        return machines.remove(event.pool, event.machine, now);
      case "booked":
        return machines.book(event.pool, event.booking, now);
      case "unbooked":
        return machines.unbook(event.pool, event.booking, now);
      case "tick":
        return TAKEN;
    }
  }

  private submit({ job, request }: UserEvent & { type: "submitted" }, now: number): Ignored {
    const { numbers } = this;
    if (numbers !== null && job <= numbers.highest) return NUMBER_USED;
    this.submitted = this.add(request, now);
    if (numbers !== null) numbers.highest = job;
    if (this.submitted === NONE) return REJECTED;
    numbers?.add(job, this.submitted);
    return TAKEN;
  }

  private find({ job, request, pool, placement }: UserEvent & { type: "found" }, now: number): Ignored {
    const { numbers } = this;
    if (numbers !== null && job <= numbers.highest) return NUMBER_USED;
    const ignored = this.addFound(request, pool, placement, now);
    if (ignored !== TAKEN) return ignored;
    if (numbers !== null) numbers.highest = job;
    numbers?.add(job, this.submitted);
    return TAKEN;
  }

  // The names of jobs.

  /** The handle of a job; `NONE` if there is no such job any more. */
  handleOf(job: number): number {
    return this.numbers === null ? job : this.numbers.handleOf(job);
  }

  /** The number of the job that has a handle, or had it last. */
  numberOf(handle: number): number {
    return this.numbers === null ? handle : this.numbers.of(handle);
  }

  /** The highest number that a submitted job has had; 0: there was none. */
  get highest(): number {
    return this.known.highest;
  }

  /** Whether there is a job of this number. */
  has(job: number): boolean {
    return this.handleOf(job) !== NONE;
  }

  /** The pool that a job is in, or on its way to; `NONE` if it waits at its virtual pool, or there is no such job. */
  poolOf(job: number): number {
    const handle = this.handleOf(job);
    return handle === NONE ? NONE : this.view.jobs.poolOf(handle);
  }

  // State.

  /**
   * The state that future answers and decisions depend on, as plain data that can be cloned. The state of the random
   * generator is the caller's to keep. All decisions must have been read.
   */
  save(): PortSnapshot {
    const { known, now, decisionCount } = this;
    const { highest, lowest } = known;
    const jobs = known.save(presentJobs(this.engineJobs));
    return { now: plainNumber(now), decisionCount, highest, lowest, ...jobs, engine: this.saveEngine() };
  }

  /**
   * Makes a port that answers and decides from now on as the one that was saved.
   *
   * @throws RangeError if the state is of other pools, or damaged
   */
  static load(settings: EngineSettings, state: PortSnapshot): Port {
    checkSnapshot(settings, state);
    const port = new Port(settings);
    port.loadEngine(state.engine);
    port.now = Number(state.now);
    port.decisionCount = state.decisionCount;
    port.known.load(state);
    return port;
  }

  /**
   * A copy that goes on by itself: what happens to one is nothing to the other. To run ahead in another thread, send what
   * `save` returns there, and `load` it.
   *
   * @param random the copy's own generator: see `EngineSettings.random`
   */
  fork(random: EngineSettings["random"]): Port {
    return Port.load({ ...this.settings, random }, this.save());
  }

  private get known(): JobNumbers {
    if (this.numbers === null) throw new Error("jobs named by handle have no names outside of this port");
    return this.numbers;
  }
}

function changeOf(event: UserEvent & { type: "changed" }): JobChange {
  const { priority, estimateSeconds, cores, memory, gpu, requirement, virtualPool, candidates } = event;
  const size = {
    ...(cores === undefined ? {} : { cores }),
    ...(memory === undefined ? {} : { memory }),
    ...(gpu === undefined ? {} : { gpu }),
    ...(requirement === undefined ? {} : { requirement }),
  };
  return {
    priority,
    estimateSeconds: estimateSeconds === null ? Infinity : estimateSeconds,
    size: Object.keys(size).length === 0 ? undefined : size,
    place: virtualPool === undefined || candidates === undefined ? undefined : { virtualPool, candidates },
  };
}
