import type { Clock } from "../engines/system/clock.ts";
import { MOST_TURN_BYTES, TURN_SECONDS, TURN_STATEMENTS } from "../limits.ts";
import { databaseFailure, isTransient, type Database } from "../store/database.ts";
import { Backlog } from "./backlog.ts";
import type { CrashHook } from "./crash-points.ts";
import { Inputs, type Input } from "./inputs.ts";
import { Refusal } from "../refusal.ts";
import { Turn } from "./turn.ts";

export interface LoopParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Farm time, in seconds: it only goes on. */
  readonly farmTime: () => number;
  readonly crashPoint: CrashHook;
  /** Called at the end of every turn: decides what is due, and may write more. */
  readonly decide: (turn: Turn) => void;
  /** When the next decision is due even if nothing comes in; Infinity: never. */
  readonly nextTime: () => number;
  /** Called with what is wrong with the disk, and with null when it works again. */
  readonly setWriteError: (reason: string | null) => void;
  /** Called with what no later try can mend; nothing is done any more. */
  readonly failed: (error: Error) => void;
  /** Called after every turn, once it is durable, with the seconds that it took. */
  readonly afterTurn: (turn: Turn, seconds: number) => void;
  /** How much a turn does at the most, in inputs and steps, where it is not over before; Infinity: it goes by time alone. */
  readonly mostSteps: number;
  /** Runs its argument after what has come in by now: `setImmediate`. */
  readonly soon: (run: () => void) => void;
}

/** How an act is taken. */
export interface Taking {
  /** About what it holds and will write. */
  readonly bytes?: number;
  /**
   * Done at once if nothing can be written; the act itself follows when it can. For what makes room: a job that fills the
   * disk can be ended although that cannot be written. It may be done more than once. Returns whether there was anything to
   * do.
   */
  readonly meanwhile?: () => boolean;
}

const RETRY_SECONDS = 1;
const LONGEST_WAIT_SECONDS = 3600;
/** How long people's requests wait for a disk that cannot be written, before they are refused. */
const PATIENCE_SECONDS = 10;
/** The pause after a decision, as a multiple of the time that it took, so that decisions cannot fill all the time. */
const PAUSE_PART = 3;

/**
 * Runs one turn at a time: all input that came in is processed, written in one transaction, and then carried out and
 * answered. Input that comes meanwhile shares the next turn and its flush to the disk.
 */
export class Loop {
  private readonly parts: LoopParts;
  private readonly inputs = new Inputs();
  private readonly backlog = new Backlog();
  private isDue = false;
  private turns = 0;
  private timer: (() => void) | null = null;
  private isStopped = false;
  /** When the next decision may be made, on the monotonic clock. */
  private notBefore = -Infinity;
  /** A turn that could not be written yet; nothing else happens before it is. */
  private unwritten: { readonly turn: Turn; inputs: readonly Input[] } | null = null;
  private writeError: string | null = null;
  private hasFailed = false;

  constructor(parts: LoopParts) {
    this.parts = parts;
  }

  /**
   * Runs `deal` in the next turn. Resolves with its result once that is durable.
   *
   * @throws Refusal what `deal` throws before it has changed anything; or if nothing can be written for some time, and
   * `deal` was not called yet
   */
  act<Result>(deal: (turn: Turn) => Result, taking: Taking = {}): Promise<Result> {
    return this.actInSteps((turn) => ({ result: deal(turn) }), taking);
  }

  /**
   * As `act`, for what is too much for a turn: `deal` is called in one turn after the other until it has a result.
   * Nothing else is dealt with or decided in between. What it has done is kept if the service ends before that.
   */
  actInSteps<Result>(
    deal: (turn: Turn) => { readonly result: Result } | null,
    { bytes = 0, meanwhile }: Taking = {},
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.isStopped) return reject(new Refusal(503, "the farm is stopping"));
      let result: Result;
      let refusal: Refusal | null = null;
      const input: Input = {
        deal: (turn) => {
          try {
            const dealt = deal(turn);
            if (dealt === null) return false;
            result = dealt.result;
          } catch (error) {
            // Any other error leaves the books half changed: the process ends, and the next one starts from what is
            // written.
            if (!(error instanceof Refusal)) throw error;
            refusal = error;
          }
          return true;
        },
        settle: (error) => {
          if (refusal !== null) reject(refusal);
          else if (error !== null) reject(error);
          else resolve(result);
        },
        patienceEnds: this.parts.clock.monotonicSeconds() + PATIENCE_SECONDS,
        bytes,
        meanwhile: meanwhile ?? null,
        hasBegun: false,
      };
      this.inputs.add(this.unwritten === null ? input : begun(input));
      this.soon();
    });
  }

  /** Runs `deal` in the next turn, without a result. */
  tell(deal: (turn: Turn) => void): void {
    if (this.isStopped) return;
    this.inputs.add({
      deal: (turn) => (deal(turn), true),
      settle: () => undefined,
      patienceEnds: Infinity,
      bytes: 0,
      meanwhile: null,
      hasBegun: false,
    });
    this.soon();
  }

  /** Processes the input that has come in, and then takes no more. */
  stop(): void {
    if (this.isStopped) return;
    while (this.unwritten === null && this.hasMore) this.turn();
    this.end(new Refusal(503, "the farm has stopped before this was written"));
  }

  /** What is wrong with the disk; null: nothing, or it is not known. */
  get diskTrouble(): string | null {
    return this.writeError;
  }

  /** Whether the books in memory are what is written. */
  get isWritten(): boolean {
    return this.unwritten === null && !this.hasFailed;
  }

  private end(error: Error): void {
    this.isStopped = true;
    this.timer?.();
    for (const input of [...(this.unwritten?.inputs ?? []), ...this.inputs.clear()]) input.settle(error);
  }

  private soon(): void {
    if (this.isDue) return;
    this.isDue = true;
    this.parts.soon(() => {
      this.isDue = false;
      if (!this.isStopped && this.unwritten === null) this.turn();
    });
  }

  private turn(): void {
    const { clock, farmTime, decide, nextTime } = this.parts;
    const taken = this.inputs.take();
    let dealt = 0;
    let isWhole = true;
    try {
      const turn = new Turn(++this.turns, farmTime(), clock.unixSeconds(), this.backlog);
      const isEnough = this.budget(turn);
      // What is left of the turns before comes first, but something new is taken in every turn.
      this.backlog.run(turn, isEnough);
      for (const input of taken) {
        isWhole = input.deal(turn);
        turn.runNext();
        if (!isWhole) break;
        dealt++;
        this.backlog.run(turn, isEnough);
        if (isEnough()) break;
      }
      const [first, ...rest] = taken.slice(dealt);
      // What has begun is not refused any more.
      if (first !== undefined)
        this.inputs.putBack([isWhole ? first : { ...first, patienceEnds: Infinity }, ...rest]);
      if (isWhole && nextTime() <= turn.at && clock.monotonicSeconds() >= this.notBefore) {
        const begun = clock.monotonicSeconds();
        decide(turn);
        turn.runNext();
        const ended = clock.monotonicSeconds();
        this.notBefore = ended + (ended - begun) * PAUSE_PART;
      }
      this.write(turn, taken.slice(0, dealt));
    } catch (error) {
      this.fail(error, taken);
    }
  }

  /** Whether a turn that begins now has done enough. */
  private budget(turn: Turn): () => boolean {
    const { clock, mostSteps } = this.parts;
    const end = clock.monotonicSeconds() + TURN_SECONDS;
    let steps = 0;
    return () =>
      ++steps > mostSteps ||
      turn.statements > TURN_STATEMENTS ||
      turn.rowBytes > MOST_TURN_BYTES ||
      clock.monotonicSeconds() > end;
  }

  private get hasMore(): boolean {
    return !this.inputs.isEmpty || !this.backlog.isEmpty;
  }

  private write(turn: Turn, inputs: readonly Input[], writes = turn.finish()): void {
    const { database, clock, crashPoint, setWriteError } = this.parts;
    crashPoint("before-commit");
    try {
      database.commit(writes);
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (this.unwritten === null) {
        this.unwritten = { turn, inputs: inputs.map(begun) };
        this.inputs.change(begun);
      }
      const reason = error instanceof Error ? error.message : String(error);
      this.writeError = reason;
      setWriteError(reason);
      this.refuseImpatient(clock.monotonicSeconds(), reason);
      clock.after(RETRY_SECONDS, () => this.again(writes));
      return;
    }
    crashPoint("committed");
    this.unwritten = null;
    if (this.writeError !== null) setWriteError(null);
    this.writeError = null;
    this.parts.afterTurn(turn, (performance.now() - turn.begun) / 1000);
    this.carryOut(turn);
    crashPoint("before-answers");
    for (const input of inputs) input.settle(null);
    crashPoint("after-answers");
    this.wakeLater();
  }

  private again(writes: ReturnType<Turn["finish"]>): void {
    if (this.isStopped || this.unwritten === null) return;
    const { turn, inputs } = this.unwritten;
    try {
      this.write(turn, inputs, writes);
    } catch (error) {
      this.fail(error, inputs);
    }
  }

  /** Nothing mends this: the books in memory are not what is written, and never will be. */
  private fail(thrown: unknown, inputs: readonly Input[]): void {
    const error = new Error(
      `the farm has failed and ends: ${databaseFailure(thrown)}. Jobs run on, and what was acknowledged is kept: start it again`,
      { cause: thrown },
    );
    this.hasFailed = true;
    this.unwritten = null;
    for (const input of inputs) input.settle(error);
    this.end(new Refusal(503, "the farm is stopping"));
    this.parts.failed(error);
  }

  /** Answers those that have waited for long. */
  private refuseImpatient(now: number, reason: string): void {
    const { unwritten } = this;
    if (unwritten !== null)
      unwritten.inputs = unwritten.inputs.map((input) =>
        input.patienceEnds <= now && input.meanwhile !== null ? notKept(input, reason) : input,
      );
    this.inputs.change((input) => {
      if (input.patienceEnds > now) return input;
      if (input.hasBegun) return notKept(input, reason);
      // Nothing of it has happened.
      input.settle(
        new Refusal(503, `the farm can write nothing at present, so this was not done: ${reason}`),
      );
      return null;
    });
  }

  private carryOut(turn: Turn): void {
    const { crashPoint } = this.parts;
    if (turn.effects.length === 0) return;
    crashPoint("before-effects");
    for (const effect of turn.effects) effect();
    crashPoint("after-effects");
  }

  private wakeLater(): void {
    const { clock, farmTime, nextTime } = this.parts;
    this.timer?.();
    this.timer = null;
    if (this.hasMore) return this.soon();
    const due = nextTime();
    if (due === Infinity) return;
    const pause = Math.max(0, this.notBefore - clock.monotonicSeconds());
    const seconds = Math.min(LONGEST_WAIT_SECONDS, Math.max(due - farmTime(), pause));
    if (seconds <= 0) return this.soon();
    this.timer = clock.after(seconds, () => this.soon());
  }
}

/** Does what can be done before it can be written. */
function begun(input: Input): Input {
  return { ...input, hasBegun: input.meanwhile?.() ?? false };
}

/** Answers what cannot be written in time, and is when it can: that it has begun holds only as long as the service lives. */
function notKept(input: Input, reason: string): Input {
  const done = input.hasBegun ? "what still runs was told, but this is not kept yet" : "this is not done yet";
  input.settle(
    new Refusal(
      503,
      `the farm can write nothing at present, so ${done}: ${reason}. It follows when the farm can write again. If the farm stops before, it is forgotten: ask for it again then`,
    ),
  );
  return { ...input, settle: () => undefined, patienceEnds: Infinity };
}
