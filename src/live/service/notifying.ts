import { MOST_NOTIFICATIONS } from "../limits.ts";
import { listed, Refusal } from "../refusal.ts";
import type { Database } from "../store/database.ts";
import type { JobRequest, Notify, NotifyMoment } from "../store/job-request.ts";
import type { FinalState } from "../store/job-states.ts";
import { added, dropped, Outbox } from "../store/outbox.ts";
import type { LiveJob } from "./books.ts";
import type { Turn } from "./turn.ts";

export interface NotifyingParts {
  readonly database: Database;
  /** The farm's name, and the names of its channels. */
  readonly farm: string;
  readonly channels: readonly string[];
  /** Called when what a channel is to be told is written. */
  readonly wake: (channel: string) => void;
  readonly warn: (text: string) => void;
}

/** Why users are told of jobs that are over. */
const FAILED: readonly FinalState[] = ["failed", "lost", "rejected"];

/** Writes down what users are to be told of their jobs, with what happens to these. */
export class Notifying {
  private readonly parts: NotifyingParts;
  /** By job, of those that are not over. */
  private readonly asked = new Map<number, readonly Notify[]>();
  /** What is still to be told. */
  waiting: number;
  /** What was not written down, since too much waited. */
  dropped = 0;

  constructor(parts: NotifyingParts) {
    const { database } = parts;
    this.parts = parts;
    this.waiting = new Outbox(database).count();
    for (const { job, channels } of database.all("SELECT job, channels FROM notify"))
      this.asked.set(Number(job), JSON.parse(String(channels)) as Notify[]);
  }

  /** @throws Refusal where a channel is not there, or named twice */
  check({ notify }: JobRequest): void {
    const { channels } = this.parts;
    for (const [at, { channel }] of notify.entries()) {
      if (!channels.includes(channel))
        throw new Refusal(
          422,
          channels.length === 0
            ? "this farm has no channels, by which it would tell of jobs: its file has none under notify"
            : `there is no channel ${JSON.stringify(channel)}: ${listed(channels)}`,
        );
      if (notify.findIndex((each) => each.channel === channel) < at)
        throw new Refusal(422, `the channel ${channel} is named twice: name it once, with all of on`);
    }
  }

  /** Drops what is for channels that the farm has no more. */
  goOn(turn: Turn): void {
    const { database, channels, warn } = this.parts;
    const outbox = new Outbox(database);
    for (const channel of outbox.channels().filter((each) => !channels.includes(each))) {
      const { sql, values } = dropped(channel);
      turn.write(sql, ...values);
      const count = outbox.count(channel);
      this.waiting -= count;
      this.dropped += count;
      warn(`${count} notifications for the channel ${channel} are dropped: the farm's file has it no more`);
    }
  }

  /** A job is taken. */
  add(turn: Turn, { number }: LiveJob, { notify }: JobRequest): void {
    if (notify.length === 0) return;
    this.asked.set(number, notify);
    turn.write("INSERT INTO notify (job, channels) VALUES (?, ?)", number, JSON.stringify(notify));
  }

  started(turn: Turn, job: LiveJob): void {
    const asked = this.asked.get(job.number);
    if (asked !== undefined) this.tell(turn, job, "started", asked, ["start"]);
  }

  /** A job is over. */
  over(turn: Turn, job: LiveJob, state: FinalState): void {
    const asked = this.asked.get(job.number);
    if (asked === undefined) return;
    this.asked.delete(job.number);
    turn.write("DELETE FROM notify WHERE job = ?", job.number);
    this.tell(turn, job, state, asked, FAILED.includes(state) ? ["end", "fail"] : ["end"]);
  }

  /** A channel was told, or never will be. */
  isOver(): void {
    this.waiting--;
  }

  private tell(
    turn: Turn,
    job: LiveJob,
    event: "started" | FinalState,
    asked: readonly Notify[],
    moments: readonly NotifyMoment[],
  ): void {
    const { farm, channels, wake, warn } = this.parts;
    for (const { channel, on } of asked) {
      if (!on.some((moment) => moments.includes(moment)) || !channels.includes(channel)) continue;
      if (this.waiting >= MOST_NOTIFICATIONS) {
        if (this.dropped++ === 0)
          warn(
            `${MOST_NOTIFICATIONS} notifications wait for their channels: more are dropped (croft_notifications_total)`,
          );
        continue;
      }
      this.waiting++;
      const { number, id, user, reason, pool, machines, attempt } = job;
      const text = JSON.stringify({
        farm,
        event,
        at: new Date(turn.unixSeconds * 1000).toISOString(),
        job: { number, id, user, name: "", state: job.state, reason, pool, machines, attempt },
      });
      const { sql, values } = added(channel, number, turn.at, text);
      turn.write(sql, ...values);
      turn.effect(() => wake(channel));
    }
  }
}
