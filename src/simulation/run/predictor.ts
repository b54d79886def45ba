/** So many seconds beyond the first prediction the n-th correction is (Tsafrir et al. 2007, and the SC'15 experiments). */
const CORRECTION_SECONDS = [
  60, 300, 900, 1800, 3600, 7200, 18_000, 36_000, 72_000, 180_000, 360_000,
] as const;

/**
 * Predicts run times as EASY++ does (Tsafrir, Etsion and Feitelson 2007): the mean of the last two run times of the
 * job's user, rounded down, at most what the job requests. Until two jobs of the user have ended it is the request.
 */
export class Predictor {
  /** By user: the run times of the two jobs that ended last. */
  private readonly last = new Map<number, { first: number; second: number }>();
  /** Jobs that ended at `endedAt`. An instant's submissions come before its ends and do not know them. */
  private readonly ended: { user: number; seconds: number }[] = [];
  private endedAt = -Infinity;

  /** @param user the user's number; negative where the log does not tell it */
  predict(user: number, requestSeconds: number, now: number): number {
    if (now > this.endedAt) this.learn();
    const last = this.last.get(user);
    if (user < 0 || last === undefined || Number.isNaN(last.first)) return requestSeconds;
    return Math.min(Math.floor((last.first + last.second) / 2), requestSeconds);
  }

  /** A job has ended after it ran for so long. */
  end(user: number, seconds: number, now: number): void {
    if (now > this.endedAt) this.learn();
    this.endedAt = now;
    this.ended.push({ user, seconds });
  }

  private learn(): void {
    for (const { user, seconds } of this.ended)
      this.last.set(user, { first: this.last.get(user)?.second ?? NaN, second: seconds });
    this.ended.length = 0;
  }
}

/** What a job is expected to run after its n-th correction, from 1; `NaN` if there is none left. */
export function correctedSeconds(predictedSeconds: number, n: number, requestSeconds: number): number {
  const before = n === 1 ? 0 : CORRECTION_SECONDS[n - 2];
  if (n > CORRECTION_SECONDS.length || predictedSeconds + before >= requestSeconds) return NaN;
  return Math.min(predictedSeconds + CORRECTION_SECONDS[n - 1], requestSeconds);
}
