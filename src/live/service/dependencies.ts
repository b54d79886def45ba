import type { Database } from "../store/database.ts";
import type { FinalState } from "./job-states.ts";

/** On what end of another job a job may start. */
export type Condition = "ok" | "failed" | "any";

export const conditions: readonly Condition[] = ["ok", "failed", "any"];

/** Which jobs wait for the end of which. */
export class Dependencies {
  /** By the job that is waited for: those that wait, and for what end. */
  readonly #waiting = new Map<number, Map<number, Condition>>();

  /** Those of jobs that are not over. */
  load(database: Database): void {
    for (const { job, after, condition } of database.iterate(
      `SELECT dependency.* FROM dependency
         JOIN job AS one ON one.number = dependency.job AND one.ended_at IS NULL
         JOIN job AS other ON other.number = dependency.after AND other.ended_at IS NULL`,
    ))
      this.add(Number(job), Number(after), condition as Condition);
  }

  add(job: number, after: number, condition: Condition): void {
    const waiting = this.#waiting.get(after) ?? new Map<number, Condition>();
    this.#waiting.set(after, waiting.set(job, condition));
  }

  /** The jobs a waiting job waits for are in the books; here is who waits for one that is over. */
  over(after: number, state: FinalState): { released: number[]; hopeless: number[] } {
    const released: number[] = [];
    const hopeless: number[] = [];
    for (const [job, condition] of this.#waiting.get(after) ?? [])
      (isMet(condition, state) ? released : hopeless).push(job);
    this.#waiting.delete(after);
    return { released, hopeless };
  }

  /** The jobs that a job waits for. */
  of(job: number): number[] {
    return [...this.#waiting].filter(([, waiting]) => waiting.has(job)).map(([after]) => after);
  }

  get all(): Iterable<readonly [after: number, waiting: ReadonlyMap<number, Condition>]> {
    return this.#waiting;
  }
}

export function isMet(condition: Condition, state: FinalState): boolean {
  return condition === "any" || (condition === "ok") === (state === "ended");
}
