import { doubleColumns } from "../../arrays.ts";

/**
 * What has been learned of the kinds of request while promises are made. Free amounts only shrink meanwhile, so a job
 * that asks for the same as one before it, for at least as long, gets no earlier time.
 */
export class PromisesByKind {
  private round = 1;
  /**
   * By kind, if it is of this round: the time of the last promise, and the shortest estimate known to be too long for a
   * promise before the horizon.
   */
  private promisedIn = new Float64Array(256);
  private seconds = new Float64Array(256);
  private time = new Float64Array(256);
  private lateIn = new Float64Array(256);
  private shortestLate = new Float64Array(256);

  clear(): void {
    this.round++;
  }

  /** A time before which a search finds nothing; -Infinity if nothing is known. */
  notBefore(kind: number, seconds: number): number {
    const isKnown = kind < this.promisedIn.length && this.promisedIn[kind] === this.round;
    return isKnown && seconds >= this.seconds[kind] ? this.time[kind] : -Infinity;
  }

  notePromise(kind: number, seconds: number, time: number): void {
    this.makeRoom(kind);
    this.promisedIn[kind] = this.round;
    this.seconds[kind] = seconds;
    this.time[kind] = time;
  }

  isLate(kind: number, seconds: number): boolean {
    return (
      kind < this.lateIn.length && this.lateIn[kind] === this.round && seconds >= this.shortestLate[kind]
    );
  }

  /** From now on, leaves out jobs of the kind with this estimate or a longer one. */
  noteLate(kind: number, seconds: number): void {
    this.makeRoom(kind);
    this.lateIn[kind] = this.round;
    this.shortestLate[kind] = seconds;
  }

  private makeRoom(kind: number): void {
    while (kind >= this.promisedIn.length) doubleColumns(this);
  }
}
