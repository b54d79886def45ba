import type { Replicates } from "../simulation/comparison/log-ratio.ts";

/** Further runs that show how sure a verdict is: plain, so that it can be kept as JSON and rendered again. */
export interface Trials {
  /** Of the runs at this pace. */
  readonly beta: number;
  /** Users or days that the logs below were drawn by, of equal work. */
  readonly units: number;
  /** The same policies on logs drawn from this one: the mean wait on each, in the same order. */
  readonly draws: readonly { readonly policy: string; readonly waitMeanSeconds: readonly number[] }[];
  /** The same policies on other input. */
  readonly sensitivity: readonly Trial[];
  /** The queue in which jobs wait most, where only its machines were tried more and fewer. */
  readonly busyQueue?: BusyQueue;
}

/** A queue, or partition, that most waiting is in, and whose jobs only some of the machines take. */
export interface BusyQueue {
  readonly name: string;
  /** Its part of the waits of all jobs together. */
  readonly waitsShare: number;
  readonly machines: number;
  /** Of all queues. */
  readonly allMachines: number;
}

/** The trial in which jobs without a limit are planned with as batch systems do it. */
export const AS_BELIEVED = "jobs without a limit believed to run for years";

export interface Trial {
  /** `exact estimates`. */
  readonly what: string;
  readonly waits: readonly { readonly policy: string; readonly waitMeanSeconds: number }[];
  /** Whether it is on more, or on fewer, machines. */
  readonly on?: "more" | "fewer";
  /** Whether other jobs were rejected than on the log itself: the mean waits are then of other jobs. */
  readonly isOfOtherJobs?: true;
}

/** Raises mean waits, so that a drawn log without waits says little instead of all. */
const RAISE = 0.02;

/**
 * The logarithms of policy ÷ baseline on the logs drawn; null where there are none of one of them.
 *
 * @param was the mean waits on the log itself
 */
export function replicatesOf(
  trials: Trials | undefined,
  baseline: { readonly policy: string; readonly waitMeanSeconds: number },
  policy: { readonly policy: string; readonly waitMeanSeconds: number },
): Replicates | null {
  const ofPolicy = (name: string): readonly number[] | undefined =>
    trials?.draws.find((each) => each.policy === name)?.waitMeanSeconds;
  const [before, after] = [ofPolicy(baseline.policy), ofPolicy(policy.policy)];
  if (before === undefined || after === undefined || before.length < FEWEST_DRAWS) return null;
  const logarithms = before.map((each, draw) =>
    Math.log((after[draw]! + RAISE * policy.waitMeanSeconds) / (each + RAISE * baseline.waitMeanSeconds)),
  );
  return { logarithms, units: trials!.units };
}

/** With fewer their spread is too uncertain for an interval. */
export const FEWEST_DRAWS = 8;
