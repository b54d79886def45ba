import type { FailureFigures } from "./settings/failure-settings.ts";
import type { FarmFigures } from "./figures/farm-figures.ts";
import type { FarmFrames } from "./packing/frames.ts";
import type { JobFigures } from "./figures/job-figures.ts";
import type { PackingResult } from "./packing/result.ts";
import type { WaitsByPart } from "./figures/waits-by-part.ts";

/**
 * What one run of the simulator found: the figures of one policy at one load.
 *
 * Field names are the ones that `--json` prints, units last; shares and
 * utilisations are fractions of 1, times are seconds.
 */
export interface RunResult
  extends
    JobFigures,
    Partial<FarmFigures>,
    Partial<FailureFigures>,
    Partial<FractionalFigures>,
    Partial<PackingResult> {
  readonly policy: string;
  /** Arrival times, since the log's start, were multiplied by this. */
  readonly beta: number;
  /** Σ cores·run time ÷ (pool cores · arrival span), over the jobs that some machine can hold. */
  readonly offeredLoad: number;
  /** Seconds between scheduling cycles, or between periods; 0: a cycle after every instant at which something happened. */
  readonly intervalSeconds: number;
  /** Where the run times that a backfilling policy plans with came from; absent for the others. */
  readonly estimates?: string;
  /** Why jobs were rejected, most frequent first. */
  readonly rejections: readonly { readonly reason: string; readonly jobs: number }[];
  /** Jobs waiting, weighted by time, from the first event to the last. */
  readonly queueLengthMean: number;
  /** Jobs waiting at the start of a cycle, at most. */
  readonly queueLengthMax: number;
  /** Busy cores ÷ cores, weighted by time, from the first event to the last. */
  readonly coreUtilizationMean: number;
  /** Null where memory is not considered. */
  readonly memoryUtilizationMean: number | null;
  /** Free cores on machines where the workload's median task no longer fits for lack of memory, ÷ all cores: the mean of `series`. */
  readonly strandedCoresMean: number | null;
  /** Free memory on machines where the workload's median task no longer fits for lack of cores, ÷ all memory: the mean of `series`. */
  readonly strandedMemoryMean: number | null;
  /** From the first submission to the last completion, without rejected jobs. */
  readonly makespanSeconds: number;
  /** Scheduling cycles run, and those of them that matched at least one job. */
  readonly cycles: number;
  readonly matchingCycles: number;
  /** Jobs that started later than they were first promised, by what moved them. Absent: no promises are kept. */
  readonly promisesBroken?: Readonly<Record<string, number>>;
  /** The starts of jobs that held a promise, late or not, and the longest time after the first promise of one. */
  readonly promised?: number;
  readonly promiseDelayMaxSeconds?: number;
  /** Max-Jobs: the share of the matching cycles in which each heuristic reached the maximum. */
  readonly wins?: Readonly<Record<string, number>>;
  /** Max-Jobs: the share of them in which a heuristic reached it alone; `wins` less this: tied with others. */
  readonly soleWins?: Readonly<Record<string, number>>;
  /** Absent where the workload names no projects, or no job of any started. */
  readonly fairness?: Fairness;
  /** Whose jobs waited how long; absent where nodes are shared in parts. */
  readonly waitsBy?: WaitsByPart;
  readonly series: Series;
  /** The farm's slots at some instants; absent unless pictures are asked for. */
  readonly farmFrames?: FarmFrames;
  /** Wall-clock seconds that the simulation took, reading excluded. */
  readonly simulationSeconds: number;
  readonly simulatedJobsPerSecond: number;
}

/** Of runs in which nodes are shared in parts, or taken whole. */
export interface FractionalFigures {
  /** (completion − submission) ÷ max(run time, 10 s), at least 1. */
  readonly stretchMean: number;
  readonly stretchMax: number;
  /** No schedule can have a lower maximum, not even one that knows the future. */
  readonly stretchBound: number;
  /** Whether the jobs' needs of CPU and memory follow from the log or from the synthetic rule. */
  readonly needs: "log" | "synthetic";
  /** How often a job was paused, and how often one was moved. */
  readonly pauses: number;
  readonly migrations: number;
  /** Memory moved to storage and back, and between nodes, from the first submission to the last completion. */
  readonly pauseGBPerSecondMean: number;
  readonly migrationGBPerSecondMean: number;
}

export interface Fairness {
  /** Projects none of whose jobs started, which are in none of these figures. */
  readonly projectsWithoutStart: number;
  /** Jain's index over core-seconds received ÷ share: 1 all equal, 1/n one takes all. */
  readonly jainIndex: number;
  /** Mean over projects of |part of the cores received − part due by share|. */
  readonly shareErrorMean: number;
  /** The largest projects by core-seconds, at most 20. */
  readonly projects: readonly {
    readonly project: string;
    readonly jobs: number;
    readonly coreSeconds: number;
    readonly waitMeanSeconds: number;
    /** The part of the pool that it is due by the share tree, of 1. */
    readonly share: number;
  }[];
}

/**
 * The pool over time: sampled at equal steps from the first submission until the
 * last job has started (equal lengths). What runs on after that decides nothing.
 */
export interface Series {
  /** Seconds since the first submission. */
  readonly timeSeconds: readonly number[];
  readonly coreUtilization: readonly number[];
  readonly memoryUtilization: readonly number[];
  readonly strandedCores: readonly number[];
  readonly strandedMemory: readonly number[];
  readonly queueLength: readonly number[];
  /** Both where jobs are packed; the index is NaN while no packed job runs. */
  readonly packingIndex?: readonly number[];
  readonly idleNodes?: readonly number[];
}
