import { TOLERANCE, totalOf, type FractionalInstance } from "../fractional/index.ts";
import { Program, type Ended, type LpSolver, type SparseModel } from "./solver.ts";
import { SparseColumns } from "./sparse-columns.ts";

/** Parts of services below this count as 0: the solver's own tolerance. */
export const NEGLIGIBLE = 1e-7;

/** With smaller yields needs are so large beside capacities that the solver cannot tell them from errors. */
const MIN_UNSCALED_YIELD = 1e-3;

/**
 * The rational relaxation of the mixed-integer program (Stillwell, slides of 2014, last slide): e, the part of a
 * service that is on a host, may be any from 0 to 1. The model is changed in place, so that dives start each solve
 * from the last solution.
 */
export class Relaxation {
  private readonly program: Program;
  private readonly hosts: number;
  private readonly services: number;
  /** What a yield of 1 in the program is. */
  private readonly unit: number;

  constructor(solver: LpSolver, instance: FractionalInstance) {
    this.unit = unitOf(instance);
    this.program = new Program(solver, modelOf(inUnits(instance, this.unit)));
    this.hosts = instance.hosts;
    this.services = instance.services;
  }

  solve(timeLimitSeconds: number): Ended {
    return this.program.solve(timeLimitSeconds);
  }

  /** The minimum yield of the solution in hand. */
  get minYield(): number {
    return this.unit * this.program.objective;
  }

  /** Entry [service × hosts + host]: the part of the service that is there. */
  parts(): Float64Array {
    const values = this.program.values();
    const parts = new Float64Array(this.services * this.hosts);
    for (let pair = 0; pair < parts.length; pair++) {
      const part = values[servedColumn(pair)]! + values[servedColumn(pair) + 1]!;
      parts[pair] = part < NEGLIGIBLE ? 0 : part;
    }
    return parts;
  }

  /** Fixes e = 0 for pairs, given in ascending order. */
  forbid(pairs: readonly number[]): void {
    if (pairs.length === 0) return;
    const columns = Int32Array.from(pairs.flatMap((pair) => [servedColumn(pair), servedColumn(pair) + 1]));
    const zeros = new Float64Array(columns.length);
    this.program.changeBounds(columns, zeros, zeros);
  }

  dispose(): void {
    this.program.dispose();
  }
}

/**
 * 1, or the closed form of the bound where that is small. What is left of a capacity within the tolerance is rounding
 * and counts as 0: scaled by it, the needs would be smaller than what the solver can tell from 0.
 */
function unitOf(instance: FractionalInstance): number {
  const { dimensions, aggregateCapacity, aggregateRequirement, aggregateNeed } = instance;
  let bound = 1;
  for (let d = 0; d < dimensions; d++) {
    const need = totalOf(aggregateNeed, d, dimensions);
    if (need === 0) continue;
    const capacity = totalOf(aggregateCapacity, d, dimensions);
    const spare = capacity - totalOf(aggregateRequirement, d, dimensions);
    bound = Math.min(bound, spare <= TOLERANCE * capacity ? 0 : spare / need);
  }
  return bound < MIN_UNSCALED_YIELD ? bound : 1;
}

/** The instance with yields in that unit. */
function inUnits(instance: FractionalInstance, unit: number): FractionalInstance {
  if (unit === 1) return instance;
  const { aggregateNeed, elementaryNeed } = instance;
  return {
    ...instance,
    aggregateNeed: aggregateNeed.map((need) => unit * need),
    elementaryNeed: elementaryNeed.map((need) => unit * need),
  };
}

/** The column of what of a pair gets its needs; the one after it is of what does not. */
function servedColumn(pair: number): number {
  return 1 + 2 * pair;
}

/**
 * A pair of service and host has two columns: the part of the service that is there and
 * gets its needs, y, and the part without them, e − y. So y ≤ e needs no row, elementary
 * limits need one only where they can bind, and there are 2 J + H D rows and few more:
 * 64 hosts and 250 services take a third of a second and not a minute. Rows are divided by their capacities,
 * whatever the units.
 */
function modelOf(instance: FractionalInstance): SparseModel {
  const { dimensions, hosts, services, aggregateCapacity } = instance;
  const model = new SparseColumns();
  const placed = Int32Array.from({ length: services }, () => model.row(1, 1));
  const yielding = Int32Array.from({ length: services }, () => model.row(0, Infinity));
  const full = Int32Array.from({ length: hosts * dimensions }, () => model.row(-Infinity, 1));
  model.column(0, 1, { cost: 1 });
  for (const row of yielding) model.entry(row, -1);

  for (let service = 0; service < services; service++) {
    const of = service * dimensions;
    for (let host = 0; host < hosts; host++) {
      const at = host * dimensions;
      const limits = elementaryLimits(model, instance, of, at);
      for (const served of [true, false]) {
        model.column(0, served ? limits.servedMost : limits.idleMost);
        model.entry(placed[service]!, 1);
        if (served) model.entry(yielding[service]!, 1);
        for (let d = 0; d < dimensions; d++) {
          if (aggregateCapacity[at + d] === 0) continue;
          const need = served ? instance.aggregateNeed[of + d]! : 0;
          const load = instance.aggregateRequirement[of + d]! + need;
          model.entry(full[at + d]!, load / aggregateCapacity[at + d]!);
        }
        for (const { row, idle, both } of limits.rows) model.entry(row, served ? both : idle);
      }
    }
  }
  return model.done();
}

interface Limits {
  /** The most of a service that can be on a host with its needs, and without. */
  readonly servedMost: number;
  readonly idleMost: number;
  /** Rows where neither says it all: loads of a whole service as parts of the capacity. */
  readonly rows: readonly { readonly row: number; readonly idle: number; readonly both: number }[];
}

/** e r + y n ≤ c for elementary amounts, and no aggregate amount at all where there is no capacity. */
function elementaryLimits(
  model: SparseColumns,
  instance: FractionalInstance,
  of: number,
  at: number,
): Limits {
  let servedMost = 1;
  let idleMost = 1;
  const rows: { row: number; idle: number; both: number }[] = [];
  for (let d = 0; d < instance.dimensions; d++) {
    const capacity = instance.elementaryCapacity[at + d]!;
    const requirement = instance.elementaryRequirement[of + d]!;
    const both = requirement + instance.elementaryNeed[of + d]!;
    if (both > capacity) servedMost = Math.min(servedMost, capacity / both);
    if (requirement > capacity) idleMost = Math.min(idleMost, capacity / requirement);
    if (both > capacity && requirement > 0 && capacity > 0) {
      rows.push({ row: model.row(-Infinity, 1), idle: requirement / capacity, both: both / capacity });
    }
    if (instance.aggregateCapacity[at + d]! > 0) continue;
    if (instance.aggregateRequirement[of + d]! + instance.aggregateNeed[of + d]! > 0) servedMost = 0;
    if (instance.aggregateRequirement[of + d]! > 0) idleMost = 0;
  }
  return { servedMost, idleMost, rows };
}
