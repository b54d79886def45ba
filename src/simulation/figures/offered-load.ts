import { InputError, type Machines, type Workload } from "../../workload/index.ts";
import { Eligibility, Jobs, MachineState, MAX_TIME_SECONDS } from "../../core/index.ts";
import { memoized } from "../memoized.ts";
import { asNodes } from "../node-units.ts";
import { quantiles } from "./quantiles.ts";

/**
 * Offered load at the log's own pace: Σ cores·run time ÷ (pool cores · arrival
 * span), over the jobs that the farm can hold. 0 where all jobs come at once.
 * Needs that are parts of a node are parts of it whatever cores it has.
 */
export function offeredLoad(workload: Workload, machines: Machines): number {
  return loadsOf(workload)(machines);
}

/** Kept, since studies make many runs of one workload on the same machines, and spent a quarter of their time on this. */
const loadsOf = memoized((workload: Workload) =>
  memoized((machines: Machines) => workOut(workload, machines)),
);

function workOut(workload: Workload, machines: Machines): number {
  const { count, submitSeconds, runtimeSeconds, nodeCpu } = workload;
  const { coresMilli, memoryMiB, gpuMilli, tasks } = workload;
  if (count === 0) return 0;
  const span = submitSeconds[count - 1] - submitSeconds[0];
  if (span === 0) return 0;
  const farm = new MachineState(nodeCpu === undefined ? machines : asNodes(machines));
  const eligibility = new Eligibility(farm, new Jobs(), null);
  // One object serves all rows.
  const request = { cores: 0, memory: 0, gpu: 0, tasks: 1 };
  let work = 0;
  for (let row = 0; row < count; row++) {
    request.cores = coresMilli[row];
    request.memory = memoryMiB === null || !farm.considersMemory ? 0 : memoryMiB[row];
    request.gpu = gpuMilli === null || !farm.considersGpu ? 0 : gpuMilli[row];
    if (tasks !== null) request.tasks = tasks[row];
    if (eligibility.reason(request) === null) work += request.cores * request.tasks * runtimeSeconds[row];
  }
  return work / (farm.totalFreeCores * span);
}

/**
 * The factor of arrival times that settings ask for.
 *
 * @throws InputError where no factor gives the load
 */
export function betaFor({ beta, load }: { beta: number; load: number | null }, baseLoad: number): number {
  if (load === null) return beta;
  const factor = baseLoad / load;
  if (factor > 0 && Number.isFinite(factor)) return factor;
  throw new InputError(
    `cannot reach load ${load}: the log's own offered load is ${baseLoad}` +
      (baseLoad === 0 ? ", since the machines hold none of its jobs, or all are submitted at once" : ""),
  );
}

/**
 * When jobs come, with the times since the log's start multiplied by a factor. The log starts where its clock shows 0,
 * or with its first job if the clock counts from 1970: its dates would else be moved by decades.
 *
 * @throws InputError where a job would come later than the engine takes
 */
export function stretched({ submitSeconds, count, farm }: Workload, beta: number): Float64Array {
  if (count === 0) return submitSeconds;
  const start = farm?.unixStartSeconds === 0 ? submitSeconds[0] : 0;
  const at = (time: number): number => start + (time - start) * beta;
  const farthest = Math.max(Math.abs(at(submitSeconds[0])), Math.abs(at(submitSeconds[count - 1])));
  if (farthest > MAX_TIME_SECONDS)
    throw new InputError(
      `arrival times multiplied by ${beta} are up to ${farthest} s: choose a smaller factor (--beta), or a higher load`,
    );
  return beta === 1 ? submitSeconds : submitSeconds.map(at);
}

/** The median of values of which each counts as often as its weight says: the nearest rank, as `quantiles` has it. */
function weightedMedian(values: Float64Array, weights: Float64Array): number {
  const order = Uint32Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  const rank = Math.ceil(weights.reduce((sum, weight) => sum + weight, 0) / 2);
  let counted = 0;
  for (const i of order) if ((counted += weights[i]) >= rank) return values[i];
  return 0;
}

/** Rows that the median task is taken from, at most: evenly spaced ones. */
const MEDIAN_ROWS = 100_000;

/** Thousandths of a core, MiB. */
export interface TypicalTask {
  readonly cores: number;
  readonly memory: number;
}

/** The median task: a job counts as often as it has tasks. A machine without room for it is of no use to most jobs. */
export const typicalTask = memoized((workload: Workload): TypicalTask => {
  const { tasks, count } = workload;
  const step = Math.ceil(count / MEDIAN_ROWS);
  const length = Math.ceil(count / Math.max(1, step));
  const sampleOf = (column: Int32Array): Float64Array =>
    Float64Array.from({ length }, (_, i) => column[i * step]);
  const weights = tasks === null ? null : sampleOf(tasks);
  const median = (column: Int32Array): number => {
    const sample = sampleOf(column);
    return weights === null ? quantiles(sample, [0.5])[0] : weightedMedian(sample, weights);
  };
  return {
    cores: median(workload.coresMilli),
    memory: workload.memoryMiB === null ? 0 : median(workload.memoryMiB),
  };
});
