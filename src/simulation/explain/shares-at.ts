import { InputError, type Farm, type Machines, type Workload } from "../../workload/index.ts";
import { fairShareOf, type BuiltEngine } from "../build/build-engine.ts";
import type { Driver } from "../run/driver.ts";
import type { RunObserver } from "../run/run-observer.ts";
import { kindsOfRun, limitOf } from "../settings/combinations.ts";
import { defaultSettings } from "../settings/settings.ts";
import { simulate, type GivenSettings } from "../simulate.ts";
import { shareViews, type SharesView } from "./share-views.ts";

/**
 * Makes a run up to a time, and tells what projects have used, use and wait for then.
 *
 * @param atSeconds on the run's clock; null: when the last job is submitted
 * @throws InputError where the run has no fair share
 */
export function sharesAt(
  atSeconds: number | null,
  workload: Workload,
  on: Machines | Farm,
  given: GivenSettings = {},
): { readonly atSeconds: number; readonly pools: SharesView[] } {
  const settings = { ...defaultSettings, ...given };
  const limit = limitOf("command", "shares", kindsOfRun(on, settings, workload.nodeCpu !== undefined));
  if (limit !== null && "refused" in limit) throw new InputError(`shares: ${limit.refused}`);
  let seen: SharesSeen | null = null;
  simulate(workload, on, settings, {
    observe: (driver, built) => (seen = new SharesSeen(driver, built, settings, atSeconds)),
  });
  const views = (seen as SharesSeen | null)?.end();
  if (views === undefined || views.pools.length === 0)
    throw new InputError("no pool has shares, or the workload names no projects: give --fair-share");
  return views;
}

/** Looks at a run when its time has come. */
class SharesSeen implements RunObserver {
  private readonly driver: Driver;
  private readonly built: BuiltEngine;
  private readonly settings: typeof defaultSettings;
  /** `Infinity` until it is known. */
  private atSeconds: number;
  private pools: SharesView[] | null = null;

  constructor(
    driver: Driver,
    built: BuiltEngine,
    settings: typeof defaultSettings,
    atSeconds: number | null,
  ) {
    this.driver = driver;
    this.built = built;
    this.settings = settings;
    this.atSeconds = atSeconds ?? Infinity;
  }

  submitted(row: number, _job: number, _pool: number, now: number): void {
    this.came(row, now);
  }

  rejected(row: number, now: number): void {
    this.came(row, now);
  }

  private came(row: number, now: number): void {
    const isLast = row === this.driver.workload.count - 1;
    if (isLast && this.atSeconds === Infinity) this.atSeconds = now;
  }

  advance(now: number): void {
    if (now <= this.atSeconds || this.pools !== null) return;
    this.pools = this.look();
    this.driver.isStopped = true;
  }

  /** The run is over, perhaps before that time. */
  end(): { atSeconds: number; pools: SharesView[] } {
    return { atSeconds: this.atSeconds, pools: this.pools ?? this.look() };
  }

  private look(): SharesView[] {
    const { project } = this.driver.workload;
    if (project === null) return [];
    const pools = this.built.farm.pools.map((pool) => ({
      name: pool.name,
      ...fairShareOf(pool, this.settings),
    }));
    return shareViews(this.built.port.view, pools, project.names, this.atSeconds);
  }
}
