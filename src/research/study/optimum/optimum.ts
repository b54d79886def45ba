import { loadSolver, type LpSolver } from "../../lp/index.ts";
import {
  resolvePolicy,
  simulate,
  type RunResult,
  type SimulationSettings,
} from "../../../simulation/index.ts";
import { InputError, type Machines, type Workload } from "../../../workload/index.ts";
import { mostJobs, type MostJobs } from "./most-jobs.ts";
import { offeringCycles, type OfferedCycle } from "./offer-cycles.ts";
import { medianOf, standingOf, type Standing } from "./standing.ts";

/** The thesis's heuristics and Max-Jobs, and what else looks at the queue and the machines alone. */
export const optimumPolicies: readonly string[] = [
  "first-fit",
  "best-fit-cores",
  "best-fit-memory",
  "worse-fit-cores",
  "worse-fit-memory",
  "mix-fit",
  "max-jobs",
  "lookahead/mix-fit",
  "either-order/mix-fit",
];

/** A cycle with at most so many pairs of a kind of job and a machine is solved, larger ones are bounded. */
const PAIRS_SOLVED = 1000;

export interface OptimumOptions {
  /** `optimumPolicies` unless told otherwise. */
  readonly policies?: readonly string[];
  /** The policy whose run the cycles are of: `max-jobs` unless told otherwise. */
  readonly runs?: string;
  /** About how many cycles are compared; 100 unless told otherwise. */
  readonly cycles?: number;
  /** For a linear program of a cycle; 5 unless told otherwise. */
  readonly secondsPerProgram?: number;
  /** How the run is made. */
  readonly settings?: Partial<Omit<SimulationSettings, "policy">>;
  /** Told of each cycle whose optimum is known. */
  readonly onProgress?: (solved: number, cycles: number) => void;
}

/** The result of the study. Field names are the ones that `--json` prints. */
export interface OptimumResult {
  /** The run that the cycles are of. */
  readonly run: RunResult;
  /** Cycles with jobs waiting. */
  readonly cycles: number;
  /** Those of them in which the run's policy left jobs waiting. */
  readonly contestedCycles: number;
  /** Contested cycles that were put to all policies, evenly over the run; those in which no job could start left out. */
  readonly compared: readonly ComparedCycle[];
  /** Contested cycles looked at in which no job could start. */
  readonly fullCycles: number;
  /** Compared cycles whose optimum is proven. */
  readonly provenCycles: number;
  /** Seconds a cycle that the linear programs took, the median. */
  readonly solveSecondsMedian: number;
  readonly standings: readonly Standing[];
}

/** A cycle, and the most jobs that could start in it. */
interface ComparedCycle extends MostJobs {
  readonly nowSeconds: number;
  readonly waitingJobs: number;
  /** By policy, in the order of the standings: with the pool's reservations, and with none. */
  readonly reserved: readonly number[];
  readonly unreserved: readonly number[];
}

/**
 * How many of the jobs that could start each policy starts, cycle by cycle. All policies are offered the same cycles:
 * those of a run under one of them.
 *
 * @throws InputError where a policy is not known, keeps records of a run, or needs memory and there is none
 */
export async function studyOptimum(
  workload: Workload,
  machines: Machines,
  {
    policies: names = optimumPolicies,
    runs = "max-jobs",
    cycles: wanted = 100,
    secondsPerProgram = 5,
    settings = {},
    onProgress,
  }: OptimumOptions = {},
): Promise<OptimumResult> {
  if (!(Number.isSafeInteger(wanted) && wanted > 0))
    throw new InputError(`a whole number of cycles above 0 is compared, not ${wanted}`);
  const { maxJobsList } = settings;
  const policies = [...new Set(names)].map((name) => resolvePolicy(name, maxJobsList));
  if (policies.length === 0) throw new InputError("give at least one policy");
  const { kind, offered } = offeringCycles(resolvePolicy(runs, maxJobsList), policies, wanted);
  const { result } = simulate(workload, machines, { ...settings, policy: kind });

  const solver = await loadSolver();
  const solved: { readonly cycle: OfferedCycle; readonly most: MostJobs; readonly seconds: number }[] = [];
  for (const cycle of offered.kept) {
    const startedAt = performance.now();
    const most = mostJobsOf(solver, cycle, secondsPerProgram);
    solved.push({ cycle, most, seconds: (performance.now() - startedAt) / 1000 });
    onProgress?.(solved.length, offered.kept.length);
  }
  const compared = solved.filter(({ most }) => most.high > 0);
  return {
    run: result,
    cycles: offered.cycles,
    contestedCycles: offered.contested,
    compared: compared.map(({ cycle, most }) => ({
      nowSeconds: cycle.nowSeconds,
      waitingJobs: cycle.waitingJobs,
      ...most,
      reserved: cycle.reserved.map(({ jobs }) => jobs),
      unreserved: cycle.unreserved.map(({ jobs }) => jobs),
    })),
    fullCycles: solved.length - compared.length,
    provenCycles: compared.filter(({ most }) => most.low === most.high).length,
    solveSecondsMedian: medianOf(compared.map(({ seconds }) => seconds)),
    standings: policies.map(({ name }, i) => ({
      policy: name,
      reserved: standingOf(compared.map(({ cycle, most }) => ({ most, tried: cycle.reserved[i]! }))),
      unreserved: standingOf(compared.map(({ cycle, most }) => ({ most, tried: cycle.unreserved[i]! }))),
    })),
  };
}

function mostJobsOf(
  solver: LpSolver,
  { snapshot, reserved, unreserved }: OfferedCycle,
  seconds: number,
): MostJobs {
  const found = Math.max(...reserved.map(({ jobs }) => jobs), ...unreserved.map(({ jobs }) => jobs));
  return mostJobs(solver, snapshot, found, { pairs: PAIRS_SOLVED, seconds });
}
