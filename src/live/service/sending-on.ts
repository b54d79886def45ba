import { NONE } from "../../core/index.ts";
import { readRequest } from "../store/job-request.ts";
import type { Connection } from "../store/connection.ts";
import type { Books, LiveJob } from "./books.ts";
import type { Ending } from "./ending.ts";
import type { Journal } from "./journal.ts";
import type { PlainFarm } from "./plain-farm.ts";
import { rejectedBecause } from "./rejected.ts";
import type { Requirements } from "./requirements.ts";
import type { Scheduling } from "./scheduling.ts";
import type { Turn } from "./turn.ts";

export interface SendingOnParts {
  readonly database: Connection;
  readonly books: Books;
  readonly journal: Journal;
  readonly farm: PlainFarm;
  readonly requirements: Requirements;
  readonly scheduling: Scheduling;
  readonly ending: Ending;
}

/**
 * Once machines are known that nobody knew before: jobs that have waited for that go to the pools that can hold them, and
 * those that none can hold are rejected, as they would have been when they were submitted.
 */
export class SendingOn {
  private readonly parts: SendingOnParts;

  constructor(parts: SendingOnParts) {
    this.parts = parts;
  }

  all(turn: Turn): void {
    const { books, journal } = this.parts;
    for (const job of books.jobs.values())
      if (
        (job.state === "waiting" || job.state === "held") &&
        journal.port.has(job.number) &&
        journal.port.poolOf(job.number) === NONE
      )
        this.one(turn, job);
  }

  private one(turn: Turn, job: LiveJob): void {
    const { database, journal, farm, requirements, scheduling, ending } = this.parts;
    const { number } = job;
    const { view } = journal.port;
    const handle = journal.port.handleOf(number);
    const rejection = view.rejectionOf(handle);
    if (rejection !== null) {
      const row = database.get("SELECT request FROM job WHERE number = ?", number);
      const { pool } = readRequest(String(row?.["request"]));
      const reason = rejectedBecause(farm, requirements, rejection, pool);
      scheduling.apply(turn, { type: "cancelled", at: turn.at, job: number });
      return ending.finish(turn, job, { state: "rejected", reason });
    }
    const virtualPool = view.jobs.virtualPoolOf(handle);
    const isAwaiting = view.awaitedBy(handle).length > 0;
    if (!isAwaiting && job.state === "waiting") job.reason = "";
    // With a queue it goes on by itself as soon as there is room.
    if (!isAwaiting && farm.virtualPools[virtualPool]!.hasQueue !== true) {
      const candidates = view.jobs.candidatesOf(handle);
      scheduling.apply(turn, { type: "changed", at: turn.at, job: number, virtualPool, candidates });
      job.pool = scheduling.poolOf(number);
    }
    turn.changed(job);
  }
}
