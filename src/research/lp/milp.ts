import {
  findFractionalAlgorithm,
  minYieldOf,
  yieldBound,
  yieldWithin,
  type Assignment,
  type FractionalInstance,
  type SolveOptions,
} from "../fractional/index.ts";
import type { LpAlgorithm, LpOutcome } from "./algorithm.ts";
import { Deadline } from "./deadline.ts";
import { Program, type SparseModel } from "./solver.ts";
import { SparseColumns } from "./sparse-columns.ts";

/** A yield this close to the bound counts as the optimum. */
export const OPTIMAL_GAP = 1e-6;

/**
 * The mixed-integer program itself (slides of 2014, last slide), for small instances:
 * the best placement there is, or the best found in time and how far from the best it
 * can be. It starts from the best vector packing.
 */
export const milp: LpAlgorithm = {
  name: "milp",
  summary: "the optimum, by branch and cut: for small instances, or until the time limit",
  pairsMost: 20_000,
  mergesEqual: false,
  solve(solver, instance, options) {
    const deadline = new Deadline(options.timeLimitSeconds);
    const bound = Math.min(options.bound, yieldBound(instance));
    if (bound < 0) return { assignment: null, ended: "infeasible" };
    const start = packed(instance, options);
    if (start !== null && start.minYield >= bound - OPTIMAL_GAP) {
      return { assignment: start, upperBound: bound, ended: "complete" };
    }
    const low = start?.minYield ?? 0;
    const { model, pairs } = modelOf(instance, low, bound);
    const program = new Program(solver, model);
    try {
      program.set({
        // Stop at the optimum, not at a hundredth of a percent from it; and keep the
        // capacities as closely as `tolerated` does.
        mip_rel_gap: 0,
        mip_abs_gap: OPTIMAL_GAP,
        mip_feasibility_tolerance: 1e-9,
        primal_feasibility_tolerance: 1e-9,
      });
      const ended = program.solve(deadline.leftSeconds);
      if (ended === "infeasible") return nothingBetter(start);
      const found = program.hasSolution ? assignmentOf(instance, pairs, program.values()) : null;
      // Its bound is worth no more than its placement.
      if (program.hasSolution && found === null) return { assignment: start, ended: "failed" };
      return {
        assignment: better(start, found),
        upperBound: Math.min(bound, low + program.upperBound),
        ended: ended === "optimal" ? "complete" : "time limit",
      };
    } finally {
      program.dispose();
    }
  },
};

/** No placement yields more than the one to start from; or there is none at all. */
function nothingBetter(start: Assignment | null): LpOutcome {
  return start === null
    ? { assignment: null, ended: "infeasible" }
    : { assignment: start, upperBound: start.minYield, ended: "complete" };
}

/** The best of all vector packings. */
function packed(instance: FractionalInstance, options: SolveOptions): Assignment | null {
  return findFractionalAlgorithm("meta-hvp")!.solve(instance, options);
}

function better(one: Assignment | null, other: Assignment | null): Assignment | null {
  if (one === null || other === null) return one ?? other;
  return other.minYield > one.minYield ? other : one;
}

interface Pair {
  readonly service: number;
  readonly host: number;
  /** The column of e; that of the yield above the low one is the next. */
  readonly column: number;
}

/**
 * The minimum yield is at least `low`, which is known to be possible, and at most `high`, a known bound: services
 * require r + low × n, and have a yield z above `low` with z ≤ e (q − low), q being at most the yield that the
 * elements of the host allow and at most `high`. With whole e this is the program of the slides; with others it is
 * much tighter.
 *
 * Pairs whose requirements do not fit are left out. So are, of equal hosts, those with a
 * number above the service's: whatever the placement, equal hosts can be renamed by the
 * first service on them.
 */
function modelOf(
  instance: FractionalInstance,
  low: number,
  high: number,
): { model: SparseModel; pairs: Pair[] } {
  const { dimensions, hosts, services, aggregateCapacity, aggregateRequirement, aggregateNeed } = instance;
  const model = new SparseColumns();
  const pairs: Pair[] = [];
  const placed = Int32Array.from({ length: services }, () => model.row(1, 1));
  const yielding = Int32Array.from({ length: services }, () => model.row(0, Infinity));
  const full = Int32Array.from({ length: hosts * dimensions }, () => model.row(-Infinity, 1));
  const equalsBefore = countEqualsBefore(instance);
  model.column(0, high - low, { cost: 1 });
  for (const row of yielding) model.entry(row, -1);
  for (let service = 0; service < services; service++) {
    const of = service * dimensions;
    for (let host = 0; host < hosts; host++) {
      const at = host * dimensions;
      const most = Math.min(high, yieldAlone(instance, service, host));
      if (most < low || equalsBefore[host]! > service) continue;
      const above = model.row(0, Infinity);
      pairs.push({ service, host, column: model.column(0, 1, { whole: true }) });
      model.entry(placed[service]!, 1);
      model.entry(above, most - low);
      for (let d = 0; d < dimensions; d++) {
        const load = aggregateRequirement[of + d]! + low * aggregateNeed[of + d]!;
        if (aggregateCapacity[at + d]! > 0) model.entry(full[at + d]!, load / aggregateCapacity[at + d]!);
      }
      model.column(0, most - low);
      model.entry(yielding[service]!, 1);
      model.entry(above, -1);
      for (let d = 0; d < dimensions; d++) {
        const load = aggregateNeed[of + d]!;
        if (aggregateCapacity[at + d]! > 0) model.entry(full[at + d]!, load / aggregateCapacity[at + d]!);
      }
    }
  }
  return { model: model.done(), pairs };
}

/** Entry [host]: how many hosts before it have the same capacities. */
function countEqualsBefore({
  dimensions,
  hosts,
  elementaryCapacity,
  aggregateCapacity,
}: FractionalInstance): Int32Array {
  const seen = new Map<string, number>();
  return Int32Array.from({ length: hosts }, (_, host) => {
    const [from, to] = [host * dimensions, (host + 1) * dimensions];
    const key = `${elementaryCapacity.subarray(from, to).join()};${aggregateCapacity.subarray(from, to).join()}`;
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    return before;
  });
}

/** The yield of a service that has the host for itself; -1 where its requirements do not fit. */
function yieldAlone(instance: FractionalInstance, service: number, host: number): number {
  let most = 1;
  for (let d = 0; d < instance.dimensions; d++) {
    const of = service * instance.dimensions + d;
    const at = host * instance.dimensions + d;
    most = Math.min(
      most,
      yieldWithin(
        instance.elementaryCapacity[at]!,
        instance.elementaryRequirement[of]!,
        instance.elementaryNeed[of]!,
      ),
      yieldWithin(
        instance.aggregateCapacity[at]!,
        instance.aggregateRequirement[of]!,
        instance.aggregateNeed[of]!,
      ),
    );
  }
  return most;
}

/** Null where it exceeds a capacity after all: the amounts differ too much in size for the solver. */
function assignmentOf(
  instance: FractionalInstance,
  pairs: readonly Pair[],
  values: Float64Array,
): Assignment | null {
  const hostOf = new Int32Array(instance.services);
  for (const { service, host, column } of pairs) if (values[column]! > 0.5) hostOf[service] = host;
  const minYield = minYieldOf(instance, hostOf);
  return minYield < 0 ? null : { hostOf, minYield };
}
