import type { LeftOut } from "./dropped.ts";
import { formatCount, formatPercent } from "./numbers.ts";
import type { LoadRuns } from "./runs.ts";

/** A verdict over runs that rejected more than this part of the jobs gets a caution. */
const WARNED_SHARE = 0.01;
/** If more than this part is rejected there is no verdict: it would be over the wrong jobs. */
const REFUSED_SHARE = 0.2;

/**
 * What rejected jobs mean for the verdict at one load.
 *
 * @param advice the likely reason and what to do about it, in words
 */
export function rejectedAt(load: LoadRuns, advice: string | undefined): LeftOut {
  const worst = load.runs.reduce((most, row) => (row.run.rejected > most.run.rejected ? row : most)).run;
  const share = worst.jobs === 0 ? 0 : worst.rejected / worst.jobs;
  const reason = advice ?? worst.rejections[0]?.reason;
  const because = reason === undefined ? "" : ` Most likely reason: ${reason}.`;
  const jobs = `${formatCount(worst.rejected)} of ${formatCount(worst.jobs)} jobs (${formatPercent(share)})`;
  if (share > REFUSED_SHARE)
    return {
      instead: `there is no verdict: ${jobs} were rejected, as these machines could never hold them.${because}`,
      caution: null,
    };
  if (share > WARNED_SHARE)
    return { instead: null, caution: `${jobs} were rejected and are in no figure.${because}` };
  return { instead: null, caution: null };
}
