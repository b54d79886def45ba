import type { RequestKinds } from "../jobs/request-kinds.ts";
import type { Limits } from "../limits/limits.ts";

/** So many of one licence. */
export interface LicenceCount {
  readonly licence: number;
  readonly count: number;
}

/** The licences of a pool, and what jobs ask for. */
export interface LicenceSettings {
  /** By licence: how many of it the pool has. */
  readonly counts: Int32Array;
  /** What jobs with this number in their request ask for, each licence once; the answer stays the same for ever. */
  readonly asks: (request: number) => readonly LicenceCount[];
}

/** A licence of which too few are free for a job. */
export interface LicenceShortage {
  readonly licence: number;
  readonly asked: number;
  readonly inUse: number;
  readonly count: number;
}

/**
 * Licences of programs, or whatever else a pool has a number of that belongs to no machine (Slurm's `Licenses`, PBS's
 * resources of the server, Grid Engine's consumables of the host `global`). A job holds what it asks for from its start
 * to its end. A suspended job keeps it, as a stopped process keeps the licence that it has checked out; LSF does the
 * same unless its `PREEMPTABLE_RESOURCES` names the resource.
 *
 * Nothing is promised: a job whose licences are in use is passed over, and tried again in the next cycle.
 */
export class Licences {
  /** By licence: how many there are, and how many no job holds. */
  readonly counts: Int32Array;
  readonly free: Int32Array;
  /** By licence: how many the waiting jobs ask for in sum. Only kept where jobs may go to other pools as well. */
  readonly awaited: Float64Array;
  /** The limits that all pools have together, which a job takes and gives as it does licences; null: there are none. */
  readonly limits: Limits | null;
  private readonly kinds: RequestKinds;
  private readonly asks: LicenceSettings["asks"];

  constructor(kinds: RequestKinds, { counts, asks }: LicenceSettings, limits: Limits | null = null) {
    this.limits = limits;
    this.counts = counts;
    this.free = counts.slice();
    this.awaited = new Float64Array(counts.length);
    this.kinds = kinds;
    this.asks = asks;
  }

  /** What jobs with this number in their request ask for. */
  askedFor(request: number): readonly LicenceCount[] {
    return request === 0 ? [] : this.asks(request);
  }

  /** What a job of this kind asks for. */
  askedBy(kind: number): readonly LicenceCount[] {
    return this.asks(this.kinds.licences[kind]);
  }

  /** Whether all that a job of this kind asks for is free, and it is within its limits. */
  areFree(kind: number): boolean {
    if (this.limits?.allow(kind) === false) return false;
    if (this.kinds.licences[kind] === 0) return true;
    for (const { licence, count } of this.askedBy(kind)) if (count > this.free[licence]) return false;
    return true;
  }

  /** Whether all that a job of this kind asks for is free, and no waiting job asks for it. */
  areSpare(kind: number): boolean {
    if (this.limits?.allow(kind) === false) return false;
    if (this.kinds.licences[kind] === 0) return true;
    for (const { licence, count } of this.askedBy(kind))
      if (count > this.free[licence] - this.awaited[licence]) return false;
    return true;
  }

  /** A job of this kind takes what it asks for, which is free. */
  take(kind: number): void {
    this.limits?.take(kind);
    if (this.kinds.licences[kind] === 0) return;
    for (const { licence, count } of this.askedBy(kind)) this.free[licence] -= count;
  }

  /** A job of this kind gives back what it held. */
  give(kind: number): void {
    this.limits?.give(kind);
    if (this.kinds.licences[kind] === 0) return;
    for (const { licence, count } of this.askedBy(kind)) this.free[licence] += count;
  }

  /** A job of this kind begins to wait, or with `sign` -1 stops. */
  countWaiting(kind: number, sign: number): void {
    if (this.kinds.licences[kind] === 0) return;
    for (const { licence, count } of this.askedBy(kind)) this.awaited[licence] += sign * count;
  }

  /** The licences of which too few are free for a job of this kind. */
  shortagesFor(kind: number): LicenceShortage[] {
    return this.askedBy(kind)
      .filter(({ licence, count }) => count > this.free[licence])
      .map(({ licence, count }) => ({
        licence,
        asked: count,
        inUse: this.counts[licence] - this.free[licence],
        count: this.counts[licence],
      }));
  }
}

/** Of a pool that has none. */
export const NO_LICENCES: LicenceSettings = { counts: new Int32Array(0), asks: () => [] };

/** The first licence of which the pool has fewer than a request asks for; undefined: it has enough of all. */
export function missingLicence(
  { counts, asks }: LicenceSettings,
  request: number,
): { readonly licence: number; readonly asked: number; readonly held: number } | undefined {
  const missing = asks(request).find(({ licence, count }) => count > counts[licence]);
  return missing && { licence: missing.licence, asked: missing.count, held: counts[missing.licence] };
}
