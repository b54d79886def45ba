import { resolve } from "node:path";

import { Command } from "commander";

import {
  infeasibleText,
  verifyPlacement,
  violationText,
  whyInfeasible,
  yieldBound,
  type FractionalInstance,
} from "../../fractional/index.ts";
import { contenderList, contenderNames, findContender, loadSolver, type Contender } from "../../lp/index.ts";
import { checkWritable, InputError, nearest, Random } from "../../../workload/index.ts";
import { readInstance } from "../../instances/index.ts";
import { writePlacement } from "./placement-file.ts";
import {
  nothingFound,
  renderResults,
  resultOf,
  runOf,
  stopRemarks,
  type Placement,
  type SolverRun,
} from "./results.ts";
import { names, positive, wholeNumber } from "../../../cli/options.ts";
import { endedBySignals } from "../../../cli/signals.ts";
import { print, say } from "../../../cli/terminal.ts";

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
  const width = Math.max(...contenderList.map((each) => each.names.length));
  const list = contenderList.map((each) => `  ${each.names.padEnd(width)}  ${each.summary}`).join("\n");
  return new Command("solve")
    .description("place the services of an instance file, as well as each algorithm can")
    .argument("<file>", "the instance: dimensions, hosts and services, then their amounts")
    .argument("[names...]", "with --algorithm: more algorithms")
    .option("--algorithm <names>", `how; several for a comparison (${DEFAULT_ALGORITHM})`, names, [])
    .option("--placement <file>", "write the best placement: service,host,yield")
    .option("--verify", "check every placement against the definition")
    .option("--time-limit <seconds>", "for an algorithm on a linear programming solver", positive, 60)
    .option("--seed <number>", "of algorithms that use random numbers", wholeNumber, 1)
    .option("--json", "as JSON")
    .addHelpText("after", `\nAlgorithms:\n${list}`)
    .action(solve);
}

async function solve(path: string, more: readonly string[], flags: SolveFlags): Promise<void> {
  // 1. Check all that can be checked before any work is done.
  const contenders = algorithmNames(flags.algorithm, more).map(contender);
  if (flags.placement !== undefined && resolve(flags.placement) === resolve(path))
    throw new InputError("the placement would take the place of the instance: name another file", {
      file: path,
    });
  if (flags.placement !== undefined) await checkWritable(flags.placement);
  const instance: FractionalInstance = await readInstance(path);
  for (const each of contenders) {
    const refusal = each.refuses(instance);
    if (refusal !== null) throw new InputError(refusal, { file: path });
  }

  // 2. The algorithms, unless it is known without them that there is no placement.
  const known = yieldBound(instance);
  const runs = known < 0 ? [] : await runAll(contenders, instance, known, flags);
  const placed = runs.filter((run) => run.placement !== null);
  const best = placed.toSorted((a, b) => b.minYield - a.minYield)[0];
  const isInfeasible =
    known < 0 || (best === undefined && runs.some(({ outcome }) => outcome.ended === "infeasible"));

  // 3. The lowest bound that was proved. A solver's bound is only as exact as its arithmetic.
  const proved = Math.min(known, ...runs.map(({ outcome }) => outcome.upperBound ?? known));
  const bound = isInfeasible ? null : Math.max(proved, best?.minYield ?? 0);

  // 4. The results. Only now it is known which algorithms reached the bound.
  const results =
    known < 0
      ? contenders.map(({ name }) => nothingFound(name))
      : runs.map((run) => resultOf(run, bound ?? 0));
  for (const remark of stopRemarks(runs, results, flags.timeLimit)) say(remark);
  if (flags.placement !== undefined && best !== undefined)
    await writePlacement(best.placement!, flags.placement);
  if (flags.json === true) await print(JSON.stringify({ bound, results }));
  else await print(renderResults(bound, results));
  if (isInfeasible) throw new InputError(reason(instance, runs), { file: path });
  if (flags.placement !== undefined && best === undefined)
    say(`${flags.placement}: not written: no placement was found`);
}

/** The names of the option, and the words after the file: `--algorithm A B C`. */
function algorithmNames(named: readonly string[], more: readonly string[]): readonly string[] {
  if (named.length === 0 && more.length > 0)
    throw new InputError(`too many arguments: "${more[0]}"; name algorithms with --algorithm`);
  if (named.length === 0) return [DEFAULT_ALGORITHM];
  return more.reduce<readonly string[]>((all, text) => names(text, all), named);
}

/** @throws InputError for an unknown name */
function contender(name: string): Contender {
  const found = findContender(name);
  if (found !== undefined) return found;
  const close = nearest(name, contenderNames).join(", ");
  const known = contenderList.map(({ names }) => names).join(", ");
  throw new InputError(`no algorithm "${name}" (the nearest: ${close}): choose from ${known}`);
}

async function runAll(
  contenders: readonly Contender[],
  instance: FractionalInstance,
  bound: number,
  { seed, timeLimit: timeLimitSeconds, verify }: SolveFlags,
): Promise<SolverRun[]> {
  const runs: SolverRun[] = [];
  for (const each of contenders) {
    const solver = each.needsSolver ? await loadSolver() : null;
    const random = new Random(seed);
    const options = { bound, random: () => random.unit(), timeLimitSeconds };
    const outcome = endedBySignals(() => each.solve(solver, instance, options));
    const run = runOf(each.name, instance, outcome);
    if (verify === true && run.placement !== null) check(each.name, instance, run.placement);
    runs.push(run);
  }
  return runs;
}

/** @throws if a placement is wrong, which would be a bug of Croft */
function check(name: string, instance: FractionalInstance, { hostOf, yields }: Placement): void {
  const [violation] = verifyPlacement(instance, hostOf, yields);
  if (violation !== undefined) throw new Error(`${name}: a wrong placement: ${violationText(violation)}`);
}

function reason(instance: FractionalInstance, runs: readonly SolverRun[]): string {
  const why = whyInfeasible(instance);
  const by = runs.find(({ outcome }) => outcome.ended === "infeasible")?.algorithm;
  const because =
    why === null
      ? `${by} proves it, though every service by itself fits on some host, and all hosts together have enough`
      : infeasibleText(why);
  return `no placement meets all requirements: ${because}`;
}
