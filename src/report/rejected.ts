import { formatCount, formatPercent } from "./numbers.ts";
import type { LoadRuns } from "./runs.ts";

/** Of more rejected jobs than this a verdict is warned. */
const WARNED_SHARE = 0.01;
/** Of more than this there is none: it would be over the wrong jobs. */
const REFUSED_SHARE = 0.2;

/** What rejected jobs mean for the verdict at one load. */
export interface Rejected {
  /** Instead of the verdict; null: there may be one. */
  readonly instead: string | null;
  /** Beside the verdict; null where few or none were rejected. */
  readonly caution: string | null;
}

/** @param advice the likely reason and what mends it, in words */
export function rejectedAt(load: LoadRuns, advice: string | undefined): Rejected {
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
