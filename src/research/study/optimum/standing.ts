import { quantiles } from "../../../simulation/index.ts";
import type { MostJobs } from "./most-jobs.ts";
import type { Try } from "./offer-cycles.ts";

/** How near a policy comes to the most jobs that could start. */
export interface Standing {
  readonly policy: string;
  /** With the pool's reservations. */
  readonly reserved: Nearness;
  /** With no machine reserved for anybody. */
  readonly unreserved: Nearness;
}

/** Where the optimum is not proven, its bound stands for it: the policy is at least so near. */
export interface Nearness {
  /** Jobs that it starts ÷ the most that could, over all cycles together. */
  readonly share: number;
  /** Mean of the cycles' own shares, and the lowest of them. */
  readonly shareMean: number;
  readonly shareWorst: number;
  /** Cycles in which it starts the most that could. */
  readonly cyclesReached: number;
  /** Of a cycle: the median, which other work on the machine changes least. */
  readonly secondsMedian: number;
}

/** Without cycles all is 0. */
export function standingOf(cycles: readonly { readonly most: MostJobs; readonly tried: Try }[]): Nearness {
  const count = Math.max(1, cycles.length);
  const shares = cycles.map(({ most, tried }) => tried.jobs / most.high);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    share: sum(cycles.map(({ tried }) => tried.jobs)) / Math.max(1, sum(cycles.map(({ most }) => most.high))),
    shareMean: sum(shares) / count,
    shareWorst: cycles.length === 0 ? 0 : Math.min(...shares),
    cyclesReached: cycles.filter(({ most, tried }) => tried.jobs === most.high).length,
    secondsMedian: medianOf(cycles.map(({ tried }) => tried.seconds)),
  };
}

/** 0 where there are no values. */
export function medianOf(values: readonly number[]): number {
  return quantiles(Float64Array.from(values), [0.5])[0]!;
}
