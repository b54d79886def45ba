import type { FaultSettings } from "./settings.ts";

/** A pool, and when what failed there is retried. */
export interface Retry {
  readonly time: number;
  readonly pool: number;
}

export interface FaultState {
  readonly retries: readonly Retry[];
  readonly failures: readonly (readonly (readonly [machine: number, count: number])[])[];
}

/** What failed: when to retry it, and which machines fail every start. */
export class Faults {
  readonly settings: FaultSettings;
  /** In order of time. Nearly all wait equally long, so a new one is mostly the last. */
  private readonly retries: Retry[] = [];
  private cursor = 0;
  /** By pool, by machine: the starts that have failed in a row. */
  private readonly failures: Map<number, number>[];

  constructor(settings: FaultSettings, pools: number) {
    this.settings = settings;
    this.failures = Array.from({ length: pools }, () => new Map());
  }

  /** Notes a failure in a pool. Returns when to retry. */
  failed(pool: number, now: number): number {
    const time = now + this.settings.retrySeconds;
    this.retryAt(time, pool);
    return time;
  }

  /** Lets what failed in a pool be retried at a time. */
  retryAt(time: number, pool: number): void {
    const { retries } = this;
    let at = retries.length;
    while (at > this.cursor && retries[at - 1].time > time) at--;
    const before = at > this.cursor ? retries[at - 1] : undefined;
    if (before?.time !== time || before.pool !== pool) retries.splice(at, 0, { time, pool });
  }

  /** The retries to come, and by pool the failures in a row of machines. */
  save(): FaultState {
    return { retries: this.retries.slice(this.cursor), failures: this.failures.map((each) => [...each]) };
  }

  load({ retries, failures }: FaultState): void {
    this.retries.push(...retries);
    failures.forEach((each, pool) => {
      for (const [machine, count] of each) this.failures[pool].set(machine, count);
    });
  }

  /** When the next retry is due. */
  get nextTime(): number {
    return this.cursor < this.retries.length ? this.retries[this.cursor].time : Infinity;
  }

  /** The next retry that is due by now; undefined if there is none. */
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

  /**
   * Counts a failed start on a machine. Returns whether so many have failed in a row that the machine is to be drained.
   */
  startFailed(pool: number, machine: number): boolean {
    const failures = (this.failures[pool].get(machine) ?? 0) + 1;
    this.failures[pool].set(machine, failures);
    return failures >= this.settings.maxStartFailures;
  }

  /** Forgets the failures of a machine, because a start there has succeeded or somebody has repaired it. */
  recovered(pool: number, machine: number): void {
    this.failures[pool].delete(machine);
  }

  /** Whether a machine of a pool has failed a start lately. */
  hasFailures(pool: number): boolean {
    return this.failures[pool].size > 0;
  }
}
