import { Command } from "commander";

import { formatCount, formatDuration, formatMilliseconds, formatShare } from "../../../report/index.ts";
import { renderStudyPage } from "../../report/index.ts";
import { resolvePolicy } from "../../../simulation/index.ts";
import { optimumPolicies, studyOptimum, type Nearness, type OptimumResult } from "../../study/index.ts";
import { InputError } from "../../../workload/index.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { machineFacts, workloadFacts } from "../../../cli/facts.ts";
import { figures } from "../../../cli/figures.ts";
import { leaveOutDownOption, loadGivenMachines } from "../../../cli/input.ts";
import { duration, names, positive, positiveInteger } from "../../../cli/options.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { StatusLine } from "../../../cli/terminal.ts";
import { version } from "../../../cli/package.ts";
import { loadStudied, studiedOptions, studiedPolicies, type StudiedFlags } from "./input.ts";
import { columns, heading, putOut } from "./output.ts";

interface OptimumFlags extends StudiedFlags {
  readonly machines?: string;
  readonly leaveOutDown?: true;
  readonly policy?: readonly string[];
  readonly under: string;
  readonly load?: number;
  readonly interval?: number;
  readonly cycles: number;
  readonly quiet?: true;
}

export function optimumCommand(): Command {
  const command = new Command("optimum")
    .description("how many of the jobs that could start in a cycle each policy starts")
    .option(
      "--machines <spec>",
      "a file, a shorthand, or a known farm's name; a synthetic pool brings its own",
    )
    .addOption(leaveOutDownOption())
    .option("--policy <names>", `those compared; ${optimumPolicies.join(", ")} unless given`, names)
    .option("--under <policy>", "the policy whose run the cycles are of", "max-jobs")
    .option("--load <load>", "offered load, as a fraction of the farm; the log's own unless given", positive)
    .option("--interval <time>", "between scheduling cycles (30s)", duration)
    .option("--cycles <number>", "how many cycles to compare, about", positiveInteger, 100)
    .option("--quiet", "no progress");
  return studiedOptions(command).action(run);
}

async function run(name: string, flags: OptimumFlags): Promise<void> {
  for (const policy of [flags.under, ...(flags.policy ?? [])]) resolvePolicy(policy);
  if (flags.out !== undefined) tryFolder(flags.out);
  const given = await loadGivenMachines(flags);
  const { workload, generator } = await loadStudied(name, flags);
  const machines = given?.(workload) ?? generator?.machines();
  if (machines === undefined)
    throw new InputError("give the machines of the log: --machines FILE or 64x8c64g");
  const policies = studiedPolicies(flags.policy, optimumPolicies, workload, machines);

  const progress = new StatusLine(flags.quiet === true);
  progress.show(`running ${flags.under}`);
  const result = await studyOptimum(workload, machines, {
    policies,
    runs: flags.under,
    cycles: flags.cycles,
    settings: {
      ...(flags.load === undefined ? {} : { load: flags.load }),
      ...(flags.interval === undefined ? {} : { intervalSeconds: flags.interval }),
    },
    onProgress: (solved, cycles) => progress.show(`${solved} of ${cycles} cycles solved`),
  }).finally(() => progress.clear());

  const facts = { workload: workloadFacts(workload, machines), machines: machineFacts(machines) };
  const title = `${heading(workload, formatCount(workload.count))}: jobs started of those that could, on ${machines.name}`;
  const page = {
    title,
    workload: facts.workload,
    optimum: result,
    settings: [
      { name: "Cycles", value: `of a run under ${flags.under}, in which it left jobs waiting` },
      { name: "Offered load", value: formatShare(result.run.offeredLoad) },
      { name: "Interval", value: formatDuration(result.run.intervalSeconds) },
      { name: "Times", value: "measured, so they differ from run to run" },
    ],
    command: commandLine(),
    version,
  };
  const { run: ofRun, ...rest } = result;
  await putOut(flags, {
    text: [title, "", ...describe(result, flags.under)].join("\n"),
    json: { ...facts, run: figures(ofRun), ...rest },
    page: () => renderStudyPage(page),
    results: { ...facts, ...result },
  });
}

function describe(
  {
    run,
    cycles,
    contestedCycles,
    compared,
    fullCycles,
    provenCycles,
    solveSecondsMedian,
    standings,
  }: OptimumResult,
  under: string,
): string[] {
  const full = fullCycles === 0 ? "" : `; in ${formatCount(fullCycles)} more no job could start`;
  const head = [
    `${formatShare(run.offeredLoad)} load; under ${under} ${formatCount(cycles)} cycles with jobs waiting, ${formatCount(contestedCycles)} of them left some waiting`,
  ];
  if (compared.length === 0) return [...head, "so there is nothing to compare: try a higher --load"];
  return [
    ...head,
    `${formatCount(compared.length)} of these compared${full}`,
    `the most jobs that could start: proven in ${formatCount(provenCycles)} cycles, an upper bound in the others; ${formatMilliseconds(solveSecondsMedian)} a cycle, the median`,
    "",
    "Jobs started of the most that could; in the worst cycle; cycles in which it was reached; median time a cycle",
    columns([
      ["policy", "started", "worst", "reached", "time", "none reserved", "worst", "reached", "time"],
      ...standings.map(({ policy, reserved, unreserved }) => [
        policy,
        ...cells(reserved),
        ...cells(unreserved),
      ]),
    ]),
  ];
}

function cells({ share, shareWorst, cyclesReached, secondsMedian }: Nearness): string[] {
  return [
    formatShare(share),
    formatShare(shareWorst),
    formatCount(cyclesReached),
    formatMilliseconds(secondsMedian),
  ];
}
