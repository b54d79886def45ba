import type { Comparison } from "./comparison.ts";
import { meanOf } from "../means.ts";

/** The LP bound and the optimum of one instance in which the optimum is proven. */
interface ProvenOptimum {
  readonly bound: number;
  readonly optimum: number;
  readonly servicesPerHost: number;
  /** The share of services with a minimum yield. */
  readonly constrained: number;
}

/** Instances of one kind: by how much their mean bound is above their mean optimum. */
export interface BoundGap {
  readonly servicesPerHost: number;
  readonly constrained: number;
  readonly instances: number;
  /** NaN where the optimum is 0 in all. */
  readonly gap: number;
}

export function provenOptima({ algorithms, trials }: Comparison): ProvenOptimum[] {
  const milp = algorithms.indexOf("milp");
  return trials.flatMap(({ settings, bound, attempts }) => {
    const exact = attempts[milp];
    if (exact === undefined || exact.isStopped || exact.minYield === null || bound === null) return [];
    const { services, hosts, constrained } = settings;
    return [{ bound, optimum: exact.minYield, servicesPerHost: services / hosts, constrained }];
  });
}

/** By services per host, then by the constrained share; kinds without a proven optimum are left out. */
export function boundGaps(comparison: Comparison): BoundGap[] {
  const byKind = Map.groupBy(
    provenOptima(comparison),
    ({ servicesPerHost, constrained }) => `${servicesPerHost} ${constrained}`,
  );
  return [...byKind.values()]
    .map((optima): BoundGap => ({
      servicesPerHost: optima[0]!.servicesPerHost,
      constrained: optima[0]!.constrained,
      instances: optima.length,
      gap: gapOf(optima),
    }))
    .sort((a, b) => a.servicesPerHost - b.servicesPerHost || a.constrained - b.constrained);
}

/** Means over instances are compared, as on the slides, so that single tiny optima do not decide. */
function gapOf(optima: readonly ProvenOptimum[]): number {
  return meanOf(optima.map(({ bound }) => bound)) / meanOf(optima.map(({ optimum }) => optimum)) - 1;
}
