/** How often a heuristic matched the most jobs of a bucket (Shai 2014, section 3.3; Figures 3.5 and 4.4). */
export interface WinCount {
  /** Buckets in which the heuristic matched as many jobs as any. */
  readonly wins: number;
  /** `wins` ÷ buckets. Ties count for each, so that the shares may add up to more than 1. */
  readonly winShare: number;
  /** Buckets in which it matched more than every other. */
  readonly soleWins: number;
}

/**
 * @param matchedJobs one column a contestant, one entry a bucket: the jobs it matched
 * @returns one count a contestant; without buckets, shares are 0
 */
export function countWins(matchedJobs: readonly Int32Array[]): WinCount[] {
  const buckets = matchedJobs[0]?.length ?? 0;
  const wins = new Int32Array(matchedJobs.length);
  const soleWins = new Int32Array(matchedJobs.length);
  for (let bucket = 0; bucket < buckets; bucket++) {
    let most = -1;
    for (const column of matchedJobs) most = Math.max(most, column[bucket]!);
    let winner = -1;
    let winners = 0;
    for (const [i, column] of matchedJobs.entries()) {
      if (column[bucket] !== most) continue;
      wins[i]!++;
      winners++;
      winner = i;
    }
    if (winners === 1) soleWins[winner]!++;
  }
  return matchedJobs.map((_, i) => ({
    wins: wins[i]!,
    winShare: buckets === 0 ? 0 : wins[i]! / buckets,
    soleWins: soleWins[i]!,
  }));
}
