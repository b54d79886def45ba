import type { Database } from "../store/database.ts";
import { ARRAY_FULL } from "../store/held-for.ts";
import type { Books, LiveJob } from "./books.ts";
import type { Turn } from "./turn.ts";

/** An array of which only so many jobs may be in the queue or run at once. Its jobs have numbers one after the other. */
interface LimitedArray {
  readonly first: number;
  readonly last: number;
  readonly most: number;
  /** Jobs that have a place: they are in the queue or run, neither over nor held. */
  readonly placed: Set<number>;
  /** That are not over. */
  left: number;
  /** Those that only the limit holds back, the longest first. */
  readonly heldBack: Set<number>;
}

/**
 * Holds jobs of arrays back from the decision engine, so that no more of an array than it says run at once. Who has a place
 * follows from the states of its jobs, and is found again so at the next start.
 */
export class ArrayLimits {
  /** By their first jobs, ascending. */
  private readonly arrays: LimitedArray[] = [];

  /** Loads the arrays of jobs that are not over. */
  load(database: Database, books: Books): void {
    for (const { first, last, most } of database.all(
      "SELECT first, last, most FROM array_limit ORDER BY first",
    ))
      this.open(Number(first), Number(last), Number(most));
    for (const array of this.arrays)
      for (let number = array.first; number <= array.last; number++) {
        const job = books.jobs.get(number);
        if (job === undefined) array.left--;
        else if (job.state !== "held") array.placed.add(number);
      }
  }

  /** Jobs of these numbers are about to be taken. */
  add(turn: Turn, first: number, last: number, most: number): void {
    this.open(first, last, most);
    turn.write("INSERT INTO array_limit (first, last, most) VALUES (?, ?, ?)", first, last, most);
  }

  private open(first: number, last: number, most: number): void {
    this.arrays.push({ first, last, most, left: last - first + 1, placed: new Set(), heldBack: new Set() });
  }

  /** Forgets arrays of which no job was taken, since the service ended before. */
  dropEmpty(turn: Turn): void {
    for (const array of this.arrays.filter(({ left }) => left === 0)) this.drop(turn, array);
  }

  /** Gives a job that nothing else holds a place; null: it has one, or needs none. Otherwise why it has to wait. */
  admit({ number }: LiveJob): string | null {
    const array = this.arrayOf(number);
    if (array === undefined) return null;
    if (array.placed.size >= array.most) {
      array.heldBack.add(number);
      return `${ARRAY_FULL}${array.most} ${array.most === 1 ? "job" : "jobs"} of its array at once`;
    }
    array.heldBack.delete(number);
    array.placed.add(number);
    return null;
  }

  /** A job is held by something else, or over: its place is free. Returns whether another one waits for one. */
  leave(turn: Turn, number: number, isOver: boolean): boolean {
    const array = this.arrayOf(number);
    if (array === undefined) return false;
    array.heldBack.delete(number);
    array.placed.delete(number);
    if (isOver && --array.left === 0) this.drop(turn, array);
    return array.heldBack.size > 0;
  }

  /** The job of this one's array that is to have a place; null: none is free, or none waits. */
  next(number: number): number | null {
    const array = this.arrayOf(number);
    if (array === undefined || array.placed.size >= array.most) return null;
    const [first = null] = array.heldBack;
    return first;
  }

  private drop(turn: Turn, array: LimitedArray): void {
    this.arrays.splice(this.arrays.indexOf(array), 1);
    turn.write("DELETE FROM array_limit WHERE first = ?", array.first);
  }

  private arrayOf(number: number): LimitedArray | undefined {
    const { arrays } = this;
    let [low, high] = [0, arrays.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (arrays[middle]!.last < number) low = middle + 1;
      else high = middle;
    }
    const found = arrays[low];
    return found !== undefined && found.first <= number ? found : undefined;
  }
}
