import { awaitedText } from "./awaited-pools.ts";
import { pauseSentence } from "./pause-sentence.ts";
import {
  dominantReason,
  type DominantReason,
  type GroupEvidence,
  type Rank,
  type Reason,
  type Suspension,
} from "../../simulation/index.ts";
import type { Clock } from "../engines/system/clock.ts";
import type { Books, LiveJob } from "./books.ts";
import { heldToken } from "../store/held-for.ts";
import type { Dependencies } from "./dependencies.ts";
import { doingOf, type DoingView } from "./doing.ts";
import type { LivePool } from "./live-pool.ts";
import type { Loop } from "./loop.ts";
import type { Question, Reasons, WaitingBecause } from "./reasons.ts";
import { Refusal } from "../refusal.ts";
import type { Scheduling } from "./scheduling.ts";

/** Why a job does not run at present. */
export interface LiveExplanation {
  readonly job: number;
  readonly state: string;
  readonly reason: string;
  /** What to tell first; null: it runs, or is over. */
  readonly dominant: DominantReason | null;
  /** Where it waits; null: it does not. */
  readonly waits: {
    /** Null: at its virtual pool, until a pool has room for it. */
    readonly pool: string | null;
    readonly policy: string | null;
    /** What kept the last cycle from starting it; null: the pool has had no cycle since the question. */
    readonly reasons: readonly Reason[] | null;
    /** The same by groups of machines. */
    readonly groups: readonly GroupEvidence[];
    /** Jobs that the cycle passed by before it came to this one: the first few. */
    readonly ahead: readonly number[];
    /** How many they are. */
    readonly aheadCount: number;
    /** Why the first of them comes before it; null: there is none. */
    readonly rank: Rank | null;
    /** Seconds between cycles; 0: there is one whenever something happens. */
    readonly intervalSeconds: number;
    /** Whether it is still on its way to the pool. */
    readonly isOnItsWay: boolean;
    /** Why the pool starts nothing at all; null: it does. */
    readonly unreachable: string | null;
    /** Why nothing can be written, and so nothing is decided; null: it can. */
    readonly writeError: string | null;
  } | null;
  /** Why it is suspended; null: it is not, or by hand. */
  readonly suspended: Suspension | null;
  /** What is done about it where it runs, beside its command; null: nothing that is known of. */
  readonly doing: DoingView | null;
}

export interface ExplainingParts {
  readonly books: Books;
  readonly clock: Clock;
  readonly dependencies: Dependencies;
  readonly loop: Loop;
  readonly pools: readonly LivePool[];
  readonly reasons: Reasons;
  readonly scheduling: Scheduling;
  /** Why nothing can be written; null: it can. */
  readonly writeError: () => string | null;
}

interface Asking extends Question {
  /** The service stops, and the next one is to be asked. */
  isLate: boolean;
  /** The job does not wait in the decision engine. */
  isVoid: boolean;
  readonly resolve: () => void;
}

/** How long a question waits for the next cycle of a pool that has them at intervals. */
const PATIENCE_SECONDS = 30;
/** Every question makes each cycle look at all machines. */
const MOST_QUESTIONS = 100;

/** Explains why jobs do not run: it asks the decision engine, which notes its reasons in the pool's next cycle. */
export class Explaining {
  private readonly parts: ExplainingParts;
  private readonly asking = new Set<Asking>();
  private isStopped = false;

  constructor(parts: ExplainingParts) {
    this.parts = parts;
  }

  /**
   * @returns null where the service stops meanwhile
   * @throws Refusal where too many ask at once
   */
  async explain(job: LiveJob): Promise<LiveExplanation | null> {
    const { clock, loop, reasons, scheduling, writeError } = this.parts;
    // While nothing can be written nothing is decided either.
    if (job.state !== "waiting" || writeError() !== null) return this.asItIs(job, null);
    if (this.asking.size >= MOST_QUESTIONS)
      throw new Refusal(503, "too many ask for explanations at the same time: try again");
    let resolve = (): void => undefined;
    const isAnswered = new Promise<void>((done) => (resolve = done));
    const asking: Asking = { job, answer: null, isVoid: false, isLate: this.isStopped, resolve };
    this.asking.add(asking);
    const giveUp = clock.after(PATIENCE_SECONDS, resolve);
    reasons.ask(asking);
    loop.tell((turn) => {
      const { answer } = scheduling.apply(turn, { type: "asked", at: turn.at, job: job.number });
      asking.isVoid = answer !== "taken";
    });
    if (!this.isStopped) await isAnswered;
    giveUp();
    this.asking.delete(asking);
    reasons.drop(asking);
    if (asking.isLate) return null;
    return this.asItIs(job, asking.answer);
  }

  /** There will be no more turns. */
  stop(): void {
    this.isStopped = true;
    for (const asking of this.asking) {
      asking.isLate = true;
      asking.resolve();
    }
  }

  /** A turn is durable: questions that were answered in it can be returned. */
  answerAll(): void {
    for (const { job, answer, isVoid, resolve } of this.asking)
      if (answer !== null || isVoid || job.state !== "waiting") resolve();
  }

  private asItIs(job: LiveJob, because: WaitingBecause | null): LiveExplanation {
    const { books, dependencies, pools, reasons, scheduling, writeError } = this.parts;
    const { number, state, reason } = job;
    const pool = pools.find(({ name }) => name === job.pool);
    const suspended = job.isPaused ? undefined : job.attempts.find((each) => each.suspendedFor !== null);
    const isOnItsWay = books.arrivals.has(number);
    const awaited = pool === undefined ? scheduling.awaitedPools(number) : [];
    const unreachable = (pool ?? awaited[0])?.unreachable?.reason ?? null;
    return {
      job: number,
      state,
      reason,
      dominant: dominantOf(job, {
        because,
        waitsFor: dependenciesText(job, dependencies),
        isOnItsWay,
        paused: pauseText(pool === undefined ? scheduling.candidatesOf(number) : [pool]),
        awaited: awaited.length === 0 ? null : awaitedText(awaited),
        unreachable,
        writeError: writeError(),
      }),
      waits:
        state !== "waiting"
          ? null
          : {
              pool: pool?.name ?? null,
              policy: pool?.plan.policy ?? null,
              reasons: because?.reasons ?? null,
              groups: because?.groups ?? [],
              ahead: because?.ahead ?? [],
              aheadCount: because?.aheadCount ?? 0,
              rank: because?.rank ?? null,
              intervalSeconds: pool?.plan.intervalSeconds ?? 0,
              isOnItsWay,
              unreachable,
              writeError: writeError(),
            },
      suspended:
        state !== "suspended" || suspended === undefined
          ? null
          : reasons.suspension(suspended.engineJob, suspended.pool, suspended.suspendedFor!),
      doing: doingOf(job, pools),
    };
  }
}

const NAMED = 5;

/** Where all pools that could run a job are paused. */
function pauseText([first, ...others]: readonly LivePool[]): string | null {
  if (first === undefined || first.paused === null || others.some(({ paused }) => paused === null))
    return null;
  const { actor, reason } = first.paused;
  return pauseSentence(actor, first.ownPause === null ? "" : first.name, reason);
}

/** The jobs that a job waits for, and how they must end. */
function dependenciesText({ number, after }: LiveJob, dependencies: Dependencies): string {
  const first = [...after].slice(0, NAMED).map((other) => {
    const condition = dependencies.conditionOf(number, other);
    const how = condition === "ok" ? " to succeed" : condition === "failed" ? " to fail" : " to end";
    return `job ${other}${how}`;
  });
  return after.size > NAMED ? `${first.join(", ")} and ${after.size - NAMED} more` : first.join(" and ");
}

/** What to tell first of a job: see `reasonTokens`. */
function dominantOf(
  { number, state, reason, attempts, isHeld, isPaused, isPausedWithPool, beginAt }: LiveJob,
  {
    because,
    waitsFor,
    isOnItsWay,
    paused,
    awaited,
    unreachable,
    writeError,
  }: {
    readonly because: WaitingBecause | null;
    /** The jobs that it waits for, in words; empty: none. */
    readonly waitsFor: string;
    readonly isOnItsWay: boolean;
    /** Who has paused its pool, in words; null: nobody. */
    readonly paused: string | null;
    /** The pools whose machines it waits to be known, in words; null: none. */
    readonly awaited: string | null;
    readonly unreachable: string | null;
    readonly writeError: string | null;
  },
): DominantReason | null {
  switch (state) {
    case "held":
      return isHeld
        ? {
            token: "held",
            sentence: `it is held by its user, until it is released (croft release ${number})${waitsFor === "" ? "" : `; then it waits for ${waitsFor}`}`,
          }
        : waitsFor === "" && beginAt !== null
          ? {
              token: "begin-time",
              sentence: `it is not to start before ${new Date(beginAt * 1000).toISOString()}`,
            }
          : {
              token: heldToken(reason) === "array-limit" ? "array-limit" : "after-job",
              sentence: waitsFor === "" ? `it ${reason}` : `it waits for ${waitsFor}`,
            };
    case "suspended":
      if (isPaused && isPausedWithPool) return { token: "paused", sentence: `it is suspended ${reason}` };
      return isPaused
        ? {
            token: "suspended-by-hand",
            sentence: `it was suspended by hand, until it is resumed (croft resume ${number})${attempts.some(({ suspendedFor }) => suspendedFor !== null) ? "; jobs that come first have its cores since, and then it waits for them" : ", and keeps its cores and memory"}`,
          }
        : { token: "suspended", sentence: `it is suspended ${reason}` };
    case "waiting":
      if (writeError !== null)
        return {
          token: "not-written",
          sentence: `the farm cannot write down what it decides: ${writeError}`,
        };
      if (isOnItsWay) return { token: "on-its-way", sentence: "it is on its way to its pool" };
      if (paused !== null) return { token: "paused", sentence: paused };
      if (awaited !== null)
        return {
          token: "unreachable",
          sentence: unreachable === null ? awaited : `${awaited}: ${unreachable}`,
        };
      if (unreachable !== null)
        return { token: "unreachable", sentence: `its pool's engine cannot be reached: ${unreachable}` };
      return (
        dominantReason(because?.reasons ?? []) ?? {
          token: "no-cycle",
          sentence: "its pool has not looked at its queue since the question",
        }
      );
    default:
      return null;
  }
}
