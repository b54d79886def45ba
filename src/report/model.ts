import { InputError } from "../workload/errors.ts";
import type { PageInput, ReportInput, WorkloadFacts } from "./input.ts";
import { chooseBaseline, headlineLoad, tabulate } from "./runs.ts";
import type { LoadRuns, PolicyRun, RunTable } from "./runs.ts";
import { judge } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** The model of sections that need no run. */
export interface PageModel {
  readonly input: PageInput;
}

/** The input, arranged once for all sections. */
export interface ReportModel extends PageModel {
  readonly input: ReportInput;
  readonly table: RunTable;
  /** The load of the verdict and of all charts over time. */
  readonly load: LoadRuns;
  /** The policy that the others are compared with if there is no record. */
  readonly baseline: string;
  readonly verdict: Verdict;
  /** One verdict a load, in the order of the loads. */
  readonly verdicts: readonly Verdict[];
}

/**
 * The verdict at the headline load.
 *
 * @throws InputError where there is no run, or the baseline is not among the runs
 */
export function verdictOf(
  input: Pick<ReportInput, "runs" | "baseline" | (typeof known)[number]> & {
    readonly workload: Pick<WorkloadFacts, "synthetic" | "jobs" | "dropped">;
  },
): Verdict {
  const { load, verdicts, table } = judgeAll(input);
  return verdicts[table.loads.indexOf(load)]!;
}

/**
 * The verdicts at all loads, in the order of the loads.
 *
 * @throws InputError where there is no run, or the baseline is not among the runs
 */
export function verdictsOf(input: Parameters<typeof verdictOf>[0]): readonly Verdict[] {
  return judgeAll(input).verdicts;
}

/** @throws InputError where there is no run, or the baseline is not among the runs. */
export function arrange(input: ReportInput): ReportModel {
  const judged = judgeAll(input);
  return {
    ...judged,
    input,
    verdict: judged.verdicts[judged.table.loads.indexOf(judged.load)]!,
  };
}

/** What a verdict takes of the input as it is. */
const known = [
  ...(["recorded", "fidelity", "rejectionAdvice", "machineUse", "withoutLimits"] as const),
  ...(["arrivals", "unattainable", "trials", "tooLittle"] as const),
];

function judgeAll(
  input: Parameters<typeof verdictOf>[0],
): Pick<ReportModel, "table" | "load" | "baseline" | "verdicts"> {
  const table = tabulate(input.runs);
  const load = headlineLoad(table);
  if (load === undefined) throw new InputError("A report needs the result of at least one run.");
  const baseline = chooseBaseline(table, input.baseline);
  const told = Object.fromEntries(
    known.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]]])),
  );
  const verdicts = table.loads.map((each) =>
    judge(each, {
      baseline,
      isOwn: input.baseline !== undefined,
      ...told,
      highestLoad: table.loads.at(-1)!.offeredLoad,
      workload: input.workload,
    }),
  );
  return { table, load, baseline, verdicts };
}

/** Whether the row is the best at the headline load: every chart draws it heavier. */
export function isBest(model: ReportModel, row: PolicyRun): boolean {
  return row.policy === model.verdict.best;
}
