import type { Clock } from "../engines/system/clock.ts";
import type { Database } from "../store/database.ts";
import type { Passing } from "./crash-points.ts";
import { Refusal } from "./refusal.ts";
import { Turn } from "./turn.ts";

/** Something that came in, to be dealt with in the next turn. */
interface Input {
  deal(turn: Turn): void;
  settle(error: Error | null): void;
  /** Until when it waits to be dealt with if nothing can be written, on the monotonic clock; Infinity: as long as it takes. */
  readonly patienceEnds: number;
}

export interface LoopParts {
  readonly database: Database;
  readonly clock: Clock;
  /** Farm time, in seconds: it only goes on. */
  readonly farmTime: () => number;
  readonly passing: Passing;
  /** Called at the end of every turn: decides what is due, and may write more. */
  readonly decide: (turn: Turn) => void;
  /** When the next decision is due even if nothing comes in; Infinity: never. */
  readonly nextTime: () => number;
  /** Called with what is wrong with the disk, and with null when it works again. */
  readonly trouble: (reason: string | null) => void;
  /** Called after every turn, once it is durable, with the seconds that it took. */
  readonly written: (turn: Turn, seconds: number) => void;
  /** Runs its argument after what has come in by now: `setImmediate`. */
  readonly soon: (run: () => void) => void;
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
  private inputs: Input[] = [];
  private isDue = false;
  private turns = 0;
  private timer: (() => void) | null = null;
  private isStopped = false;
  /** When the next decision may be made, on the monotonic clock. */
  private notBefore = -Infinity;
  /** A turn that could not be written yet; nothing else happens before it is. */
  private unwritten: { readonly turn: Turn; readonly inputs: Input[] } | null = null;
  private troubleSince: number | null = null;

  constructor(parts: LoopParts) {
    this.parts = parts;
  }

  /**
   * Runs `deal` in the next turn. Resolves with its result once that is durable.
   *
   * @throws Refusal what `deal` throws before it has changed anything; or if nothing can be written for some time, and
   * `deal` was not called yet
   */
  act<Result>(deal: (turn: Turn) => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.isStopped) return reject(new Refusal(503, "the farm is stopping"));
      let result: Result;
      let refusal: Refusal | null = null;
      this.inputs.push({
        deal: (turn) => {
          try {
            result = deal(turn);
          } catch (error) {
            // Any other error leaves the books half changed: the process ends, and the next one starts from what is
            // written.
            if (!(error instanceof Refusal)) throw error;
            refusal = error;
          }
        },
        settle: (error) => {
          if (refusal !== null) reject(refusal);
          else if (error !== null) reject(error);
          else resolve(result);
        },
        patienceEnds: this.parts.clock.monotonicSeconds() + PATIENCE_SECONDS,
      });
      this.soon();
    });
  }

  /** Runs `deal` in the next turn, without a result. */
  tell(deal: (turn: Turn) => void): void {
    if (this.isStopped) return;
    this.inputs.push({ deal, settle: () => undefined, patienceEnds: Infinity });
    this.soon();
  }

  /** Processes the input that has come in, and then takes no more. */
  stop(): void {
    if (this.unwritten === null && this.inputs.length > 0) this.turn();
    this.isStopped = true;
    this.timer?.();
    for (const input of [...(this.unwritten?.inputs ?? []), ...this.inputs])
      input.settle(new Refusal(503, "the farm has stopped before this was written"));
    this.inputs = [];
  }

  get isInTrouble(): boolean {
    return this.troubleSince !== null;
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
    const inputs = this.inputs;
    this.inputs = [];
    const turn = new Turn(++this.turns, farmTime(), clock.unixSeconds());
    for (const input of inputs) {
      input.deal(turn);
      turn.runNext();
    }
    if (nextTime() <= turn.at && clock.monotonicSeconds() >= this.notBefore) {
      const begun = clock.monotonicSeconds();
      decide(turn);
      turn.runNext();
      const ended = clock.monotonicSeconds();
      this.notBefore = ended + (ended - begun) * PAUSE_PART;
    }
    this.write(turn, inputs);
  }

  private write(turn: Turn, inputs: Input[], writes = turn.finish()): void {
    const { database, clock, passing, trouble } = this.parts;
    passing("before-commit");
    try {
      database.commit(writes);
    } catch (error) {
      this.unwritten = { turn, inputs };
      const now = clock.monotonicSeconds();
      this.troubleSince ??= now;
      const reason = error instanceof Error ? error.message : String(error);
      trouble(reason);
      this.refuseImpatient(now, reason);
      clock.after(RETRY_SECONDS, () => {
        if (!this.isStopped) this.write(turn, inputs, writes);
      });
      return;
    }
    passing("committed");
    this.unwritten = null;
    if (this.troubleSince !== null) trouble(null);
    this.troubleSince = null;
    this.parts.written(turn, (performance.now() - turn.begun) / 1000);
    this.carryOut(turn);
    passing("before-answers");
    for (const input of inputs) input.settle(null);
    passing("after-answers");
    this.wakeLater();
  }

  /** Requests that were not dealt with yet need not wait for the disk: nothing of them has happened. */
  private refuseImpatient(now: number, reason: string): void {
    const impatient = this.inputs.filter(({ patienceEnds }) => patienceEnds <= now);
    if (impatient.length === 0) return;
    this.inputs = this.inputs.filter(({ patienceEnds }) => patienceEnds > now);
    for (const input of impatient)
      input.settle(
        new Refusal(503, `the farm can write nothing at present, so this was not done: ${reason}`),
      );
  }

  private carryOut(turn: Turn): void {
    const { passing } = this.parts;
    if (turn.effects.length === 0) return;
    passing("before-effects");
    for (const effect of turn.effects) effect();
    passing("after-effects");
  }

  private wakeLater(): void {
    const { clock, farmTime, nextTime } = this.parts;
    this.timer?.();
    this.timer = null;
    if (this.inputs.length > 0) return this.soon();
    const due = nextTime();
    if (due === Infinity) return;
    const pause = Math.max(0, this.notBefore - clock.monotonicSeconds());
    const seconds = Math.min(LONGEST_WAIT_SECONDS, Math.max(due - farmTime(), pause));
    if (seconds <= 0) return this.soon();
    this.timer = clock.after(seconds, () => this.soon());
  }
}
