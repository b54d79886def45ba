import type { Routing } from "./routing.ts";

export interface VirtualPoolSettings {
  readonly site: number;
  readonly pools: readonly number[];
  readonly routing: Routing;
  readonly viewAgeSeconds: number;
  /** Whether jobs wait here while no candidate pool has room for them; otherwise they wait in a pool. */
  readonly hasQueue: boolean;
}

/** Where jobs may go, as they name it. */
export interface PoolLists {
  /** The pools that they may be sent to; null: any that their virtual pool is connected to. */
  readonly pools: readonly number[] | null;
  /** The pools where they may be restarted, whatever their virtual pool is connected to; null: the same as above. */
  readonly restartPools: readonly number[] | null;
}

/** The pools that a job may go to, and the next turn among jobs with the same candidates. */
export interface Candidates {
  readonly pools: readonly number[];
  turn: number;
}

/** A Virtual Pool Manager: takes jobs from users and sends each to a pool it is connected to (Zhang 2010, section 2.1). */
export class VirtualPool {
  readonly site: number;
  readonly routing: Routing;
  readonly viewAgeSeconds: number;
  readonly hasQueue: boolean;
  private readonly pools: readonly number[];
  private readonly lists: readonly PoolLists[];
  private readonly known: (Candidates | undefined)[] = [];
  private readonly knownRestarts: (Candidates | undefined)[] = [];

  constructor(settings: VirtualPoolSettings, lists: readonly PoolLists[]) {
    this.site = settings.site;
    this.routing = settings.routing;
    this.viewAgeSeconds = settings.viewAgeSeconds;
    this.hasQueue = settings.hasQueue;
    this.pools = settings.pools;
    this.lists = lists;
  }

  /** The next turn, by list of candidates. */
  save(): number[] {
    return this.lists.map((_, list) => this.candidates(list).turn);
  }

  load(turns: readonly number[]): void {
    turns.forEach((turn, list) => (this.candidates(list).turn = turn));
  }

  /** The pools of a list that it is connected to, in its own order. */
  candidates(list: number): Candidates {
    let candidates = this.known[list];
    if (candidates === undefined) {
      const named = this.lists[list].pools;
      candidates = { pools: this.pools.filter((pool) => named === null || named.includes(pool)), turn: 0 };
      this.known[list] = candidates;
    }
    return candidates;
  }

  /** Where a job that names this list may be restarted. */
  restartCandidates(list: number): Candidates {
    const { restartPools } = this.lists[list];
    if (restartPools === null) return this.candidates(list);
    return (this.knownRestarts[list] ??= { pools: restartPools, turn: 0 });
  }
}
