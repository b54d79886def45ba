import { HELD, NONE, RUNNING } from "../../core/index.ts";
import type { Moment } from "../../forecast/index.ts";
import type { Connection } from "../store/connection.ts";
import type { Nowhere } from "../replica/nowhere.ts";

export interface NeverParts {
  readonly connection: Connection;
  readonly nowhere: Nowhere;
  /** Why jobs start in no future, as long as others are suspended by hand. */
  readonly behindStopped: (jobs: readonly number[]) => ReadonlyMap<number, string>;
}

/** Why jobs start never, as long as the farm is as it is, of those of these jobs that do not. */
export function whyNever(
  moment: Moment,
  jobs: readonly number[],
  { connection, nowhere, behindStopped }: NeverParts,
): Map<number, string> {
  const { port } = moment;
  const never = new Map<number, string>();
  for (const job of jobs) {
    const why = nowhere.whyOf(port.handleOf(job));
    if (why !== null) never.set(job, why);
  }
  const behind = behindStopped(jobs.filter((job) => !never.has(job)));
  const whyOf = (job: number): string | null =>
    stands(moment, job, connection) ?? neverText(never.get(job) ?? behind.get(job));
  for (const [job, why] of behindUnending(moment, whyOf)) if (!never.has(job)) never.set(job, why);
  for (const [job, why] of behind) if (!never.has(job)) never.set(job, why);
  return never;
}

function neverText(why: string | undefined): string | null {
  return why === undefined ? null : `never starts as the farm is: ${why}`;
}

/** What somebody has to end, of a job that others wait for; null: nothing. */
function stands({ port, runs }: Moment, job: number, connection: Connection): string | null {
  const handle = port.handleOf(job);
  if (handle === NONE) return null;
  const state = port.view.jobs.stateOf(handle);
  if (state === RUNNING && Number.isNaN(runs.get(job)?.sinceSeconds))
    return `is suspended by hand (croft resume ${job})`;
  if (state !== HELD) return null;
  const row = connection.get("SELECT is_held FROM job WHERE number = ?", job);
  return row?.["is_held"] === 1 ? `is held by its user (croft release ${job})` : null;
}

/**
 * Why jobs are not released: a job that they wait for, or that this one waits for, does not end.
 *
 * @param whyOf why a job does not end; null: it does
 */
function behindUnending({ held = [] }: Moment, whyOf: (job: number) => string | null): Map<number, string> {
  const roots = new Map<number, { readonly job: number; readonly why: string }>();
  const never = new Map<number, string>();
  // Those that a job waits for stand before it.
  for (const { job, after } of held)
    for (const other of after) {
      const why = roots.has(other) ? null : whyOf(other);
      const root = roots.get(other) ?? (why === null ? undefined : { job: other, why });
      if (root === undefined) continue;
      const through = root.job === other ? "" : `job ${other}, and so for `;
      roots.set(job, root);
      never.set(job, `it waits for ${through}job ${root.job}, which ${root.why}`);
      break;
    }
  return never;
}
