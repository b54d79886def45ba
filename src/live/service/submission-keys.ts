import type { Database } from "../store/database.ts";
import { Refusal } from "../refusal.ts";
import type { JobState } from "../store/job-states.ts";
import type { Books } from "./books.ts";
import { Recent } from "./recent.ts";
import type { SubmittedJob } from "./submitting.ts";
import type { Turn } from "./turn.ts";

/** What a key has made. */
interface Known {
  readonly hash: string;
  readonly numbers: readonly number[];
  /** What was answered then; absent: that was before the last start. */
  readonly taken?: readonly SubmittedJob[];
}

const KEYS_KEPT = 10_000;
const DAY_SECONDS = 86_400;
/** How long a key is remembered. */
const KEY_DAYS = 7;

/** Which jobs a submission has made, by its user and the `Idempotency-Key` that it came with: a second one makes no more. */
export class SubmissionKeys {
  private readonly database: Database;
  private readonly books: Books;
  /** By user and key. */
  private readonly keys = new Recent<string, Known>(KEYS_KEPT);

  constructor(database: Database, books: Books) {
    this.database = database;
    this.books = books;
  }

  /** What was submitted with a key before, as it is now; null: nothing. */
  submitted(user: string, key: string, hash: string): SubmittedJob[] | null {
    const before = this.known(user, key, hash);
    return before?.numbers.map((number, at) => this.again(number, before.taken?.[at])) ?? null;
  }

  remember(turn: Turn, user: string, key: string, hash: string, taken: readonly SubmittedJob[]): void {
    const numbers = taken.map(({ number }) => number);
    this.keys.set(turn, `${user}\n${key}`, { hash, numbers, taken });
    turn.write(
      "INSERT INTO submission (user, key, hash, numbers, at) VALUES (?, ?, ?, ?, ?)",
      user,
      key,
      hash,
      JSON.stringify(numbers),
      turn.at,
    );
    // By the farm's clock: if the machine's jumps, no key is forgotten before its time.
    turn.write("DELETE FROM submission WHERE at < ?", turn.at - KEY_DAYS * DAY_SECONDS);
  }

  /** The jobs that a key has made; null: none yet. */
  private known(user: string, key: string, hash: string): Known | null {
    const row = this.database.get(
      "SELECT hash, numbers FROM submission WHERE user = ? AND key = ?",
      user,
      key,
    );
    const known: Known | null =
      this.keys.get(`${user}\n${key}`) ??
      (row === undefined
        ? null
        : { hash: String(row["hash"]), numbers: JSON.parse(String(row["numbers"])) as number[] });
    if (known === null) return null;
    if (known.hash !== hash)
      throw new Refusal(409, "this Idempotency-Key was used for other jobs: take a new key for these");
    return known;
  }

  /** @param taken what was answered before; a job that was over at once may not be in the database yet */
  private again(number: number, taken: SubmittedJob | undefined): SubmittedJob {
    const job = this.books.jobs.get(number);
    if (job !== undefined) return { id: job.id, number, state: job.state, reason: job.reason };
    const row = this.database.get("SELECT id, state, reason FROM job WHERE number = ?", number);
    if (row === undefined) {
      if (taken !== undefined) return taken;
      throw new Refusal(409, `this Idempotency-Key has made job ${number}, which is in the farm's history`);
    }
    return {
      id: String(row["id"]),
      number,
      state: String(row["state"]) as JobState,
      reason: String(row["reason"]),
    };
  }
}
