import type { RequestKinds } from "../jobs/request-kinds.ts";

/** What may run at a time of all jobs that count together, such as those of a user. */
export interface Limit {
  /** Jobs that count together have the same number, from 0. */
  readonly counted: number;
  /** Infinite: no limit. */
  readonly jobs: number;
  /** Thousandths of a core. */
  readonly cores: number;
}

export interface LimitSettings {
  /** The limits of the jobs with this number in their request; the answer stays the same for ever. */
  readonly of: (account: number) => readonly Limit[];
}

/** A limit that a job would exceed. */
export interface LimitExcess {
  readonly account: number;
  /** Its place among the limits of the account. */
  readonly place: number;
  readonly what: "jobs" | "cores";
  /** Of jobs 1; of cores thousandths, as all of these. */
  readonly asked: number;
  readonly inUse: number;
  readonly most: number;
}

/**
 * What may run at a time of a user's, a group's, a project's jobs, in all pools of a farm together. A job counts from
 * its start to its end, also while it is suspended. One that would exceed a limit is passed over, as one is whose
 * licences are in use, and keeps no machine from others.
 */
export class Limits {
  /** Counts up when something may be below its limit again. */
  given = 0;
  /** Called when a job has given back what counts, so that another pool's may start. */
  onGiven: () => void = () => {};
  private readonly kinds: RequestKinds;
  private readonly of: LimitSettings["of"];
  /** By number of those that count together. */
  private jobs: number[] = [];
  private cores: number[] = [];

  constructor(kinds: RequestKinds, { of }: LimitSettings) {
    this.kinds = kinds;
    this.of = of;
  }

  /** Whether a job of this kind may start now. */
  allow(kind: number): boolean {
    const { kinds } = this;
    if (kinds.account[kind] === 0) return true;
    const cores = kinds.cores[kind] * kinds.tasks[kind];
    for (const limit of this.of(kinds.account[kind])) {
      if ((this.jobs[limit.counted] ?? 0) + 1 > limit.jobs) return false;
      if ((this.cores[limit.counted] ?? 0) + cores > limit.cores) return false;
    }
    return true;
  }

  take(kind: number): void {
    this.count(kind, 1);
  }

  give(kind: number): void {
    this.count(kind, -1);
  }

  /** A job of this kind is over, or gives up its machines: tells whoever waits for it. */
  givenBack(kind: number): void {
    if (this.kinds.account[kind] !== 0) this.onGiven();
  }

  /** The limits that a job of this kind would exceed now. */
  excessesOf(kind: number): LimitExcess[] {
    const { account, cores, tasks } = this.kinds;
    const own = account[kind];
    if (own === 0) return [];
    return excessesWith(this.of(own), own, cores[kind] * tasks[kind], ({ counted }) => ({
      jobs: this.jobs[counted] ?? 0,
      cores: this.cores[counted] ?? 0,
    }));
  }

  /** The limit that a job would exceed if nothing else ran; undefined: none. */
  neverFor({
    account = 0,
    cores,
    tasks,
  }: {
    account?: number;
    cores: number;
    tasks: number;
  }): LimitExcess | undefined {
    return account === 0 ? undefined : excessesWith(this.of(account), account, cores * tasks, NOTHING)[0];
  }

  private count(kind: number, sign: number): void {
    const { kinds, jobs } = this;
    if (kinds.account[kind] === 0) return;
    const cores = sign * kinds.cores[kind] * kinds.tasks[kind];
    for (const { counted } of this.of(kinds.account[kind])) {
      jobs[counted] = (jobs[counted] ?? 0) + sign;
      this.cores[counted] = (this.cores[counted] ?? 0) + cores;
    }
    if (sign < 0) this.given++;
  }
}

interface Used {
  readonly jobs: number;
  readonly cores: number;
}

const NOTHING = (): Used => ({ jobs: 0, cores: 0 });

function excessesWith(
  limits: readonly Limit[],
  account: number,
  cores: number,
  used: (limit: Limit) => Used,
): LimitExcess[] {
  return limits.flatMap((limit, place): LimitExcess[] => {
    const inUse = used(limit);
    const found: LimitExcess[] = [];
    if (inUse.jobs + 1 > limit.jobs)
      found.push({ account, place, what: "jobs", asked: 1, inUse: inUse.jobs, most: limit.jobs });
    if (inUse.cores + cores > limit.cores)
      found.push({ account, place, what: "cores", asked: cores, inUse: inUse.cores, most: limit.cores });
    return found;
  });
}

/** The amounts of an excess, for people: `64 cores`. */
export function excessText({ what, asked, inUse, most }: LimitExcess): {
  readonly asked: string;
  readonly inUse: number;
  readonly most: string;
} {
  const shown = (amount: number): string => {
    const number = what === "cores" ? amount / 1000 : amount;
    return `${number} ${what === "cores" ? "core" : "job"}${number === 1 ? "" : "s"}`;
  };
  return { asked: shown(asked), inUse: what === "cores" ? inUse / 1000 : inUse, most: shown(most) };
}
