import { RUNNING } from "../../core/index.ts";
import { runAhead, type Limits, type Moment, type Run } from "../../forecast/index.ts";
import type { Connection } from "../store/connection.ts";

/** Jobs that are named of many. */
const NAMED = 5;
const SOON_SECONDS = 1;
const UNTIL_REST = { members: 1, horizonSeconds: Number.MAX_VALUE, steps: Infinity };

/**
 * What jobs have run that were suspended by hand. To the decision engine they run all the time, and keep what they
 * have. One that stands still does not run on by itself.
 *
 * @param offsetSeconds time since 1970 less the farm's
 */
export function stoodByHand(
  connection: Connection,
  { port, now }: Pick<Moment, "port" | "now">,
  offsetSeconds: number,
): Map<number, Run> {
  const { jobs } = port.view;
  const runs = new Map<number, Run>();
  const rows = connection.all(
    `SELECT engine_job, started_at, suspended_seconds, suspended_at FROM attempt
       WHERE outcome IS NULL AND started_at IS NOT NULL AND (suspended_at IS NOT NULL OR suspended_seconds > 0)`,
  );
  for (const row of rows) {
    const job = Number(row["engine_job"]);
    if (!port.has(job) || jobs.stateOf(port.handleOf(job)) !== RUNNING) continue;
    // As if it had begun later by the time that it stood still.
    const began = Number(row["started_at"]) - offsetSeconds + Number(row["suspended_seconds"]);
    const stopped = row["suspended_at"];
    const isStopped = typeof stopped === "number";
    runs.set(job, {
      runSeconds: NaN,
      doneSeconds: isStopped ? Math.max(0, stopped - offsetSeconds - began) : 0,
      sinceSeconds: isStopped ? NaN : Math.min(began, now),
      attempt: jobs.attemptOf(port.handleOf(job)),
    });
  }
  return runs;
}

/**
 * Why jobs start in no future: they need what jobs have that are suspended by hand, since they do not start though all
 * others end at once and none comes.
 *
 * @param rest when reservations are over, and how long jobs may wait for what the engine does by itself
 * @param names the jobs as people know them, by number in the engine
 * @param mayGoOn where it says no, of no job it is known
 */
export function behindStopped(
  moment: Moment,
  jobs: readonly number[],
  rest: Required<Pick<Limits, "restsFrom" | "restSeconds">>,
  names: (engineJob: number) => number,
  mayGoOn: () => boolean,
): Map<number, string> {
  const stopped = [...moment.runs].filter(([, { sinceSeconds }]) => Number.isNaN(sinceSeconds));
  const { port } = moment;
  const byHand = stopped
    .map(([job]) => job)
    .filter((job) => port.view.jobs.stateOf(port.handleOf(job)) === RUNNING);
  if (byHand.length === 0 || jobs.length === 0) return new Map();
  const atOnce = { runSeconds: (_: number, elapsed: number) => elapsed + SOON_SECONDS, *coming() {} };
  let isWhole = true;
  const waits = runAhead(moment, jobs, atOnce, UNTIL_REST, {
    mayGoOn: () => (isWhole &&= mayGoOn()),
    ...rest,
  });
  if (!isWhole) return new Map();
  const named = byHand.slice(0, NAMED).map(names);
  const more = byHand.length > NAMED ? ` and ${byHand.length - NAMED} more` : "";
  const which = byHand.length === 1 ? "job" : "jobs";
  const why = `it needs what ${which} ${named.join(", ")}${more} ${byHand.length === 1 ? "has, which is" : "have, which are"} suspended by hand`;
  return new Map(jobs.filter((job) => waits.get(job)![0] === Infinity).map((job) => [job, why]));
}
