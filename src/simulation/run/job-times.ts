/** What an attempt at a job is doing: where its time goes. */
export type Doing = "nothing" | "waits" | "runs" | "suspended" | "travels";

/**
 * Where the time of one attempt at a job went so far, in seconds: waiting, running, suspended, in transfer, and lost,
 * which is what it ran and had to repeat. They add up to the time since its submission.
 *
 * Only jobs that were suspended, moved, duplicated or lost have one. The others just wait, run and end, and the
 * schedule says all about them.
 */
export class JobTimes {
  readonly row: number;
  waiting = 0;
  running = 0;
  suspended = 0;
  transfer = 0;
  lost = 0;
  /** What it has done of its run time, in seconds on a machine of speed 1. */
  progress = 0;
  /** Of the machine where it is, or was last. */
  speed = 1;
  suspensions = 0;
  moves = 0;
  /** Seconds of its running that the times of the other attempt include as well. */
  shared = 0;
  doing: Doing = "nothing";
  /** When it arrives, or arrived, from the last transfer. */
  arrival = NaN;
  private since: number;

  constructor(row: number, now: number) {
    this.row = row;
    this.since = now;
  }

  /** Counts the time until now for what it did, and begins something else. */
  turnTo(doing: Doing, now: number): void {
    const seconds = now - this.since;
    switch (this.doing) {
      case "waits":
        this.waiting += seconds;
        break;
      case "runs":
        this.running += seconds;
        this.progress += seconds * this.speed;
        break;
      case "suspended":
        this.suspended += seconds;
        break;
      case "travels":
        this.transfer += seconds;
        break;
      case "nothing":
    }
    this.doing = doing;
    this.since = now;
  }

  /**
   * Restarts it from its last checkpoint, or from the beginning. Returns the seconds that are lost by that.
   *
   * @param checkpointSeconds null: there are no checkpoints
   */
  restart(checkpointSeconds: number | null): number {
    const step = checkpointSeconds;
    const kept = step === null ? 0 : Math.floor(this.progress / step) * step;
    const lost = step === null ? this.running : (this.progress - kept) / this.speed;
    this.running -= lost;
    this.lost += lost;
    this.progress = kept;
    return lost;
  }

  /**
   * The times that a second attempt begins with: those of this one, with what it ran since its last checkpoint as
   * lost.
   */
  copy(now: number, checkpointSeconds: number | null): JobTimes {
    this.turnTo(this.doing, now);
    const copy = Object.assign(new JobTimes(this.row, now), this);
    copy.doing = "nothing";
    copy.arrival = NaN;
    this.shared = this.running;
    copy.restart(checkpointSeconds);
    copy.shared = copy.running;
    return copy;
  }
}
