import type { FaultSettings } from "./settings.ts";

/** Something that is tried again after a while. */
export interface Retry {
  readonly time: number;
  readonly pool: number;
}

/** What failed: what is to be tried again when, and which machines fail every start. */
export class Faults {
  readonly settings: FaultSettings;
  /** In order of time: all wait equally long. */
  private readonly retries: Retry[] = [];
  private cursor = 0;
  /** By pool, by machine: starts that have failed in a row. */
  private readonly failures: Map<number, number>[];

  constructor(settings: FaultSettings, pools: number) {
    this.settings = settings;
    this.failures = Array.from({ length: pools }, () => new Map());
  }

  /** Something in a pool failed now. Returns when to try it again. */
  failed(pool: number, now: number): number {
    const time = now + this.settings.retrySeconds;
    this.retries.push({ time, pool });
    return time;
  }

  /** What a snapshot keeps: what is to be tried again when, and by pool the failures in a row of machines. */
  get kept(): { retries: Retry[]; failures: [number, number][][] } {
    return { retries: this.retries.slice(this.cursor), failures: this.failures.map((each) => [...each]) };
  }

  set kept({ retries, failures }: { retries: Retry[]; failures: [number, number][][] }) {
    this.retries.push(...retries);
    failures.forEach((each, pool) => {
      for (const [machine, count] of each) this.failures[pool].set(machine, count);
    });
  }

  /** When something is to be tried again next. */
  get nextTime(): number {
    return this.cursor < this.retries.length ? this.retries[this.cursor].time : Infinity;
  }

  /** What is to be tried again by now, one after the other; undefined where nothing is left. */
  take(now: number): Retry | undefined {
    if (this.nextTime > now) return undefined;
    const retry = this.retries[this.cursor++];
    if (this.cursor === this.retries.length) this.retries.length = this.cursor = 0;
    else if (this.cursor > 1024 && this.cursor * 2 > this.retries.length) {
      this.retries.splice(0, this.cursor);
      this.cursor = 0;
    }
    return retry;
  }

  /** A start on a machine has failed; whether so many in a row have that it is to take no more jobs. */
  startFailed(pool: number, machine: number): boolean {
    const failures = (this.failures[pool].get(machine) ?? 0) + 1;
    this.failures[pool].set(machine, failures);
    return failures >= this.settings.maxStartFailures;
  }

  /** A start on a machine has succeeded, or it was looked after. */
  recovered(pool: number, machine: number): void {
    this.failures[pool].delete(machine);
  }

  /** Whether any machine of a pool has failed a start lately. */
  hasFailures(pool: number): boolean {
    return this.failures[pool].size > 0;
  }
}
