import type { Database } from "../store/database.ts";
import type { Condition } from "../store/job-request.ts";
import type { FinalState } from "../store/job-states.ts";

/** The jobs that wait for other jobs to end. */
export class Dependencies {
  /** By the job that is waited for: the jobs that wait, each with its condition. */
  private readonly waiting = new Map<number, Map<number, Condition>>();

  /** Loads the dependencies of jobs that are not over. */
  load(database: Database): void {
    for (const { job, after, condition } of database.iterate(
      `SELECT dependency.* FROM dependency
         JOIN job AS one ON one.number = dependency.job AND one.ended_at IS NULL
         JOIN job AS other ON other.number = dependency.after AND other.ended_at IS NULL`,
    ))
      this.add(Number(job), Number(after), condition as Condition);
  }

  add(job: number, after: number, condition: Condition): void {
    const waiting = this.waiting.get(after) ?? new Map<number, Condition>();
    this.waiting.set(after, waiting.set(job, condition));
  }

  /** The jobs that waited for a job that is over now: those that may start, and those that never can. */
  over(after: number, state: FinalState): { released: number[]; hopeless: number[] } {
    const released: number[] = [];
    const hopeless: number[] = [];
    for (const [job, condition] of this.waiting.get(after) ?? [])
      (isMet(condition, state) ? released : hopeless).push(job);
    this.waiting.delete(after);
    return { released, hopeless };
  }

  /** The jobs that a job waits for. */
  of(job: number): number[] {
    return [...this.waiting].filter(([, waiting]) => waiting.has(job)).map(([after]) => after);
  }

  /** How the other job must end; undefined: the first does not wait for it. */
  conditionOf(job: number, after: number): Condition | undefined {
    return this.waiting.get(after)?.get(job);
  }

  get all(): Iterable<readonly [after: number, waiting: ReadonlyMap<number, Condition>]> {
    return this.waiting;
  }
}

export function isMet(condition: Condition, state: FinalState): boolean {
  return condition === "any" || (condition === "ok") === (state === "ended");
}
