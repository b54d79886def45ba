import { Program, type LpSolver, type SparseModel } from "../../lp/solver.ts";
import { SparseColumns } from "../../lp/sparse-columns.ts";
import { roomOn, type FreeState, type Snapshot } from "./snapshot.ts";

/** The most jobs that could start in a cycle: at least `low`, at most `high`, and proven where the two are equal. */
export interface MostJobs {
  readonly low: number;
  readonly high: number;
}

interface MostJobsLimits {
  /** The largest number of pairs of a kind and a machine for which the optimum is searched. */
  readonly pairs: number;
  /** For each of the two programs of a cycle. */
  readonly seconds: number;
}

/** Cores and GPUs are counted in thousandths and memory in MiB; solvers like numbers near 1. */
const UNITS = { cores: 1000, memory: 1024, gpu: 1000 } as const;
const resources = ["cores", "memory", "gpu"] as const;

/** A whole number, give or take the solver's tolerance. */
const TOLERANCE = 1e-6;

/**
 * The most of the waiting jobs that could start together, on what is free now: in any order, and with no machine
 * reserved. A job of several tasks starts with all of them or not at all.
 *
 * First the bound. Equal machines are taken as one large machine, and jobs and tasks may be split: that can only allow
 * more. Then, if the bound is above `found` and the cycle is small, the optimum: each machine for itself, whole tasks.
 *
 * @param found jobs that some schedule starts
 */
export function mostJobs(
  solver: LpSolver,
  snapshot: Snapshot,
  found: number,
  { pairs, seconds }: MostJobsLimits,
): MostJobs {
  const high = bound(solver, snapshot, seconds);
  if (high <= found || pairsOf(snapshot) > pairs) return { low: found, high: Math.max(high, found) };
  const machines = snapshot.states.flatMap((state) =>
    Array.from({ length: state.machines }, () => ({ ...state, machines: 1 })),
  );
  return search(solver, programOf({ ...snapshot, states: machines }, found, true), { found, high, seconds });
}

function bound(solver: LpSolver, snapshot: Snapshot, seconds: number): number {
  const all = snapshot.kinds.reduce((sum, { jobs }) => sum + jobs, 0);
  const program = new Program(solver, programOf(snapshot, 0, false));
  try {
    const ended = program.solve(seconds);
    return ended === "optimal" ? Math.min(all, Math.floor(program.objective + TOLERANCE)) : all;
  } finally {
    program.dispose();
  }
}

function search(
  solver: LpSolver,
  model: SparseModel,
  { found, high, seconds }: { readonly found: number; readonly high: number; readonly seconds: number },
): MostJobs {
  const program = new Program(solver, model);
  try {
    // The number of jobs is whole: a gap below 1 is none.
    program.set({ mip_rel_gap: 0, mip_abs_gap: 1 - TOLERANCE * 10, mip_feasibility_tolerance: 1e-9 });
    const ended = program.solve(seconds);
    // The program asks for more jobs than were found.
    if (ended === "infeasible") return { low: found, high: found };
    const low = program.hasSolution ? Math.max(found, Math.round(program.objective)) : found;
    const proven = ended === "optimal" ? low : Math.floor(program.upperBound + TOLERANCE);
    return { low, high: Math.max(low, Math.min(high, proven)) };
  } finally {
    program.dispose();
  }
}

/** Pairs of a kind and a machine on which it fits. */
function pairsOf({ kinds, states }: Snapshot): number {
  let pairs = 0;
  for (const kind of kinds) for (const state of states) if (roomOn(state, kind) > 0) pairs += state.machines;
  return pairs;
}

/**
 * A column for the jobs of each kind that start, and one for the tasks of each kind on the machines of each state. The
 * tasks of a kind are as many as its jobs need, and no resource of a state is exceeded.
 *
 * @param atLeast with whole columns: only solutions that start more jobs than this are looked for
 */
function programOf({ kinds, states }: Snapshot, atLeast: number, whole: boolean): SparseModel {
  const model = new SparseColumns();
  const counted = resources.filter((resource) => kinds.some((kind) => kind[resource] > 0));
  const rows = states.map((state) =>
    counted.map((resource) => model.row(-Infinity, (state.machines * state[resource]) / UNITS[resource])),
  );
  const placed = kinds.map(() => model.row(0, 0));
  const started = model.row(whole ? atLeast + 1 : 0, Infinity);
  kinds.forEach((kind, k) => {
    const room = states.map((state) => roomOn(state, kind) * state.machines);
    const most = Math.min(kind.jobs, Math.floor(sum(room) / kind.tasks));
    model.column(0, most, { cost: 1, whole });
    model.entry(placed[k]!, -kind.tasks);
    model.entry(started, 1);
    if (most === 0) return;
    states.forEach((_state: FreeState, s) => {
      if (room[s] === 0) return;
      model.column(0, Math.min(room[s]!, most * kind.tasks), { whole });
      counted.forEach((resource, r) => model.entry(rows[s]![r]!, kind[resource] / UNITS[resource]));
      model.entry(placed[k]!, 1);
    });
  });
  return model.done();
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
