import { KILL_TO_CANCEL, KILL_TO_MOVE, KILL_TO_PREEMPT, KILL_TWIN } from "../jobs/job-states.ts";
import { NONE } from "../none.ts";
import {
  CANCEL,
  DRAIN,
  DUPLICATE,
  KILL,
  LOST,
  MOVE,
  RESUME,
  START,
  SUSPEND,
  type Decision,
} from "./decisions.ts";
import { Engine } from "./engine.ts";
import { isEvent } from "./event-checks.ts";
import type { Answer, EngineEvent, KillReason, OutcomeEvent, PlainDecision, UserEvent } from "./events.ts";
import {
  ignoredText,
  NO_SUCH_JOB,
  NOT_AN_EVENT,
  NUMBER_USED,
  OTHER_ATTEMPT,
  OTHER_DECISION,
  TAKEN,
  type Ignored,
} from "./ignored.ts";
import { JobNumbers } from "./job-numbers.ts";
import { checkSnapshot } from "./snapshot-checks.ts";
import { plainNumber, presentJobs, type PortSnapshot } from "./snapshot.ts";
import type { EngineSettings, JobChange } from "./settings.ts";

const killReasons: Readonly<Record<number, KillReason>> = {
  [KILL_TO_MOVE]: "move",
  [KILL_TO_PREEMPT]: "preempt",
  [KILL_TO_CANCEL]: "cancel",
  [KILL_TWIN]: "twin",
};

/**
 * An engine whose events and decisions are plain data: see `events.ts`. It knows jobs by numbers that are never used
 * again, and each answer by the decision that it answers, so it copes with events that are late, repeated or wrong.
 *
 * `apply` returns the decisions that follow from an event at once; cycles run at `tick`. The driver applies a `tick`
 * after events and whenever `nextTime` has come. Events that were answered with "taken" or "rejected", and all ticks,
 * in their order are the journal: applied to a fresh engine with the same settings they give the same decisions, byte
 * for byte. Those that were ignored changed nothing and may be left out.
 */
export class EventPort {
  readonly engine: Engine;
  private readonly settings: EngineSettings;
  private readonly numbers: JobNumbers;
  private now = -Infinity;
  private decisionCount = 0;

  constructor(settings: EngineSettings) {
    this.settings = settings;
    this.engine = new Engine(settings);
    this.numbers = new JobNumbers(this.engine.engineJobs);
  }

  /** When a tick is due even if no event comes; -Infinity means now, Infinity never. */
  get nextTime(): number {
    return this.engine.nextTime;
  }

  /** Whether a job of this number is in the engine. */
  has(job: number): boolean {
    return this.numbers.handleOf(job) !== NONE;
  }

  /** What the engine calls a job; `NONE` if there is no such job. */
  handleOf(job: number): number {
    return this.numbers.handleOf(job);
  }

  /** The number of the job that has a handle, or had it last. */
  numberOf(handle: number): number {
    return this.numbers.of(handle);
  }

  /** The pool that a job is in, or on its way to; `NONE` if it waits at its virtual pool, or there is no such job. */
  poolOf(job: number): number {
    const handle = this.numbers.handleOf(job);
    return handle === NONE ? NONE : this.engine.engineJobs.pool[handle];
  }

  /**
   * The state that future answers and decisions depend on, as plain data. The state of the random generator is the
   * caller's to keep.
   */
  snapshot(): PortSnapshot {
    const { engine, numbers, now, decisionCount } = this;
    const { highest, lowest } = numbers;
    const jobs = numbers.kept(presentJobs(engine.engineJobs));
    return { now: plainNumber(now), decisionCount, highest, lowest, ...jobs, engine: engine.snapshot() };
  }

  /**
   * Makes a port that answers and decides from now on as the one whose snapshot this is.
   *
   * @throws RangeError if the snapshot is of other pools, or damaged
   */
  static restore(settings: EngineSettings, snapshot: PortSnapshot): EventPort {
    checkSnapshot(settings, snapshot);
    const port = new EventPort(settings);
    const { numbers } = port;
    port.engine.restore(snapshot.engine);
    port.now = Number(snapshot.now);
    port.decisionCount = snapshot.decisionCount;
    numbers.highest = snapshot.highest;
    numbers.lowest = snapshot.lowest;
    snapshot.numbers.forEach((number, handle) => {
      numbers.add(number, handle);
      numbers.await(handle, snapshot.decisions[handle]);
    });
    return port;
  }

  apply(event: EngineEvent): Answer {
    if (!isEvent(this.settings, event)) return ignored(NOT_AN_EVENT);
    const now = Math.max(this.now, event.at);
    const answer = this.answer(event, now);
    if (answer === NONE) return { answer: "rejected", reason: this.engine.rejection, decisions: [] };
    if (answer !== TAKEN) return ignored(answer);
    this.now = now;
    const decisions = this.read(event.type === "tick", now);
    return { answer: "taken", decisions };
  }

  /** `NONE` if it was rejected. */
  private answer(event: EngineEvent, now: number): Ignored {
    const { engine } = this;
    switch (event.type) {
      case "tick":
        return TAKEN;
      case "machineUp":
        return engine.machines.up(event.pool, event.machine, now);
      case "machineDown":
        return engine.machines.down(event.pool, event.machine, now);
      case "machineDrained":
        return engine.machines.drain(event.pool, event.machine, now);
      case "machineUndrained":
        return engine.machines.undrain(event.pool, event.machine, now);
      case "machineAdded":
        return engine.machines.add(event.pool, event.machine, event, event.group, now);
      case "machineChanged":
        return engine.machines.resize(event.pool, event.machine, event, event.group, now);
      case "machineRemoved":
        return engine.machines.remove(event.pool, event.machine, now);
      case "submitted":
        return this.submit(event, now);
      default: {
        const handle = this.numbers.handleOf(event.job);
        return handle === NONE ? NO_SUCH_JOB : this.answerAbout(handle, event, now);
      }
    }
  }

  private submit({ job, request }: UserEvent & { type: "submitted" }, now: number): Ignored {
    if (job <= this.numbers.highest) return NUMBER_USED;
    const estimateSeconds = request.estimateSeconds ?? Infinity;
    const handle = this.engine.submit({ ...request, estimateSeconds }, now);
    this.numbers.highest = job;
    this.now = now;
    if (handle === NONE) return NONE;
    this.numbers.add(job, handle);
    return TAKEN;
  }

  private answerAbout(
    handle: number,
    event: OutcomeEvent | Exclude<UserEvent, { type: "submitted" }>,
    now: number,
  ): Ignored {
    const { engine, numbers } = this;
    if ("attempt" in event && event.attempt !== engine.engineJobs.attempt[handle]) return OTHER_ATTEMPT;
    if ("decision" in event && event.decision !== numbers.awaited(handle)) return OTHER_DECISION;
    switch (event.type) {
      case "held":
        return engine.requests.hold(handle, now);
      case "released":
        return engine.requests.release(handle, now);
      case "cancelled":
        return engine.requests.cancel(handle, now);
      case "asked":
        return engine.requests.ask(handle, now);
      case "changed": {
        const { priority, estimateSeconds, cores, memory, gpu, virtualPool, candidates } = event;
        const size = {
          ...(cores === undefined ? {} : { cores }),
          ...(memory === undefined ? {} : { memory }),
          ...(gpu === undefined ? {} : { gpu }),
        };
        const change: JobChange = {
          priority,
          estimateSeconds: estimateSeconds === null ? Infinity : estimateSeconds,
          size: Object.keys(size).length === 0 ? undefined : size,
          place:
            virtualPool === undefined || candidates === undefined ? undefined : { virtualPool, candidates },
        };
        return engine.requests.change(handle, change, now);
      }
      case "arrived":
        return engine.arrived(handle, now);
      case "startFailed":
        return engine.outcomes.startFailed(handle, event.machine, event.fault, now);
      case "started":
      case "suspended":
      case "suspendFailed":
      case "resumed":
      case "resumeFailed":
      case "killed":
      case "exited":
      case "lost":
        return engine.outcomes[event.type](handle, now);
      default:
        return NOT_AN_EVENT;
    }
  }

  private read(runsDue: boolean, now: number): PlainDecision[] {
    const { engine } = this;
    const decisions: PlainDecision[] = [];
    while (runsDue ? engine.next(now) : engine.take(now)) decisions.push(this.plain(engine.decision));
    return decisions;
  }

  private plain({ kind, job: handle, pool, other, seconds }: Decision): PlainDecision {
    const { engine, numbers } = this;
    const number = ++this.decisionCount;
    const job = numbers.of(handle);
    const ofAttempt = { number, job, attempt: engine.engineJobs.attempt[handle], pool };
    switch (kind) {
      case START:
        numbers.await(handle, number);
        return { type: "START", ...ofAttempt, placement: engine.pools[pool].placed.placementOf(handle) };
      case SUSPEND:
      case RESUME:
        numbers.await(handle, number);
        return { type: kind === SUSPEND ? "SUSPEND" : "RESUME", ...ofAttempt };
      case KILL:
        numbers.await(handle, number);
        return { type: "KILL", ...ofAttempt, why: killReasons[other] };
      case MOVE:
        numbers.await(handle, number);
        return { type: "MOVE", number, job, from: other === NONE ? null : other, pool, seconds };
      case DUPLICATE:
        numbers.addTwin(other);
        numbers.await(other, number);
        return { type: "DUPLICATE", number, job: numbers.of(other), of: job, pool, seconds };
      case CANCEL:
        return { type: "CANCEL", number, job, by: numbers.of(other) };
      case LOST:
        return { type: "LOST", ...ofAttempt, goesOn: other === 1 };
      case DRAIN:
        return { type: "DRAIN", number, pool, machine: other };
      default:
        throw new Error(`there is no decision of kind ${kind}`);
    }
  }
}

function ignored(why: Ignored): Answer {
  return { answer: "ignored", why, text: ignoredText[why], decisions: [] };
}
