import type loader from "highs";

import { InputError } from "../../workload/index.ts";

/**
 * HiGHS, loaded. Loading the wasm is asynchronous, solving is not: make one with
 * `loadSolver` and pass it on.
 */
export type LpSolver = Awaited<ReturnType<typeof loader.default>>;

/** An optional dependency of Croft, of this version: only what research does needs it. */
export const HIGHS = "highs@1.15.3";

/**
 * @param importHighs imports the package
 * @throws InputError where the package is not installed
 */
export async function loadSolver(
  importHighs: () => Promise<{ readonly default: unknown }> = () => import("highs"),
): Promise<LpSolver> {
  const highs = await importHighs().catch((error: unknown) => {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    throw new InputError(
      `linear programs are solved by HiGHS, which is not installed: npm install ${HIGHS} where Croft is ` +
        "installed, or install Croft without --omit=optional",
    );
  });
  // The package's types describe its CommonJS side; what `import` gives is the loader itself.
  const load = highs.default as typeof loader.default;
  return load();
}

/** A maximisation in columns: bounds, costs, and the rows that each column is in. */
export interface SparseModel {
  readonly columns: number;
  readonly rows: number;
  readonly cost: Float64Array;
  readonly lower: Float64Array;
  readonly upper: Float64Array;
  readonly rowLower: Float64Array;
  readonly rowUpper: Float64Array;
  /** Entries of column i: from `starts[i]` to below `starts[i + 1]`. */
  readonly starts: Int32Array;
  readonly entryRows: Int32Array;
  readonly entryValues: Float64Array;
  /** 1 for columns that must be whole; absent: none must. */
  readonly whole?: Int32Array;
}

/** How a solve ended. `stopped`: by the time limit, nothing is proven. */
export type Ended = "optimal" | "infeasible" | "stopped";

/** A model within the solver. It holds memory that no garbage collector sees: call `dispose`. */
export class Program {
  private readonly model: ReturnType<LpSolver["createModel"]>;
  private readonly status: LpSolver["constants"]["modelStatus"];

  constructor(solver: LpSolver, model: SparseModel) {
    this.status = solver.constants.modelStatus;
    this.model = solver.createModel({
      numCols: model.columns,
      numRows: model.rows,
      sense: solver.constants.objectiveSense.maximize,
      colCost: model.cost,
      colLower: model.lower,
      colUpper: model.upper,
      rowLower: model.rowLower,
      rowUpper: model.rowUpper,
      matrix: {
        format: "csc",
        numRows: model.rows,
        numCols: model.columns,
        starts: model.starts,
        indices: model.entryRows,
        values: model.entryValues,
      },
      ...(model.whole === undefined ? {} : { integrality: model.whole }),
    });
    this.model.options.set({ output_flag: false });
  }

  /** Further settings of HiGHS, by their names there. */
  set(options: Readonly<Record<string, number | string | boolean>>): void {
    this.model.options.set(options);
  }

  /**
   * @throws Error where the solver ends in none of the ways that a yield can: yields are
   *   bounded, so that this is a failure of numerics or memory
   */
  solve(timeLimitSeconds: number): Ended {
    // The limit is on the sum of all runs of a model.
    this.model.zeroAllClocks();
    this.model.options.set("time_limit", Math.max(0, timeLimitSeconds));
    const { modelStatus } = this.model.run();
    if (modelStatus === this.status.optimal) return "optimal";
    if (modelStatus === this.status.infeasible || modelStatus === this.status.unboundedOrInfeasible) {
      return "infeasible";
    }
    if (modelStatus === this.status.timeLimit) return "stopped";
    throw new Error(`HiGHS gave up on the linear program, status ${modelStatus}`);
  }

  /** The value of the objective at the solution in hand. */
  get objective(): number {
    return this.model.getObjectiveValue();
  }

  /** Of a model with whole columns: no solution is above it. */
  get upperBound(): number {
    return Number(this.model.info.get("mip_dual_bound"));
  }

  /** Whether there is a solution in hand that keeps all constraints. */
  get hasSolution(): boolean {
    return this.model.info.get("primal_solution_status") === 2;
  }

  /** By column. */
  values(): Float64Array {
    return this.model.getSolution().colValue;
  }

  /** Changes the bounds of columns; the next solve starts from the last solution. */
  changeBounds(columns: Int32Array, lower: Float64Array, upper: Float64Array): void {
    this.model.changeColsBounds({ kind: "set", indices: columns }, lower, upper);
  }

  dispose(): void {
    this.model.dispose();
  }
}
