import type { Draws } from "./any-engine.fixture.ts";

interface Pending {
  readonly time: number;
  readonly order: number;
  run(): void;
}

/** The time of a day on which much goes wrong: what is yet to happen, and which faults happen. */
export class BadDay {
  now = 0;
  /** Whether faults still happen. */
  isFaulty = true;
  /** How often each fault happened. */
  readonly faults = new Map<string, number>();
  readonly draws: Draws;
  private readonly pending: Pending[] = [];
  private order = 0;

  constructor(draws: Draws) {
    this.draws = draws;
  }

  fault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  happens(part: number, kind: string): boolean {
    if (!this.isFaulty || !this.draws.chance(part)) return false;
    this.fault(kind);
    return true;
  }

  delay(): number {
    const { draws } = this;
    return draws.of([0, 0, 0, 0.5, 1, 7, draws.chance(0.1) ? 90 : 2]);
  }

  later(seconds: number, run: () => void): void {
    this.pending.push({ time: this.now + seconds, order: this.order++, run });
  }

  /** What happens next; undefined if nothing does. */
  get next(): Pending | undefined {
    let first: Pending | undefined;
    for (const each of this.pending)
      if (
        first === undefined ||
        each.time < first.time ||
        (each.time === first.time && each.order < first.order)
      )
        first = each;
    return first;
  }

  /** Goes on to what happens next, which is no longer to come. */
  proceed(next: Pending): void {
    this.now = Math.max(this.now, next.time);
    this.pending.splice(this.pending.indexOf(next), 1);
    next.run();
  }

  /** A test of whether something is still to come that was by now. */
  underWay(): () => boolean {
    const end = this.order;
    return () => this.pending.some(({ order }) => order < end);
  }
}
