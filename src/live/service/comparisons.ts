import type { Report } from "../engines/engine.ts";
import type { Clock } from "../engines/system/clock.ts";
import type { LivePool } from "./live-pool.ts";
import type { Loop } from "./loop.ts";
import type { Pauses } from "./pauses.ts";
import type { Reconciling } from "./reconciling.ts";
import type { Reports } from "./reports.ts";
import type { Turn } from "./turn.ts";

export interface ComparisonsParts {
  readonly clock: Clock;
  readonly loop: Loop;
  readonly pools: readonly LivePool[];
  readonly pauses: Pauses;
  readonly reports: Reports;
  readonly reconciling: Reconciling;
  /** Called when a pool's engine answers whose machines nobody knew when the farm was opened. */
  readonly machinesKnown: () => void;
}

const SECONDS_BETWEEN = 60;

/** When the books are compared with what engines know: before anything is decided, and every minute. Reports come after. */
export class Comparisons {
  private readonly parts: ComparisonsParts;
  /** Reports of engines from before the first; null: that is over. */
  private early: { readonly pool: LivePool; readonly report: Report }[] | null = [];
  private lastTurn = 0;
  private isStopped = false;

  constructor(parts: ComparisonsParts) {
    this.parts = parts;
  }

  /** Takes a report of a pool's engine. */
  report(pool: LivePool, report: Report): void {
    if (this.early !== null) this.early.push({ pool, report });
    else this.parts.loop.tell((turn) => this.parts.reports.take(turn, pool, report));
  }

  noteTurn({ number }: Turn): void {
    this.lastTurn = number;
  }

  stop(): void {
    this.isStopped = true;
  }

  /**
   * The first comparison; nothing new is decided before.
   *
   * @param then what else is gone on with, before the reports that have come meanwhile
   */
  async begin(then: (turn: Turn) => void): Promise<void> {
    const { pools, pauses, reports, reconciling } = this.parts;
    const listings = await Promise.all(pools.map(({ engine }) => engine.list()));
    const early = this.early ?? [];
    this.early = null;
    await this.dealtWith((turn) => {
      pools.forEach((pool, number) => {
        const machines = pool.engine.machines();
        pool.closeAllBut(machines);
        for (const machine of machines) {
          pool.noteState(machine);
          reports.resize(turn, pool, machine);
        }
        const listing = listings[number]!;
        if (listing.kind === "unreachable") reports.lose(pool, listing);
        else reconciling.compare(turn, pool, listing, 0);
        pauses.apply(turn, pool);
      });
      then(turn);
      turn.runAll();
      for (const { pool, report } of early) {
        reports.take(turn, pool, report);
        turn.runAll();
      }
      turn.event("started-farm");
    });
  }

  /** Compares again and again, until it is stopped. */
  goOn(): void {
    const { clock, pools } = this.parts;
    clock.after(SECONDS_BETWEEN, () => {
      if (this.isStopped) return;
      void Promise.all(pools.map((pool) => this.compare(pool))).then(() => this.goOn());
    });
  }

  private async compare(pool: LivePool): Promise<void> {
    const { loop, reconciling, machinesKnown } = this.parts;
    const before = this.lastTurn;
    const listing = await pool.engine.list();
    if (listing.kind !== "listing" || this.isStopped) return;
    // It may have none, or has told of them when the farm could not be opened again.
    if (pool.plan.isUnknown === true) machinesKnown();
    loop.tell((turn) => reconciling.compare(turn, pool, listing, before));
  }

  /** Runs `deal` in the next turn, and does not wait for a disk that cannot be written: the turns after it do. */
  private dealtWith(deal: (turn: Turn) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.parts.loop
        .act((turn) => {
          deal(turn);
          resolve();
        })
        .catch(reject);
    });
  }
}
