import { doubled } from "../../core/index.ts";

/** What an attempt at a job is doing: where its time goes. */
export const NOTHING = -1;
export const WAITS = 0;
export const RUNS = 1;
export const IS_SUSPENDED = 2;
export const TRAVELS = 3;

/**
 * Where the time of each job in the farm went so far, by handle, in seconds:
 * waiting, running to some purpose, suspended, in transfer, and lost, which is what
 * it ran in vain. They add up to the time since its submission.
 */
export class Accounts {
  row = new Int32Array(1024);
  doing = new Int32Array(1024);
  since = new Float64Array(1024);
  /** By what it is doing: `spent[RUNS][job]`. */
  readonly spent = [
    new Float64Array(1024),
    new Float64Array(1024),
    new Float64Array(1024),
    new Float64Array(1024),
  ];
  lost = new Float64Array(1024);
  /** What it has done of its run time, in seconds on a machine of speed 1. */
  progress = new Float64Array(1024);
  /** Of the machine where it is, or was last. */
  speed = new Float64Array(1024);
  /** When it will have ended if nothing comes in between; NaN while it does not run. */
  end = new Float64Array(1024);
  /** When it will be where it is going; NaN where it is not. */
  arrival = new Float64Array(1024);
  suspensions = new Int32Array(1024);
  moves = new Int32Array(1024);
  private readonly checkpointSeconds: number | null;

  constructor(checkpointSeconds: number | null) {
    this.checkpointSeconds = checkpointSeconds;
  }

  open(job: number, row: number, now: number): void {
    while (job >= this.row.length) this.grow();
    this.row[job] = row;
    this.doing[job] = NOTHING;
    this.since[job] = now;
    for (const spent of this.spent) spent[job] = 0;
    this.lost[job] = 0;
    this.progress[job] = 0;
    this.speed[job] = 1;
    this.end[job] = NaN;
    this.arrival[job] = NaN;
    this.suspensions[job] = 0;
    this.moves[job] = 0;
  }

  /** From now on it does something else. */
  turnTo(job: number, doing: number, now: number): void {
    const before = this.doing[job];
    if (before !== NOTHING) {
      const seconds = now - this.since[job];
      this.spent[before][job] += seconds;
      if (before === RUNS) this.progress[job] += seconds * this.speed[job];
    }
    this.doing[job] = doing;
    this.since[job] = now;
  }

  /** It starts again from its last checkpoint, or from the beginning: what came after was in vain. */
  restart(job: number): void {
    const { checkpointSeconds: step } = this;
    const kept = step === null ? 0 : Math.floor(this.progress[job] / step) * step;
    const lost = step === null ? this.spent[RUNS][job] : (this.progress[job] - kept) / this.speed[job];
    this.spent[RUNS][job] -= lost;
    this.lost[job] += lost;
    this.progress[job] = kept;
  }

  /** A second attempt has behind it what the first has, but for what it ran since the last checkpoint. */
  copy(from: number, to: number, now: number): void {
    this.turnTo(from, this.doing[from], now);
    this.open(to, this.row[from], now);
    for (const spent of this.spent) spent[to] = spent[from];
    this.lost[to] = this.lost[from];
    this.progress[to] = this.progress[from];
    this.speed[to] = this.speed[from];
    this.suspensions[to] = this.suspensions[from];
    this.moves[to] = this.moves[from];
    this.restart(to);
  }

  private grow(): void {
    this.row = doubled(this.row);
    this.doing = doubled(this.doing);
    this.since = doubled(this.since);
    this.spent.forEach((column, i) => (this.spent[i] = doubled(column)));
    this.lost = doubled(this.lost);
    this.progress = doubled(this.progress);
    this.speed = doubled(this.speed);
    this.end = doubled(this.end);
    this.arrival = doubled(this.arrival);
    this.suspensions = doubled(this.suspensions);
    this.moves = doubled(this.moves);
  }
}
