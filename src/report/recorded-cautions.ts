import type { RecordedRun } from "../simulation/recorded/recorded-run.ts";
import type { LeftOut } from "./dropped.ts";
import type { MachineUse } from "./input.ts";
import { formatPercent } from "./numbers.ts";
import type { PolicyRun } from "./runs.ts";

/** A little more than all cores is a job or two whose record ends after the next one's has begun. */
const FAR_ABOVE = 1.05;
/** Above all cores for a smaller part of the time the log is of no larger farm. */
const SELDOM = 0.05;

/**
 * What stands against a verdict on machines that were inferred where many jobs do not say where they ran: there is none
 * where the record has more cores in use than they have.
 */
export function tooFewInferred(recorded: RecordedRun | null, use: MachineUse | undefined): LeftOut {
  const missing = machinesMissing(recorded, use?.placelessShare ?? 0);
  return {
    instead:
      missing === null
        ? null
        : `there is no verdict: ${missing} Give a list of the machines (--machines FILE).`,
    caution: null,
  };
}

/**
 * Why machines are missing among those that were inferred; null where the record does not show it.
 *
 * @param placelessShare the part of the jobs that do not say where they ran
 */
export function machinesMissing(recorded: RecordedRun | null, placelessShare: number): string | null {
  const { coreUtilizationMax = 0, coresExceededShare = 0 } = recorded ?? {};
  const isTooSmall = coreUtilizationMax > FAR_ABOVE && coresExceededShare >= SELDOM;
  if (!isTooSmall || placelessShare === 0) return null;
  return `the machines are inferred, and ${formatPercent(placelessShare)} of the jobs do not say where they ran, so that machines are missing. For ${formatPercent(coresExceededShare)} of the time the record has more than all of their cores in use, ${formatPercent(coreUtilizationMax)} at most.`;
}

/** Cautions about a verdict, from the record. */
export function recordedCautions(recorded: RecordedRun, ranked: readonly PolicyRun[]): string[] {
  const cautions: string[] = [];
  const { coreUtilizationMax, coresExceededShare, jobs, jobsWithoutWait } = recorded;
  if (coreUtilizationMax > FAR_ABOVE && coresExceededShare < SELDOM) {
    cautions.push(
      `For ${formatPercent(coresExceededShare)} of the time the record has more than all of these machines' cores in use, ${formatPercent(coreUtilizationMax)} at most: some of its starts and ends are wrong, or some jobs ask for less than they are read to.`,
    );
  } else if (coreUtilizationMax > FAR_ABOVE) {
    cautions.push(
      `At its fullest moment the record has ${formatPercent(coreUtilizationMax)} of these machines' cores in use: the log is of a larger farm, its jobs ask for less than they are read to, or some of its starts and ends are wrong.`,
    );
  }
  const started = ranked[0]?.run.started ?? 0;
  const apart = Math.abs(started - jobs) / Math.max(1, started, jobs);
  if (jobsWithoutWait > 0 && apart > 0.01) {
    cautions.push(
      `The recorded figures are of ${jobs} jobs, the simulated ones of ${started}: the log does not tell the wait of the others.`,
    );
  }
  return cautions;
}
