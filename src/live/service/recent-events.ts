import type { Database } from "../store/database.ts";
import {
  lastEvent,
  ownedEvents,
  type EventFilter,
  type EventView,
  type OwnedEvent,
} from "../store/job-views.ts";

/** Of a turn, and of those before it, for followers that are a little late. */
const KEPT = 10_000;

/** The last events, in memory: however many follow them, a turn asks the database once. */
export class RecentEvents {
  private readonly database: Database;
  private events: OwnedEvent[] = [];
  /** The number of the last event before them. */
  private before: number;
  private readonly kept: number;

  constructor(database: Database, kept = KEPT) {
    this.database = database;
    this.kept = kept;
    this.before = lastEvent(database);
  }

  /** The number of the last event. */
  get last(): number {
    return this.events.at(-1)?.event.seq ?? this.before;
  }

  /** To be called when a turn is durable. */
  readOn(isFollowed: boolean): void {
    if (!isFollowed) {
      // Nobody asks for what is in between.
      this.events = [];
      this.before = lastEvent(this.database);
      return;
    }
    const added = ownedEvents(this.database, this.last, this.kept);
    // As many as that at once: there may be more in between.
    if (added.length === this.kept) this.keep(added, added[0]!.event.seq - 1);
    else if (added.length > 0) this.keep([...this.events, ...added], this.before);
  }

  /** Null where some of them are older than what is kept: then the database has them. */
  list({ after, job, user, limit }: EventFilter): EventView[] | null {
    const { events } = this;
    if (after < this.before) return null;
    let from = events.length;
    while (from > 0 && events[from - 1]!.event.seq > after) from--;
    const found: EventView[] = [];
    for (; from < events.length && found.length < limit; from++) {
      const { event, owner } = events[from]!;
      if ((job === null || event.job === job) && (user === null || owner === user)) found.push(event);
    }
    return found;
  }

  private keep(events: OwnedEvent[], before: number): void {
    const dropped = Math.max(0, events.length - this.kept);
    this.before = dropped === 0 ? before : events[dropped - 1]!.event.seq;
    this.events = dropped === 0 ? events : events.slice(dropped);
  }
}
