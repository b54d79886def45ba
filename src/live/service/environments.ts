import { createHash } from "node:crypto";

import type { Database } from "../store/database.ts";
import { Recent } from "./recent.ts";
import type { Turn } from "./turn.ts";

const KEPT = 1000;

/** The environments of jobs. Each is stored once, since many jobs have the same. */
export class Environments {
  private readonly database: Database;
  /** By hash. */
  private readonly numbers = new Recent<string, number>(KEPT);
  private next: number;

  constructor(database: Database) {
    this.database = database;
    this.next = 1 + Number(database.get("SELECT max(id) AS last FROM environment")?.["last"] ?? 0);
  }

  /** The number of an environment. A new one is written with the turn. */
  numberOf(turn: Turn, variables: Readonly<Record<string, string>>): number {
    const text = JSON.stringify(variables);
    const hash = hashOf(text);
    const number = this.numbers.get(hash) ?? this.written(hash) ?? this.write(turn, hash, text);
    this.numbers.set(turn, hash, number);
    return number;
  }

  /** Deletes those of these numbers that no job has. A job may have got one since that was looked for. */
  drop(turn: Turn, numbers: readonly number[]): void {
    const dropped = new Set(numbers);
    this.numbers.forget((number) => dropped.has(number));
    // New jobs are written before this.
    for (const number of numbers)
      turn.write(
        "DELETE FROM environment WHERE id = ? AND NOT EXISTS (SELECT 1 FROM job WHERE job.environment = ?)",
        number,
        number,
      );
  }

  private written(hash: string): number | null {
    const row = this.database.get("SELECT id FROM environment WHERE hash = ?", hash);
    return row === undefined ? null : Number(row["id"]);
  }

  private write(turn: Turn, hash: string, text: string): number {
    const number = this.next++;
    turn.write("INSERT INTO environment (id, hash, text) VALUES (?, ?, ?)", number, hash, text);
    return number;
  }
}

export function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
