import type { ReasonSink, WaitReason } from "../../core/index.ts";
import {
  jobsBefore,
  noPoolHasRoom,
  WaitReasons,
  type ClosedMachine,
  type GroupEvidence,
  type Suspension,
  type Rank,
  type Reason,
} from "../../simulation/index.ts";
import type { Books, LiveJob } from "./books.ts";
import type { Journal } from "./journal.ts";
import { engineNames } from "./engine-names.ts";
import { LATE_SECONDS } from "./late-starts.ts";
import type { LivePool } from "./live-pool.ts";
import type { PlainFarm } from "./plain-farm.ts";
import type { Requirements } from "./requirements.ts";

/** Why a cycle of its pool has left a job waiting. */
export interface WaitingBecause {
  readonly reasons: readonly Reason[];
  readonly groups: readonly GroupEvidence[];
  /** Jobs that the cycle passed by before it came to this one: the first few. */
  readonly ahead: readonly number[];
  /** How many they are. */
  readonly aheadCount: number;
  /** Why the first of them comes before it; null: there is none. */
  readonly rank: Rank | null;
}

/** Somebody wants to know why a job waits. */
export interface Question {
  readonly job: LiveJob;
  answer: WaitingBecause | null;
}

export interface ReasonsParts {
  readonly books: Books;
  readonly journal: Journal;
  readonly farm: PlainFarm;
  readonly pools: readonly LivePool[];
  readonly requirements: Requirements;
  /** What to add to the farm's clock for seconds since 1970. */
  readonly unixOffset: () => number;
}

const MOST_HOLDERS = 5;
const MOST_AHEAD = 5;

/** Hears from the decision engine why jobs wait and for whom they are suspended, in the words of the simulator's explanations. */
export class Reasons implements ReasonSink {
  /** The handles of the jobs that are asked about. */
  readonly jobs = new Set<number>();
  private readonly parts: ReasonsParts;
  private readonly words: WaitReasons;
  private readonly questions = new Set<Question>();
  /** Whom jobs were suspended for in the cycle at hand, by their numbers. */
  private readonly suspendedBy = new Map<number, number>();

  constructor(parts: ReasonsParts) {
    const { port } = parts.journal;
    this.parts = parts;
    const { farm, requirements } = parts;
    const names = engineNames({ port, farm, requirements, jobOf: (job) => this.jobOf(job) });
    this.words = new WaitReasons(port.view, names);
    port.tellReasons(this);
  }

  ask(question: Question): void {
    this.questions.add(question);
    this.listen();
  }

  drop(question: Question): void {
    this.questions.delete(question);
    this.listen();
  }

  waits(handle: number, pool: number, reason: WaitReason, now: number): void {
    const number = this.parts.journal.port.numberOf(handle);
    for (const question of this.questions) {
      if (question.job.number !== number) continue;
      const [first] = reason.ahead;
      question.answer = {
        reasons: this.words.passedBy(handle, pool, reason, now).map((each) => this.told(each, pool, reason)),
        groups: this.words.groups(handle, pool, reason),
        ahead: reason.ahead.map((other) => this.numberOf(other)),
        aheadCount: reason.aheadCount,
        rank: first === undefined ? null : this.words.rank(first, handle, pool),
      };
    }
  }

  /** A reason that holds in a pool, with what the decision engine does not know of it. */
  private told(reason: Reason, pool: number, lacks: WaitReason): Reason {
    const known = this.withSuspended(this.withHolders(inUnixTime(reason, this.parts.unixOffset()), pool));
    return known.kind === "drained" ? { ...known, closed: this.closed(pool, lacks) } : known;
  }

  /** Names the first jobs of a pool that have a licence which another one waits for. */
  private withHolders(reason: Reason, pool: number): Reason {
    if (reason.kind !== "licence") return reason;
    const { books, journal, requirements } = this.parts;
    const { port } = journal;
    const by: number[] = [];
    for (const attempt of books.attempts.values()) {
      if (by.length === MOST_HOLDERS) break;
      if (attempt.pool !== pool || !port.has(attempt.engineJob)) continue;
      const { licences = 0 } = port.view.jobs.requestOf(port.handleOf(attempt.engineJob));
      if (requirements.licences.of(licences).has(reason.licence)) by.push(attempt.job.number);
    }
    return { ...reason, by };
  }

  /** To the decision engine those that are suspended by hand run: nobody gets their place. */
  private withSuspended(reason: Reason): Reason {
    if (reason.kind !== "too full") return reason;
    const { running, suspended } = reason.nearest;
    const isByHand = (job: number): boolean => this.parts.books.jobs.get(job)?.isPaused === true;
    return {
      ...reason,
      nearest: {
        ...reason.nearest,
        running: running.filter((job) => !isByHand(job)),
        suspended: [...suspended, ...running.filter(isByHand)],
      },
    };
  }

  /** The first machines that take no jobs, and what their operators or their engine say of it. */
  private closed(pool: number, { machines: { firstOutOfService } }: WaitReason): ClosedMachine[] {
    const of = this.parts.pools[pool]!;
    return firstOutOfService.map((machine) => ({
      machine: of.machineName(machine),
      why: of.whyClosed(machine),
    }));
  }

  waitsForPool(handle: number, pools: readonly number[], now: number): void {
    const { port } = this.parts.journal;
    const number = port.numberOf(handle);
    for (const question of this.questions) {
      if (question.job.number !== number) continue;
      const ahead = jobsBefore(port.view, handle, now) ?? [];
      question.answer = {
        reasons:
          port.view.awaitedBy(handle).length > 0
            ? []
            : noPoolHasRoom(port.view, this.words, { handle, pools, now }, (...of) => this.told(...of)),
        groups: pools.flatMap((pool) =>
          this.words.groups(handle, pool, port.view.pools[pool]!.lacksFor(handle)),
        ),
        ahead: ahead.slice(0, MOST_AHEAD).map((other) => this.numberOf(other)),
        aheadCount: ahead.length,
        rank: null,
      };
    }
  }

  suspended(handle: number, _pool: number, by: number): void {
    this.suspendedBy.set(this.parts.journal.port.numberOf(handle), this.numberOf(by));
  }

  /** The job that another one, by the engine's number, has just been suspended for; null: there is none. */
  suspendedFor(engineJob: number): number | null {
    return this.suspendedBy.get(engineJob) ?? null;
  }

  /** What the engine has decided has been taken down. */
  forgetSuspensions(): void {
    // To clear an empty map costs as much as to make one.
    if (this.suspendedBy.size > 0) this.suspendedBy.clear();
  }

  /** Why a job was suspended for another; why that one comes first is told as long as both are there. */
  suspension(engineJob: number, pool: number, by: number): Suspension {
    const { port } = this.parts.journal;
    const [handle, other] = [port.handleOf(engineJob), port.handleOf(by)];
    const areHere = port.poolOf(engineJob) === pool && port.poolOf(by) === pool;
    return areHere ? this.words.suspension(handle, pool, other) : { kind: "suspended", by: [by] };
  }

  private jobOf(engineJob: number): number {
    return this.parts.books.jobOf(engineJob)?.number ?? engineJob;
  }

  private numberOf(handle: number): number {
    return this.jobOf(this.parts.journal.port.numberOf(handle));
  }

  /** Handles go to other jobs when theirs are over. */
  private listen(): void {
    const { port } = this.parts.journal;
    this.jobs.clear();
    for (const { job } of this.questions) if (port.has(job.number)) this.jobs.add(port.handleOf(job.number));
  }
}

function inUnixTime(reason: Reason, offset: number): Reason {
  const shifted = (seconds: number | null): number | null => (seconds === null ? null : seconds + offset);
  switch (reason.kind) {
    case "would delay":
    case "would delay promises":
      return { ...reason, startSeconds: shifted(reason.startSeconds) };
    case "promised": {
      const { startSeconds, firstSeconds } = reason;
      // Engines take some seconds: so little is no delay.
      if (startSeconds !== null && firstSeconds !== null && startSeconds - firstSeconds < LATE_SECONDS) {
        const { by: _, ...kept } = reason;
        return {
          ...kept,
          delay: null,
          startSeconds: shifted(startSeconds),
          firstSeconds: shifted(startSeconds),
        };
      }
      return { ...reason, startSeconds: shifted(startSeconds), firstSeconds: shifted(firstSeconds) };
    }
    default:
      return reason;
  }
}
