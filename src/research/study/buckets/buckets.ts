import { NONE, Pool, type Heuristic, type JobRequest, Jobs } from "../../../core/index.ts";
import { InputError, type Machines, type Workload } from "../../../workload/index.ts";
import { heuristicNamed, singleResource, thesisHeuristics } from "../heuristics.ts";
import { contest } from "./contest.ts";
import { countWins, type WinCount } from "./count-wins.ts";

/** The pool of Shai 2014, section 3.3: 512 cores, as its simulator has them. */
export const bucketMachines = "64x8c64g";

/** The four of Figure 3.5, and Mix-Fit, which joins them in Figure 4.4. */
export const bucketHeuristics: readonly string[] = thesisHeuristics;

export interface BucketsOptions {
  /** The heuristics that compete; `bucketHeuristics` unless told otherwise. */
  readonly heuristics?: readonly string[];
  /** 1,000 unless told otherwise. */
  readonly jobsPerBucket?: number;
}

/** The result of the study. Field names are the ones that `--json` prints. */
export interface BucketsResult {
  readonly jobsPerBucket: number;
  /** Complete buckets; a last, incomplete one does not count. */
  readonly buckets: number;
  /** Jobs of the last, incomplete bucket. */
  readonly leftOverJobs: number;
  /** Jobs in the buckets that no machine could ever hold: unmatched under every heuristic. */
  readonly ineligibleJobs: number;
  /** Buckets in which all heuristics matched the same number of jobs. */
  readonly tiedBuckets: number;
  /** All heuristics against each other: Figure 4.4. */
  readonly heuristics: readonly HeuristicWins[];
  /** The single-resource heuristics among themselves, as if there were no other: Figure 3.5. */
  readonly singleResource: readonly HeuristicWins[];
}

export interface HeuristicWins extends WinCount {
  readonly heuristic: string;
  /** Jobs matched of a bucket, on average. */
  readonly matchedJobsMean: number;
}

/**
 * The bucket experiment (Shai 2014, section 3.3): consecutive jobs are cut into buckets; all jobs of a bucket are
 * submitted at once to an empty pool, there are no reservations, and jobs that find no machine are skipped. Every
 * heuristic that matches the most jobs of a bucket wins it.
 *
 * Heuristics that jobs name for themselves do not count here: each contestant
 * places all jobs. A parallel job is one job, matched when all its tasks are.
 *
 * @throws InputError where a heuristic is not known, or needs memory and there is none
 */
export function studyBuckets(
  workload: Workload,
  machines: Machines,
  { heuristics: names = bucketHeuristics, jobsPerBucket = 1000 }: BucketsOptions = {},
): BucketsResult {
  if (!(Number.isSafeInteger(jobsPerBucket) && jobsPerBucket > 0)) {
    throw new InputError(`a bucket has a whole number of jobs above 0, not ${jobsPerBucket}`);
  }
  const list = [...new Set(names.map(heuristicNamed))];
  if (list.length === 0) throw new InputError("give at least one heuristic");
  checkMemory(list, workload, machines);

  const buckets = Math.floor(workload.count / jobsPerBucket);
  const { columns, ineligibleJobs } = fillBuckets(workload, machines, list, buckets, jobsPerBucket);
  const isSingle = list.map(({ name }) => singleResource.includes(name));
  const rank = (of: (i: number) => boolean): HeuristicWins[] => {
    const members = list
      .map((heuristic, i) => ({ heuristic, column: columns[i]!, i }))
      .filter(({ i }) => of(i));
    const counts = countWins(members.map(({ column }) => column));
    return members.map(({ heuristic, column }, place) => ({
      heuristic: heuristic.name,
      ...counts[place]!,
      matchedJobsMean: mean(column),
    }));
  };
  return {
    jobsPerBucket,
    buckets,
    leftOverJobs: workload.count - buckets * jobsPerBucket,
    ineligibleJobs,
    tiedBuckets: countTies(columns, buckets),
    heuristics: rank(() => true),
    singleResource: rank((i) => isSingle[i]!),
  };
}

/** The result over the buckets of several, of the same heuristics. */
export function bucketsTogether(results: readonly BucketsResult[]): BucketsResult {
  const total = (of: (result: BucketsResult) => number): number =>
    results.reduce((sum, result) => sum + of(result), 0);
  const buckets = total((result) => result.buckets);
  const rank = (key: "heuristics" | "singleResource"): HeuristicWins[] =>
    results[0]![key].map(({ heuristic }, place) => {
      const wins = total((result) => result[key][place]!.wins);
      return {
        heuristic,
        wins,
        winShare: buckets === 0 ? 0 : wins / buckets,
        soleWins: total((result) => result[key][place]!.soleWins),
        matchedJobsMean:
          buckets === 0
            ? 0
            : total((result) => result[key][place]!.matchedJobsMean * result.buckets) / buckets,
      };
    });
  return {
    jobsPerBucket: results[0]!.jobsPerBucket,
    buckets,
    leftOverJobs: total((result) => result.leftOverJobs),
    ineligibleJobs: total((result) => result.ineligibleJobs),
    tiedBuckets: total((result) => result.tiedBuckets),
    heuristics: rank("heuristics"),
    singleResource: rank("singleResource"),
  };
}

/** One column a heuristic: how many jobs of each bucket it matched. */
function fillBuckets(
  workload: Workload,
  machines: Machines,
  list: readonly Heuristic[],
  buckets: number,
  jobsPerBucket: number,
): { columns: Int32Array[]; ineligibleJobs: number } {
  const { coresMilli, tasks } = workload;
  const memoryMiB = machines.memoryMiB === null ? null : workload.memoryMiB;
  const gpuMilli = machines.gpuMilli === null ? null : workload.gpuMilli;
  const { kind, matchedJobs } = contest(list);
  const jobs = new Jobs();
  const pool = new Pool({
    jobs,
    capacities: machines,
    policy: kind,
    heuristic: list[0]!,
    reserving: 0,
  });
  const request: JobRequest = {
    cores: 0,
    memory: 0,
    gpu: 0,
    tasks: 1,
    project: 0,
    heuristic: NONE,
    estimateSeconds: 0,
  };
  const columns = list.map(() => new Int32Array(buckets));
  const waiting: number[] = [];
  let ineligibleJobs = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    for (let row = bucket * jobsPerBucket; row < (bucket + 1) * jobsPerBucket; row++) {
      request.cores = coresMilli[row]!;
      request.memory = memoryMiB === null ? 0 : memoryMiB[row]!;
      request.gpu = gpuMilli === null ? 0 : gpuMilli[row]!;
      request.tasks = tasks === null ? 1 : tasks[row]!;
      if (pool.eligibility.reason(request) !== null) {
        ineligibleJobs++;
        continue;
      }
      const job = jobs.add(request);
      pool.wait(job);
      waiting.push(job);
    }
    pool.cycle(0);
    for (const [i, column] of columns.entries()) column[bucket] = matchedJobs[i]!;
    // Nothing was started, so the pool is empty again once the jobs are taken from the queue.
    for (const job of waiting) {
      pool.leave(job);
      jobs.remove(job);
    }
    waiting.length = 0;
  }
  return { columns, ineligibleJobs };
}

function checkMemory(list: readonly Heuristic[], workload: Workload, machines: Machines): void {
  const needing = list.filter((heuristic) => heuristic.needsMemory).map(({ name }) => name);
  if (needing.length === 0 || (workload.memoryMiB !== null && machines.memoryMiB !== null)) return;
  const without = workload.memoryMiB === null ? `workload ${workload.name}` : `machines ${machines.name}`;
  throw new InputError(`${needing.join(", ")} decide by memory, and ${without} has none`);
}

function countTies(columns: readonly Int32Array[], buckets: number): number {
  let ties = 0;
  for (let bucket = 0; bucket < buckets; bucket++) {
    if (columns.every((column) => column[bucket] === columns[0]![bucket])) ties++;
  }
  return ties;
}

function mean(column: Int32Array): number {
  let sum = 0;
  for (const jobs of column) sum += jobs;
  return column.length === 0 ? 0 : sum / column.length;
}
