import type { Connection } from "../store/connection.ts";
import type { Replica } from "../replica/replica.ts";

/** For how long an answer holds if nothing happens, in the farm's time. */
const HOLDS_SECONDS = 10;
const MOST_TOLD = 1000;

interface Recent<Name, Answer> {
  readonly lastChange: number;
  readonly at: number;
  readonly answers: Map<Name, Answer>;
}

/** What was answered lately: the same is answered again until something has happened on the farm, or some time has passed. */
export class Told<Name, Answer> {
  private readonly recent = new WeakMap<Connection, Recent<Name, Answer>>();

  /** @param at the farm's time */
  get(connection: Connection, { lastChange }: Replica, name: Name, at: number): Answer | undefined {
    const recent = this.recent.get(connection);
    if (recent?.lastChange === lastChange && at - recent.at < HOLDS_SECONDS) return recent.answers.get(name);
    this.recent.set(connection, { lastChange, at, answers: new Map() });
    return undefined;
  }

  /** After `get` has found nothing. */
  set(connection: Connection, name: Name, answer: Answer): void {
    const { answers } = this.recent.get(connection)!;
    if (answers.size < MOST_TOLD) answers.set(name, answer);
  }
}
