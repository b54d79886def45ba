import { counted, formatCount, formatDuration } from "../../report/index.ts";
import type { History } from "../../whatif/index.ts";
import type { Workload } from "../../workload/index.ts";

const DAY_SECONDS = 86_400;
const HOUR_SECONDS = 3600;

/** Whether the recorded decisions came again: the first line of what is printed. */
export function checkText({ check }: History): string {
  const { events, decisions, agreed, firstOther, changes, from, until, afterSeq } = check;
  if (events === 0)
    return "the journal has no events that could be replayed: whether the recorded decisions come again is not known";
  const share = decisions === 0 ? 1 : agreed / decisions;
  const span = days((until ?? 0) - (from ?? 0));
  const part = afterSeq === 0 ? `all ${span} of the farm` : `the last ${span}`;
  const told = changes === 0 ? "" : `, through ${counted(changes, "change")} of the farm`;
  const again = `${percent(share)} of ${formatCount(decisions)} recorded decisions came again (${part}, ${formatCount(events)} events${told})`;
  return firstOther === null
    ? again
    : `${again}; the first other one follows event ${firstOther}: do not trust what follows, it is not the same engine`;
}

/** Never 100 % where one was another. */
function percent(share: number): string {
  return share === 1 ? "100 %" : `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}

function days(seconds: number): string {
  return seconds >= 2 * DAY_SECONDS
    ? `${Math.round(seconds / DAY_SECONDS)} days`
    : seconds >= 2 * HOUR_SECONDS
      ? `${(seconds / HOUR_SECONDS).toFixed(1)} hours`
      : `${(seconds / 60).toFixed(1)} minutes`;
}

/** In less, one user's batch or one long job decides what looks best. */
const LEAST_JOBS = 100;

/** Why nothing can be said from so short a past, or from so few jobs; null: something can. */
export function tooLittleText({ count, submitSeconds }: Workload): string | null {
  const seconds = count === 0 ? 0 : submitSeconds[count - 1]! - submitSeconds[0]!;
  if (count >= LEAST_JOBS && seconds >= DAY_SECONDS) return null;
  return `This past has only ${counted(count, "job")}, submitted within ${formatDuration(seconds).replaceAll("\u00a0", " ")}: nothing can be concluded from it about policies or machines, and there is no verdict. The figures are of these jobs alone. Ask again when the farm has worked for some weeks.`;
}

/** What the runs do not have from the record, a line each. */
export function limitLines({ counts, policies, closings }: History): string[] {
  const { censored, cancelled, leftOut, beyondJournal, carried, resized, filed } = counts;
  return [
    ...(censored > 0
      ? [`${counted(censored, "job")} had not ended: each counts with what it has run so far (censored)`]
      : []),
    ...(leftOut > 0
      ? [
          `${counted(leftOut, "job")} never ran and ${leftOut === 1 ? "is" : "are"} left out: nobody knows for how long it would have`,
        ]
      : []),
    ...(cancelled > 0
      ? [
          `${counted(cancelled, "job")} ${cancelled === 1 ? "is cancelled in every run, as long after its submission as it was" : "are cancelled in every run, as long after their submission as they were"}`,
        ]
      : []),
    ...(carried > 0
      ? [
          `${counted(carried, "job")} of before ${carried === 1 ? "is" : "are"} there from the beginning, and in no figure`,
        ]
      : []),
    ...(beyondJournal > 0
      ? [
          `of ${counted(beyondJournal, "job")}${filed > 0 ? ` (${filed} from filed months)` : ""} the journal is gone: holds, cancellations and closed machines of that time are not in the runs, and of jobs of an earlier Croft times of suspension count as run times`,
        ]
      : []),
    ...(closings.length > 0
      ? [`machines were closed ${closings.length} times, and are so in every run`]
      : []),
    ...(resized > 0
      ? [`machines became larger or smaller ${resized} times: the runs have them as they are now`]
      : []),
    ...(policies.length > 1
      ? [
          `the farm had other policies before (${policies.slice(0, -1).join("; ")}): "as it was" is of all of them`,
        ]
      : []),
  ];
}
