import { Command } from "commander";

import {
  infeasibleText,
  verifyPlacement,
  violationText,
  whyInfeasible,
  yieldBound,
  type FractionalInstance,
} from "../../../core/index.ts";
import { InputError, readInstance } from "../../../workload/index.ts";
import { writePlacement } from "../../fractional/placement-file.ts";
import {
  placementOf,
  renderResults,
  resultOf,
  type AlgorithmResult,
  type Placement,
} from "../../fractional/results.ts";
import { findSolver, solverList, type Solver } from "../../fractional/solvers.ts";
import { names, positive, wholeNumber } from "../../options.ts";
import { print, say } from "../../terminal.ts";

interface SolveFlags {
  readonly algorithm: readonly string[];
  readonly placement?: string;
  readonly verify?: boolean;
  readonly timeLimit: number;
  readonly seed: number;
  readonly json?: boolean;
}

const DEFAULT_ALGORITHM = "meta-hvp";

export function solveCommand(): Command {
  const width = Math.max(...solverList.map((each) => each.names.length));
  const list = solverList.map((each) => `  ${each.names.padEnd(width)}  ${each.summary}`).join("\n");
  return new Command("solve")
    .description("place the services of an instance file, as well as each algorithm can")
    .argument("<file>", "the instance: dimensions, hosts and services, then their amounts")
    .option("--algorithm <names>", `how; several for a comparison (${DEFAULT_ALGORITHM})`, names, [])
    .option("--placement <file>", "write the best placement: service,host,yield")
    .option("--verify", "check every placement against the definition")
    .option("--time-limit <seconds>", "for an algorithm on a linear programming solver", positive, 60)
    .option("--seed <number>", "of the algorithms that draw lots", wholeNumber, 1)
    .option("--json", "as JSON")
    .addHelpText("after", `\nAlgorithms:\n${list}`)
    .action(solve);
}

async function solve(path: string, flags: SolveFlags): Promise<void> {
  // 1. What can be wrong before any work is done.
  const solvers = (flags.algorithm.length === 0 ? [DEFAULT_ALGORITHM] : flags.algorithm).map(findSolver);
  const instance: FractionalInstance = await readInstance(path);
  for (const solver of solvers) {
    const refusal = solver.refuses(instance);
    if (refusal !== null) throw new InputError(refusal, { file: path });
  }

  // 2. What is known without a placement: a bound, or that there is none.
  let bound = yieldBound(instance);
  const isInfeasible = bound < 0;

  // 3. The algorithms.
  const results: AlgorithmResult[] = [];
  let best: { readonly placement: Placement; readonly minYield: number } | undefined;
  let isProvedInfeasible = isInfeasible;
  for (const solver of solvers) {
    const { result, placement, upperBound, provesInfeasible } = await run(solver, instance, bound, flags);
    results.push(result);
    isProvedInfeasible ||= provesInfeasible;
    if (upperBound !== undefined) bound = Math.min(bound, upperBound);
    if (placement !== null && (best === undefined || result.minYield! > best.minYield))
      best = { placement, minYield: result.minYield! };
  }

  // 4. What came of them.
  const shownBound = isProvedInfeasible ? null : bound;
  if (flags.placement !== undefined && best !== undefined)
    await writePlacement(best.placement, flags.placement);
  if (flags.json === true) await print(JSON.stringify({ bound: shownBound, results }));
  else await print(renderResults(shownBound, results));
  if (isProvedInfeasible) throw new InputError(reason(instance), { file: path });
  if (flags.placement !== undefined && best === undefined)
    say(`${flags.placement}: not written: no placement was found`);
}

interface Run {
  readonly result: AlgorithmResult;
  readonly placement: Placement | null;
  readonly upperBound: number | undefined;
  readonly provesInfeasible: boolean;
}

async function run(
  solver: Solver,
  instance: FractionalInstance,
  bound: number,
  flags: SolveFlags,
): Promise<Run> {
  if (bound < 0) {
    const nothing = { assignment: null, isInfeasible: true, seconds: 0 };
    const result = resultOf(solver.name, nothing, null, bound);
    return { result, placement: null, upperBound: undefined, provesInfeasible: true };
  }
  const { seed, timeLimit: timeLimitSeconds } = flags;
  const outcome = await solver.solve(instance, { bound, seed, timeLimitSeconds });
  const placement = placementOf(instance, outcome);
  if (placement !== null && flags.verify === true) verify(solver.name, instance, placement);
  return {
    result: resultOf(solver.name, outcome, placement, bound),
    placement,
    upperBound: outcome.upperBound,
    provesInfeasible: outcome.isInfeasible,
  };
}

/** @throws where a placement is wrong, which is our mistake. */
function verify(name: string, instance: FractionalInstance, { hostOf, yields }: Placement): void {
  const [violation] = verifyPlacement(instance, hostOf, yields);
  if (violation !== undefined) throw new Error(`${name}: a wrong placement: ${violationText(violation)}`);
}

function reason(instance: FractionalInstance): string {
  const why = whyInfeasible(instance);
  return `no placement meets all requirements: ${why === null ? "large services crowd on too few large hosts" : infeasibleText(why)}`;
}
