import { minYieldOf, yieldWithin, type FractionalInstance } from "../core/index.ts";
import type { LpAlgorithm, LpOutcome } from "./algorithm.ts";
import { Program, type SparseModel } from "./solver.ts";
import { SparseColumns } from "./sparse-columns.ts";

/** How close to the optimum counts as it. */
export const OPTIMAL_GAP = 1e-6;

/**
 * The mixed-integer program itself (slides of 2014, last slide), for small instances:
 * the best placement there is, or the best found in time and how far from the best it
 * can be.
 */
export const milp: LpAlgorithm = {
  name: "milp",
  summary: "the optimum, by branch and cut: for small instances, or until the time limit",
  pairsMost: 20_000,
  mergesEqual: false,
  solve(solver, instance, { timeLimitSeconds, bound }) {
    const { model, pairs } = modelOf(instance, bound);
    const program = new Program(solver, model);
    try {
      program.set({
        // Stop at the optimum, not at a hundredth of a percent from it; and keep the
        // capacities as closely as the core does.
        mip_rel_gap: 0,
        mip_abs_gap: OPTIMAL_GAP,
        mip_feasibility_tolerance: 1e-9,
        primal_feasibility_tolerance: 1e-9,
      });
      const ended = program.solve(timeLimitSeconds);
      if (ended === "infeasible") return { assignment: null, ended };
      const upperBound = Math.min(bound, program.upperBound);
      return {
        assignment: program.hasSolution ? assignmentOf(instance, pairs, program.values()) : null,
        upperBound,
        ended: ended === "optimal" ? "complete" : "time limit",
      } satisfies LpOutcome;
    } finally {
      program.dispose();
    }
  },
};

interface Pair {
  readonly service: number;
  readonly host: number;
  /** The column of e; that of y is the next. */
  readonly column: number;
}

/**
 * With whole e the elementary limits are y ≤ e q, q being the yield that the elements of
 * the host allow: tighter in between than the sum of both, and the same at 0 and 1. Pairs
 * whose requirements do not fit are left out.
 */
function modelOf(instance: FractionalInstance, bound: number): { model: SparseModel; pairs: Pair[] } {
  const { dimensions, hosts, services, aggregateCapacity } = instance;
  const model = new SparseColumns();
  const pairs: Pair[] = [];
  const placed = Int32Array.from({ length: services }, () => model.row(1, 1));
  const yielding = Int32Array.from({ length: services }, () => model.row(0, Infinity));
  const full = Int32Array.from({ length: hosts * dimensions }, () => model.row(-Infinity, 1));
  model.column(0, bound, { cost: 1 });
  for (const row of yielding) model.entry(row, -1);
  const load = (at: number, of: number, amounts: Float64Array): void => {
    for (let d = 0; d < dimensions; d++) {
      const capacity = aggregateCapacity[at + d]!;
      if (capacity > 0) model.entry(full[at + d]!, amounts[of + d]! / capacity);
    }
  };
  for (let service = 0; service < services; service++) {
    const of = service * dimensions;
    for (let host = 0; host < hosts; host++) {
      const at = host * dimensions;
      const most = yieldAlone(instance, service, host);
      if (most < 0) continue;
      const served = model.row(0, Infinity);
      pairs.push({ service, host, column: model.column(0, 1, { whole: true }) });
      model.entry(placed[service]!, 1);
      model.entry(served, most);
      load(at, of, instance.aggregateRequirement);
      model.column(0, most);
      model.entry(yielding[service]!, 1);
      model.entry(served, -1);
      load(at, of, instance.aggregateNeed);
    }
  }
  return { model: model.done(), pairs };
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

/** @throws Error where the solver's answer does not keep the requirements after all */
function assignmentOf(
  instance: FractionalInstance,
  pairs: readonly Pair[],
  values: Float64Array,
): { hostOf: Int32Array; minYield: number } {
  const hostOf = new Int32Array(instance.services);
  for (const { service, host, column } of pairs) if (values[column]! > 0.5) hostOf[service] = host;
  const minYield = minYieldOf(instance, hostOf);
  if (minYield < 0)
    throw new Error("HiGHS's placement exceeds a capacity: the amounts differ too much in size");
  return { hostOf, minYield };
}
