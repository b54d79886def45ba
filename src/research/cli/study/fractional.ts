import { Command, InvalidArgumentError, Option } from "commander";

import { loadSolver } from "../../lp/index.ts";
import { formatCount } from "../../../report/index.ts";
import { fractionalCurves, fractionalTables, renderStudyPage } from "../../report/index.ts";
import {
  boundGaps,
  fractionalParts,
  fractionalSweeps,
  judgeFractional,
  studyFractional,
  type FractionalPart,
  type FractionalResult,
  type Sweep,
} from "../../study/index.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { names, positive, positiveInteger, positives, wholeNumber } from "../../../cli/options.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { StatusLine } from "../../../cli/terminal.ts";
import { version } from "../../../cli/package.ts";
import { claimsTable, columns, putOut } from "./output.ts";

interface FractionalFlags {
  readonly part?: readonly FractionalPart[];
  readonly algorithm?: readonly string[];
  readonly hosts?: readonly number[];
  readonly services?: readonly number[];
  readonly dimensions?: readonly number[];
  readonly slack?: readonly number[];
  readonly variation?: readonly number[];
  readonly constrained?: readonly number[];
  readonly instances?: number;
  readonly seed?: number;
  readonly timeLimit?: number;
  readonly quiet?: true;
  readonly json?: true;
  readonly out?: string;
}

export function fractionalCommand(): Command {
  return new Command("fractional")
    .description(
      "services placed by their fractional needs: algorithms against each other, bound and optimum",
    )
    .option("--part <names>", `which experiments: ${fractionalParts.join(", ")}; all unless given`, parts)
    .option("--algorithm <names>", "the algorithms to compare, instead of those on the slides", names)
    .option("--hosts <numbers>", "hosts of an instance: a number, or several to try all", wholeNumbers)
    .option("--services <numbers>", "services of an instance: a number, or several to try all", wholeNumbers)
    .option("--dimensions <numbers>", "resources: the first half fluid, the others rigid", wholeNumbers)
    .option("--slack <shares>", "of the rigid resources: what is left when all requirements are met", numbers)
    .option("--variation <numbers>", "coefficients of variation of needs and requirements", numbers)
    .option("--constrained <shares>", "of the services: those with a minimum yield of 0.5", numbers)
    .option("--instances <number>", "of every combination of these", positiveInteger)
    .option("--seed <number>", "the same seed makes the same instances (1)", wholeNumber)
    .option("--time-limit <seconds>", "for every attempt on a solver (60)", positive)
    .addOption(new Option("--quiet", "no progress"))
    .option("--json", "print one JSON object instead of the tables")
    .option("--out <folder>", "write report.html and results.json there")
    .action(run);
}

async function run(flags: FractionalFlags): Promise<void> {
  if (flags.out !== undefined) tryFolder(flags.out);
  const progress = new StatusLine(flags.quiet === true);
  const solver = await loadSolver();
  let result: FractionalResult;
  try {
    result = await studyFractional(solver, {
      sweep: sweepGiven(flags),
      ...(flags.part === undefined ? {} : { parts: flags.part }),
      ...(flags.algorithm === undefined ? {} : { algorithms: flags.algorithm }),
      ...(flags.timeLimit === undefined ? {} : { timeLimitSeconds: flags.timeLimit }),
      onProgress: (part, done, of) => progress.show(`${part}: ${done} of ${of} instances`),
    });
  } finally {
    progress.clear();
  }

  const claims = judgeFractional(result);
  const tables = fractionalTables(result);
  const instances = [result.packing, result.greedy, result.rounding, result.optimal]
    .map((comparison) => comparison?.trials.length ?? 0)
    .reduce((sum, count) => sum + count, result.errors?.instances ?? 0);
  const title = `Services placed by fractional needs: ${formatCount(instances)} synthetic instances`;
  const page = {
    title,
    workload: { name: "fractional", synthetic: true, jobs: instances },
    overview: `Algorithms that place services on hosts so that the smallest yield of a service is as large as possible (Stillwell 2014), on ${formatCount(instances)} synthetic instances.`,
    tables,
    curves: fractionalCurves(result),
    claims,
    settings: settingsOf(result),
    command: commandLine(),
    version,
  };
  await putOut(flags, {
    text: [
      title,
      "",
      ...tables.flatMap(({ caption, head, rows }) => [caption, "", columns([head, ...rows]), ""]),
      ...(claims.length === 0
        ? []
        : [claimsTable(claims, "Claims of Stillwell's slides (2014), on these instances:")]),
    ].join("\n"),
    json: { ...withoutTrials(result), claims },
    page: () => renderStudyPage(page),
    results: { ...result, claims },
  });
}

function sweepGiven(flags: FractionalFlags): Partial<Sweep> {
  const { hosts, services, dimensions, slack, variation, constrained, instances, seed } = flags;
  const given = { hosts, services, dimensions, slack, variation, constrained, instances, seed };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The settings of each part. */
function settingsOf({
  packing,
  greedy,
  rounding,
  optimal,
  errors,
}: FractionalResult): { name: string; value: string }[] {
  const sweeps = {
    packing: packing?.sweep,
    greedy: greedy?.sweep,
    rounding: rounding?.sweep,
    optimal: optimal?.sweep,
    errors: errors?.sweep,
  } satisfies Record<keyof typeof fractionalSweeps, Sweep | undefined>;
  return Object.entries(sweeps).flatMap(([name, sweep]) =>
    sweep === undefined
      ? []
      : [
          {
            name,
            value: `${sweep.hosts.join(", ")} hosts (${sweep.shape}); services ${sweep.services.join(", ")}; dimensions ${sweep.dimensions.join(", ")}; slack ${sweep.slack.join(", ")}; variation ${sweep.variation.join(", ")}; constrained ${sweep.constrained.join(", ")}; ${sweep.instances} of each; seed ${sweep.seed}`,
          },
        ],
  );
}

/** Every single attempt is in the report's `results.json`. */
function withoutTrials({ packing, greedy, rounding, optimal, errors }: FractionalResult): object {
  const short = (comparison: typeof packing): object | undefined => {
    if (comparison === undefined) return undefined;
    const { trials, ...rest } = comparison;
    return { instances: trials.length, ...rest };
  };
  return {
    packing: short(packing),
    greedy: short(greedy),
    rounding: short(rounding),
    optimal: optimal === undefined ? undefined : { ...short(optimal), boundGaps: boundGaps(optimal) },
    errors,
  };
}

function parts(text: string, earlier: readonly FractionalPart[] = []): FractionalPart[] {
  const known: readonly string[] = fractionalParts;
  const given = names(text, earlier);
  const strange = given.find((name) => !known.includes(name));
  if (strange !== undefined) throw new InvalidArgumentError(`There is no part ${strange}.`);
  return given as FractionalPart[];
}

function wholeNumbers(text: string, earlier: readonly number[] = []): number[] {
  const given = positives(text, earlier);
  if (!given.every(Number.isSafeInteger)) throw new InvalidArgumentError("Give whole numbers above 0.");
  return given;
}

/** Numbers from 0. */
function numbers(text: string, earlier: readonly number[] = []): number[] {
  const given = names(text).map(Number);
  if (!given.every((value) => value >= 0 && Number.isFinite(value))) {
    throw new InvalidArgumentError("Give numbers of at least 0.");
  }
  return [...new Set([...earlier, ...given])];
}
