/** When jobs were last changed, or were to wait again: what was forecast of them before does not hold any more. */
export class ChangedJobs {
  private readonly isPresent: (job: number) => boolean;
  /** Since 1970, by job. */
  private readonly changedAt = new Map<number, number>();

  /** @param isPresent whether a job is not over */
  constructor(isPresent: (job: number) => boolean) {
    this.isPresent = isPresent;
  }

  get size(): number {
    return this.changedAt.size;
  }

  /** Of one that is over nothing is forecast: where nothing waits for hours, all that have run would be kept here. */
  changed(job: number, unixSeconds: number): void {
    if (this.isPresent(job)) this.changedAt.set(job, unixSeconds);
    else this.changedAt.delete(job);
  }

  /** Whether a job has not been changed since a forecast of it was made. */
  holds(job: number, { madeAt }: { readonly madeAt: string }): boolean {
    const changedAt = this.changedAt.get(job);
    return changedAt === undefined || Date.parse(madeAt) > 1000 * changedAt;
  }

  /** All jobs have been forecast anew since then. */
  forgetBefore(unixSeconds: number): void {
    for (const [job, at] of this.changedAt) if (at < unixSeconds) this.changedAt.delete(job);
  }
}
