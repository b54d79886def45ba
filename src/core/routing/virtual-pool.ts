import type { Routing } from "./routing.ts";

export interface VirtualPoolSettings {
  readonly site: number;
  readonly pools: readonly number[];
  readonly routing: Routing;
  readonly viewAgeSeconds: number;
}

/** The pools that a job may go to, and whose turn it is among jobs that may go to the same. */
export interface Candidates {
  readonly pools: readonly number[];
  turn: number;
}

/** A Virtual Pool Manager: takes jobs from users and sends each to a pool it is connected to (Zhang 2010, section 2.1). */
export class VirtualPool {
  readonly site: number;
  readonly routing: Routing;
  readonly viewAgeSeconds: number;
  private readonly pools: readonly number[];
  private readonly lists: readonly (readonly number[] | null)[];
  private readonly known: (Candidates | undefined)[] = [];

  constructor(settings: VirtualPoolSettings, lists: readonly (readonly number[] | null)[]) {
    this.site = settings.site;
    this.routing = settings.routing;
    this.viewAgeSeconds = settings.viewAgeSeconds;
    this.pools = settings.pools;
    this.lists = lists;
  }

  /** Whose turn it is, by list of candidates: what a snapshot keeps. */
  get turns(): number[] {
    return this.lists.map((_, list) => this.candidates(list).turn);
  }

  set turns(turns: readonly number[]) {
    turns.forEach((turn, list) => (this.candidates(list).turn = turn));
  }

  /** Those of a list of pools that it is connected to, in its own order. */
  candidates(list: number): Candidates {
    let candidates = this.known[list];
    if (candidates === undefined) {
      const named = this.lists[list];
      candidates = { pools: this.pools.filter((pool) => named === null || named.includes(pool)), turn: 0 };
      this.known[list] = candidates;
    }
    return candidates;
  }
}
