import type { Clock } from "../engines/system/clock.ts";
import type { Write } from "../store/database.ts";
import { begun, over, type Notification, type Outbox } from "../store/outbox.ts";
import { TELL_SECONDS, type Message } from "./channel.ts";
import type { ReadyChannel } from "./channels.ts";

export interface DeliveryParts {
  readonly channel: ReadyChannel;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly farmTime: () => number;
  /**
   * Resolves when all is durable. Notes what happened to the job of `event`, for its user.
   *
   * @throws Error where the farm can write nothing, or is stopping
   */
  readonly write: (
    writes: readonly Write[],
    event?: { readonly job: number; readonly text: string },
  ) => Promise<void>;
  readonly counts: DeliveryCounts;
  /** Called when something does not wait any more. */
  readonly isOver: () => void;
  readonly log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/** Of all channels of a farm, since it was opened. */
export interface DeliveryCounts {
  delivered: number;
  failed: number;
  givenUp: number;
}

/** Of one channel, while it works. */
const AT_A_TIME = 4;
const FIRST_DELAY_SECONDS = 1;
/** A channel that works again is found to within this time. */
const LONGEST_DELAY_SECONDS = 60;
/** After this time it is not told any more. */
export const GIVE_UP_SECONDS = 86_400;

/**
 * Tells one channel what waits in the outbox, beside the farm's turns: whatever a channel does, no turn waits for it. An
 * attempt is written down before it is made. So what was told and could not be written down as told is told again, as
 * another attempt.
 */
export class Delivery {
  private readonly parts: DeliveryParts;
  private readonly underWay = new Set<number>();
  /** Ends what is under way. */
  private readonly stopping = new AbortController();
  /** One after the other: then the channel is asked less and less often. */
  private failures = 0;
  /** On the farm's clock. */
  private notBefore = -Infinity;
  private timer: (() => void) | null = null;

  constructor(parts: DeliveryParts) {
    this.parts = parts;
  }

  get name(): string {
    return this.parts.channel.name;
  }

  stop(): void {
    this.timer?.();
    this.stopping.abort();
  }

  /** Tells what is due, and wakes again when more is. */
  wake(): void {
    if (this.stopping.signal.aborted) return;
    const { outbox, farmTime } = this.parts;
    const now = farmTime();
    if (now < this.notBefore) return this.wakeAt(this.notBefore);
    const room = (this.failures > 0 ? 1 : AT_A_TIME) - this.underWay.size;
    if (room <= 0) return;
    const due = outbox
      .due(this.name, now, room + this.underWay.size)
      .filter(({ id }) => !this.underWay.has(id))
      .slice(0, room);
    for (const each of due) {
      this.underWay.add(each.id);
      void this.deliver(each).finally(() => {
        this.underWay.delete(each.id);
        this.wake();
      });
    }
    // Those under way wake it when they are over.
    if (this.underWay.size === 0) this.wakeAt(outbox.nextAt(this.name));
  }

  private async deliver({ id, job, since, text, attempts }: Notification): Promise<void> {
    const { write, counts, isOver, farmTime, log } = this.parts;
    const attempt = attempts + 1;
    try {
      await write([begun(id, farmTime() + TELL_SECONDS + delayAfter(attempt))]);
      if (this.stopping.signal.aborted) return;
      const body = JSON.stringify({ id, attempt, ...(JSON.parse(text) as object) });
      try {
        await this.tell({ id, attempt, body });
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        counts.failed++;
        this.hasFailed(error);
        if (farmTime() - since < GIVE_UP_SECONDS) return;
        await write([over(id)], { job, text: `the channel ${this.name} was not told: ${reasonOf(error)}` });
        isOver();
        counts.givenUp++;
        return;
      }
      this.works();
      await write([over(id)]);
      isOver();
      counts.delivered++;
    } catch (error) {
      // What could not be written is tried again, and so told as another attempt.
      if (this.stopping.signal.aborted) return;
      log.warn({ channel: this.name }, `a notification could not be written down: ${reasonOf(error)}`);
      this.notBefore = farmTime() + LONGEST_DELAY_SECONDS;
    }
  }

  private async tell(message: Message): Promise<void> {
    const { channel, clock } = this.parts;
    const late = new AbortController();
    const cancel = clock.after(TELL_SECONDS, () => late.abort());
    try {
      await channel.tell(message, AbortSignal.any([this.stopping.signal, late.signal]));
    } finally {
      cancel();
    }
  }

  private hasFailed(error: unknown): void {
    if (this.failures++ === 0)
      this.parts.log.warn({ channel: this.name }, `the channel cannot be told: ${reasonOf(error)}`);
    this.notBefore = this.parts.farmTime() + delayAfter(this.failures);
  }

  private works(): void {
    if (this.failures > 0) this.parts.log.info({ channel: this.name }, "the channel can be told again");
    this.failures = 0;
    this.notBefore = -Infinity;
  }

  private wakeAt(at: number): void {
    this.timer?.();
    this.timer = null;
    if (at === Infinity) return;
    this.timer = this.parts.clock.after(Math.max(0, at - this.parts.farmTime()), () => this.wake());
  }
}

function delayAfter(attempts: number): number {
  return Math.min(LONGEST_DELAY_SECONDS, FIRST_DELAY_SECONDS * 2 ** Math.min(attempts - 1, 30));
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
