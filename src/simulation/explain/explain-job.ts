import { heuristics, type ReasonSink, type WaitReason } from "../../core/index.ts";
import { jobNumberOf, type Farm, type Machines, type Workload } from "../../workload/index.ts";
import { machinesOfFarm } from "../build/machines.ts";
import type { Driver } from "../run/driver.ts";
import type { RunObserver } from "../run/run-observer.ts";
import { nameOfPolicy, resolvePolicy } from "../settings/policy-names.ts";
import { defaultSettings, type PolicyChoice } from "../settings/settings.ts";
import { isFarm, simulate, type GivenSettings } from "../simulate.ts";
import type { Explanation } from "./explanation.ts";
import { refuseUnexplained, rowsOfJob } from "./find-jobs.ts";
import { JobTimeline } from "./job-timeline.ts";
import { Overruns } from "./overruns.ts";
import { WaitReasons } from "./reasons.ts";
import { runNames } from "./run-names.ts";
import { startsIf } from "./starts-if.ts";
import { UntilStarted } from "./until-started.ts";
import { waitsOf } from "./waits-of.ts";

/** Jobs of which it is tried what would have helped: each takes up to three runs of its own. */
const MOST_HELPED = 3;

/**
 * Makes the run again, up to the end of one job, and tells what happened to it and why. Runs are deterministic, so
 * this is the run that was made before; one that is not explained bears none of the cost.
 *
 * @param job the log's own number of the job; of several with one number it is the first
 * @throws InputError where the log has no such job
 */
export function explainJob(
  job: number,
  workload: Workload,
  on: Machines | Farm,
  settings: GivenSettings = {},
): Explanation {
  const [row] = rowsOfJob({ number: job }, workload);
  return explainRows([row], workload, on, settings)[0];
}

/**
 * The same for several jobs, in one run.
 *
 * @param rows of the workload
 * @param machineIds the names of the machines, pool by pool; the pools' names and numbers unless given
 */
export function explainRows(
  rows: readonly number[],
  workload: Workload,
  on: Machines | Farm,
  settings: GivenSettings = {},
  machineIds: readonly string[] = isFarm(on) ? machinesOfFarm(on).ids : on.ids,
): Explanation[] {
  refuseUnexplained(workload, on, settings);
  let timelines: readonly JobTimeline[] = [];
  const { schedule, ledger } = simulate(workload, on, settings, {
    observe: (driver, built) => {
      const reasons = new WaitReasons(built.port.view, runNames(built, driver, machineIds));
      const asked = new Set<number>();
      const overruns = new Overruns(driver);
      timelines = rows.map((row) => new JobTimeline(row, built, driver, reasons, asked, overruns));
      driver.observers.push(overruns, ...timelines);
      return new UntilOver(timelines, driver, asked);
    },
  });
  const isToStart = rows.filter((_, at) => timelines[at].rejectedBecause === null);
  const otherwise = isToStart.length === 0 ? [] : startsOtherwise(isToStart, workload, on, settings);
  return rows.map((row, at): Explanation => {
    const { rejectedBecause, isDone, steps } = timelines[at];
    const place = workload.arrayIndex?.[row] ?? -1;
    return {
      job: jobNumberOf(workload, row),
      ...(place === -1 ? {} : { arrayIndex: place }),
      submitSeconds: schedule.submitSeconds[row],
      runtimeSeconds: workload.runtimeSeconds[row],
      ...(rejectedBecause === null ? {} : { rejected: rejectedBecause }),
      startSeconds: orNull(schedule.startSeconds[row]),
      completedSeconds: isDone ? ledger!.endOf(row) : null,
      steps,
      waits: waitsOf(steps),
      helps:
        rejectedBecause !== null || waitsOf(steps).length === 0 || at >= MOST_HELPED
          ? []
          : startsIf(row, workload, on, settings, schedule.startSeconds[row]),
      alternatives:
        rejectedBecause !== null
          ? []
          : otherwise.map(({ policy, startSeconds }) => ({
              policy,
              startSeconds: orNull(startSeconds[row]),
            })),
    };
  });
}

/** The backfilling policies that are tried beside another one: those of few promises, of some, and of all. */
const BACKFILLING = ["easy", "backfill:10", "conservative"];

/**
 * When jobs would have started if another heuristic had chosen the machines, or jobs been backfilled in another way, in
 * all pools and for the whole run; by row.
 */
function startsOtherwise(
  rows: readonly number[],
  workload: Workload,
  on: Machines | Farm,
  settings: GivenSettings,
): { readonly policy: string; readonly startSeconds: Float64Array }[] {
  const { policy: own = defaultSettings.policy } = settings;
  const isMemoryKnown =
    workload.memoryMiB !== null &&
    (isFarm(on)
      ? on.pools.every(({ groups }) => groups.some(({ memoryMiB }) => memoryMiB !== null))
      : on.memoryMiB !== null);
  const isAnother = (name: string): boolean =>
    own === null && isFarm(on) ? on.pools.some(({ policy }) => policy !== name) : name !== own;
  const names = heuristics.filter(({ needsMemory }) => isMemoryKnown || !needsMemory).map(({ name }) => name);
  return [...backfillingBeside(workload, on, own), ...names].filter(isAnother).map((policy) => {
    const { schedule } = simulate(
      workload,
      on,
      { ...settings, policy },
      { observe: (driver) => new UntilStarted(rows, driver) },
    );
    return { policy, startSeconds: schedule.startSeconds };
  });
}

/** Under a backfilling policy the others, with its heuristic. */
function backfillingBeside(
  workload: Workload,
  on: Machines | Farm,
  own: PolicyChoice | null,
): readonly string[] {
  const choices =
    own === null && isFarm(on) ? on.pools.map(({ policy }) => policy) : [own ?? defaultSettings.policy];
  const backfilling = choices.filter(
    (choice) => choice !== null && resolvePolicy(choice).kind.needsEstimates,
  );
  const [first] = backfilling;
  if (first === undefined || first === null) return [];
  // One that predicts run times needs none in the log.
  if (workload.estimateSeconds === null && resolvePolicy(first).kind.plansOnPredictions === true) return [];
  const [, heuristic] = nameOfPolicy(first).split("/");
  return BACKFILLING.map((name) => (heuristic === undefined ? name : `${name}/${heuristic}`));
}

function orNull(seconds: number): number | null {
  return Number.isNaN(seconds) ? null : seconds;
}

/**
 * Passes the reasons on to every timeline, and stops the run once all are complete. The timelines observe the run
 * before it does.
 */
class UntilOver implements RunObserver, ReasonSink {
  readonly jobs: ReadonlySet<number>;
  private readonly timelines: readonly JobTimeline[];
  private readonly driver: Driver;

  constructor(timelines: readonly JobTimeline[], driver: Driver, asked: ReadonlySet<number>) {
    this.timelines = timelines;
    this.driver = driver;
    this.jobs = asked;
    driver.port.onCycle = (pool) => {
      for (const each of timelines) each.cycled(pool);
    };
    driver.port.tellReasons(this);
  }

  /** Timelines know from the events where a job waits. */
  waitsForPool(): void {}

  waits(job: number, pool: number, reason: WaitReason, now: number): void {
    for (const each of this.timelines) each.waits(job, pool, reason, now);
  }

  suspended(job: number, pool: number, by: number): void {
    for (const each of this.timelines) each.suspendedFor(job, pool, by);
  }

  rejected(): void {
    this.stopIfOver();
  }

  finished(): void {
    this.stopIfOver();
  }

  private stopIfOver(): void {
    if (this.timelines.every((each) => each.isOver)) this.driver.isStopped = true;
  }
}
