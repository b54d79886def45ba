import type { CodedColumn, Workload } from "../../workload/workload.ts";
import type { JobView } from "./job-views.ts";

/**
 * Jobs that have run, as a log that `croft simulate` reads: when they came, how long they waited, ran and asked for.
 * What never ran is left out.
 *
 * @param jobs by number; those that are not over are left out too
 */
export function workloadOf(jobs: readonly JobView[], name: string): Workload {
  const ran = jobs.filter(({ startedAt, endedAt }) => startedAt !== null && endedAt !== null);
  const order = ran.toSorted(
    (a, b) => seconds(a.submittedAt) - seconds(b.submittedAt) || a.number - b.number,
  );
  const start = order.length === 0 ? 0 : Math.floor(seconds(order[0]!.submittedAt));
  const licences = coded(order, (job) => job.licences);
  const has = (of: (job: JobView) => boolean): boolean => order.some(of);
  return {
    name,
    synthetic: false,
    count: order.length,
    submitSeconds: Float64Array.from(order, ({ submittedAt }) => between(start, seconds(submittedAt))),
    runtimeSeconds: Float64Array.from(order, ({ startedAt, endedAt }) =>
      between(seconds(startedAt!), seconds(endedAt!)),
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
      between(seconds(submittedAt), seconds(startedAt!)),
    ),
    project: coded(order, ({ project }) => project),
    user: coded(order, ({ user }) => user),
    queue: coded(order, ({ pool }) => pool ?? ""),
    policy: null,
    priority: Int32Array.from(order, ({ priority }) => priority),
    requires: coded(order, ({ requires }) => requires),
    pools: null,
    site: null,
    group: coded(order, ({ group }) => group),
    ...(licences === null ? {} : { licences }),
    notes: [],
    farm: { unixStartSeconds: start },
  };
}

/** Null where no job says anything. */
function coded(jobs: readonly JobView[], of: (job: JobView) => string): CodedColumn | null {
  const names = [...new Set(jobs.map(of))];
  if (names.every((name) => name === "")) return null;
  const codes = new Map(names.map((name, code) => [name, code]));
  return { names, codes: Int32Array.from(jobs, (job) => codes.get(of(job))!) };
}

function seconds(time: string): number {
  return Date.parse(time) / 1000;
}

/** Whole milliseconds, as times are told. */
function between(from: number, to: number): number {
  return Math.max(0, Math.round((to - from) * 1000) / 1000);
}
