import type { CodedColumn, Workload } from "../../workload/workload.ts";
import type { Connection } from "./connection.ts";
import type { JobView } from "./job-views.ts";

/** A job that is over, as far as a log has it. Times in seconds since 1970. */
export interface PastJob {
  readonly number: number;
  readonly user: string;
  readonly pool: string;
  readonly submittedAt: number;
  /** Null: it never ran. */
  readonly startedAt: number | null;
  /** Null: it is not over. */
  readonly endedAt: number | null;
  /** Of the time from its start to its end: how long it stood still. */
  readonly suspendedSeconds: number;
  readonly cores: number;
  readonly memoryMiB: number;
  readonly gpus: number;
  readonly timeSeconds: number | null;
  readonly priority: number;
  readonly project: string;
  readonly group: string;
  readonly requires: string;
  readonly licences: string;
}

type RanJob = PastJob & { readonly startedAt: number; readonly endedAt: number };

/** Under what all jobs ran, as far as the farm's settings are kept. */
export interface RanUnder {
  /** Null: several policies ran, or one whose settings its name does not tell, such as reservations. */
  readonly policy: string | null;
  /** Between cycles, 0: at every event. Null: not the same everywhere. */
  readonly intervalSeconds: number | null;
}

export function ranUnder(connection: Connection): RanUnder {
  const rows = connection.all(
    `SELECT DISTINCT pool.value ->> 'policy' AS policy, pool.value ->> 'reserving' AS reserving,
       json_array_length(pool.value, '$.maxJobsList') AS listed, pool.value ->> 'intervalSeconds' AS interval
     FROM settings, json_each(settings.text, '$.pools') AS pool`,
  );
  const policies = new Set(
    rows.map(({ policy, reserving, listed }) =>
      reserving === null && Number(listed ?? 0) === 0 ? String(policy) : null,
    ),
  );
  const intervals = new Set(rows.map(({ interval }) => (interval === null ? null : Number(interval))));
  return { policy: only(policies), intervalSeconds: only(intervals) };
}

function only<T>(values: ReadonlySet<T>): T | null {
  return values.size === 1 ? [...values][0]! : null;
}

export function pastJobOf(job: JobView): PastJob {
  const seconds = (time: string): number => Date.parse(time) / 1000;
  return {
    ...job,
    pool: job.pool ?? "",
    submittedAt: seconds(job.submittedAt),
    startedAt: job.startedAt === null ? null : seconds(job.startedAt),
    endedAt: job.endedAt === null ? null : seconds(job.endedAt),
  };
}

/**
 * Jobs that have run, as a log that `croft simulate` reads: when they came, how long they waited, ran and asked for.
 * When they were suspended they did not run. What never ran is left out.
 *
 * @param jobs by number; those that are not over are left out too
 * @param ran null: it is not known
 */
export function workloadOf(jobs: readonly PastJob[], name: string, ran: RanUnder | null): Workload {
  const order = jobs.filter(hasRun).sort((a, b) => a.submittedAt - b.submittedAt || a.number - b.number);
  const start = order.length === 0 ? 0 : Math.floor(order[0]!.submittedAt);
  const licences = coded(order, (job) => job.licences);
  const has = (of: (job: PastJob) => boolean): boolean => order.some(of);
  return {
    name,
    synthetic: false,
    count: order.length,
    submitSeconds: Float64Array.from(order, ({ submittedAt }) => between(start, submittedAt)),
    runtimeSeconds: Float64Array.from(order, ({ startedAt, suspendedSeconds, endedAt }) =>
      between(startedAt + suspendedSeconds, endedAt),
    ),
    coresMilli: Int32Array.from(order, ({ cores }) => Math.round(cores * 1000)),
    memoryMiB: Int32Array.from(order, ({ memoryMiB }) => memoryMiB),
    gpuMilli: has(({ gpus }) => gpus > 0)
      ? Int32Array.from(order, ({ gpus }) => Math.round(gpus * 1000))
      : null,
    tasks: null,
    estimateSeconds: has(({ timeSeconds }) => timeSeconds !== null)
      ? Float64Array.from(order, ({ timeSeconds }) => timeSeconds ?? Number.NaN)
      : null,
    jobNumber: Float64Array.from(order, ({ number }) => number),
    recordedWaitSeconds: Float64Array.from(order, ({ submittedAt, startedAt }) =>
      between(submittedAt, startedAt),
    ),
    project: coded(order, ({ project }) => project),
    user: coded(order, ({ user }) => user),
    queue: coded(order, ({ pool }) => pool),
    policy: null,
    priority: Int32Array.from(order, ({ priority }) => priority),
    requires: coded(order, ({ requires }) => requires),
    pools: null,
    site: null,
    group: coded(order, ({ group }) => group),
    ...(licences === null ? {} : { licences }),
    notes: [],
    farm: {
      unixStartSeconds: start,
      ...(ran === null ? {} : { policy: ran.policy }),
      ...(ran?.intervalSeconds == null ? {} : { intervalSeconds: ran.intervalSeconds }),
    },
  };
}

function hasRun(job: PastJob): job is RanJob {
  return job.startedAt !== null && job.endedAt !== null;
}

/** Null where no job says anything. */
function coded(jobs: readonly PastJob[], of: (job: PastJob) => string): CodedColumn | null {
  const codes = new Map<string, number>();
  const column = Int32Array.from(jobs, (job) => {
    const name = of(job);
    const code = codes.get(name) ?? codes.size;
    codes.set(name, code);
    return code;
  });
  const names = [...codes.keys()];
  return names.every((name) => name === "") ? null : { names, codes: column };
}

/** Whole milliseconds, as times are told. */
function between(from: number, to: number): number {
  return Math.max(0, Math.round((to - from) * 1000) / 1000);
}
