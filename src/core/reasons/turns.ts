/** Whether one job comes before another in a pass: a strict order. */
export type PassOrder = (one: number, other: number) => boolean;

/**
 * The turns of the jobs that somebody asks about, in a pass that need not come to each of them: it leaves out jobs of
 * which it knows that they cannot start.
 */
export class Turns {
  private readonly visit: (job: number) => void;
  private jobs: number[] = [];
  private at = 0;
  private comesBefore: PassOrder = () => false;

  /** @param visit is called at the turn of each job */
  constructor(visit: (job: number) => void) {
    this.visit = visit;
  }

  /** A pass goes through jobs in an order. */
  begin(jobs: Iterable<number>, comesBefore: PassOrder): void {
    this.jobs = [...jobs].sort((one, other) => (comesBefore(one, other) ? -1 : 1));
    this.comesBefore = comesBefore;
    this.at = 0;
  }

  /** The pass comes to a job, and has been at the turns of all before it. */
  come(job: number): void {
    while (this.at < this.jobs.length && !this.comesBefore(job, this.jobs[this.at]))
      this.visit(this.jobs[this.at++]);
  }

  /** The pass is over. */
  end(): void {
    while (this.at < this.jobs.length) this.visit(this.jobs[this.at++]);
  }
}
