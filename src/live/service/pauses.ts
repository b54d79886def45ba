import type { Database } from "../store/database.ts";
import type { Acts } from "./acts.ts";
import type { Books, LiveJob } from "./books.ts";
import type { LivePool } from "./live-pool.ts";
import { Refusal, listed } from "../refusal.ts";
import type { Reports } from "./reports.ts";
import type { Turn } from "./turn.ts";

/** Somebody lets a pool, or the farm, start nothing. */
export interface Pause {
  readonly actor: string;
  readonly reason: string;
  /** Since 1970. */
  readonly at: number;
  /** Whether what runs is suspended, where its engine can. */
  readonly suspends: boolean;
}

/** What the farm's own pause is kept by: no pool is called so. */
const FARM = "";

/** Pools that start nothing until a person says so. What runs there runs on, or is suspended. */
export class Pauses {
  private readonly books: Books;
  private readonly pools: readonly LivePool[];
  private readonly acts: Acts;
  private readonly reports: Reports;
  /** Of the farm; null: it is not paused. */
  farm: Pause | null = null;

  constructor(books: Books, pools: readonly LivePool[], acts: Acts, reports: Reports) {
    this.books = books;
    this.pools = pools;
    this.acts = acts;
    this.reports = reports;
  }

  /** Finds again what was paused. */
  load(database: Database): void {
    for (const { pool, actor, reason, at, suspends } of database.all("SELECT * FROM pause"))
      this.note(String(pool), {
        actor: String(actor),
        reason: String(reason),
        at: Number(at),
        suspends: suspends === 1,
      });
  }

  /**
   * @param name of a pool; null: the farm
   * @throws Refusal where there is no such pool, or its engine cannot suspend what is to be suspended
   */
  pause(turn: Turn, name: string | null, { actor, reason, suspends }: Omit<Pause, "at">): void {
    const pools = this.meant(name);
    const [only] = pools;
    if (suspends && name !== null && only?.engine.capabilities.suspend === "none")
      throw new Refusal(409, `pool ${name} cannot suspend its jobs: pause it without, and they run on`);
    this.note(name ?? FARM, { actor, reason, at: turn.unixSeconds, suspends });
    turn.write(
      "INSERT OR REPLACE INTO pause (pool, actor, reason, at, suspends) VALUES (?, ?, ?, ?, ?)",
      name ?? FARM,
      actor,
      reason,
      turn.unixSeconds,
      Number(suspends),
    );
    turn.event("paused", { actor, text: `${name ?? "the farm"}${reason === "" ? "" : `: ${reason}`}` });
    for (const pool of pools) this.apply(turn, pool);
  }

  /** @throws Refusal where it is not paused */
  unpause(turn: Turn, name: string | null, actor: string): void {
    const pools = this.meant(name);
    const [only] = pools;
    if (name === null ? this.farm === null : only?.ownPause === null)
      throw new Refusal(
        409,
        name === null
          ? "the farm is not paused"
          : `pool ${name} is not paused${this.farm === null ? "" : " by itself, but with the whole farm"}`,
      );
    this.note(name ?? FARM, null);
    turn.write("DELETE FROM pause WHERE pool = ?", name ?? FARM);
    turn.event("unpaused", { actor, text: name ?? "the farm" });
    for (const pool of pools) this.apply(turn, pool);
  }

  /** What follows from a pause, or from its end. Repeating it changes nothing. */
  apply(turn: Turn, pool: LivePool): void {
    this.reports.closings(turn, pool);
    for (const { pool: number, job } of this.books.attempts.values())
      if (number === pool.number) turn.later((then) => this.settle(then, job));
  }

  private settle(turn: Turn, job: LiveJob): void {
    if (!this.books.jobs.has(job.number)) return;
    const pauses = job.attempts.flatMap(({ pool }) => this.pools[pool]!.paused ?? []);
    const pause = pauses.find(({ suspends }) => suspends);
    if (pause !== undefined) this.acts.pauseWithPool(turn, job, pause.actor);
    else if (job.isPausedWithPool) this.acts.resumeWithPool(turn, job);
  }

  private note(name: string, pause: Pause | null): void {
    if (name === FARM) this.farm = pause;
    for (const pool of this.pools)
      if (name === FARM) pool.farmPause = pause;
      else if (pool.name === name) pool.ownPause = pause;
  }

  private meant(name: string | null): readonly LivePool[] {
    if (name === null) return this.pools;
    const pool = this.pools.find((each) => each.name === name);
    if (pool === undefined)
      throw new Refusal(
        404,
        `there is no pool ${JSON.stringify(name)}: ${listed(this.pools.map((each) => each.name))}${/^\d+$/.test(name) ? `; a job is stopped by croft suspend ${name}` : ""}`,
      );
    return [pool];
  }
}
