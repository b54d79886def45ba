import { Command } from "commander";

import { formatCount, renderReport, renderTable } from "../../report/index.ts";
import { resolvePolicy, type RunResult } from "../../simulation/index.ts";
import {
  applicable,
  defaultPaces,
  judgeClaims,
  loadClaims,
  loadPolicies,
  studyLoad,
  type Pace,
} from "../../study/index.ts";
import { InputError, readMachines } from "../../workload/index.ts";
import { machineFacts, workloadFacts } from "../facts.ts";
import { names, positiveInteger, positives } from "../options.ts";
import { checkFolder } from "../simulate/out-folder.ts";
import { ProgressLine } from "../simulate/progress.ts";
import { say } from "../terminal.ts";
import { version } from "../version.ts";
import { loadStudied, studyOptions, type StudyFlags } from "./study-input.ts";
import { claimsTable, commandLine, heading, putOut } from "./study-output.ts";

interface LoadFlags extends StudyFlags {
  readonly machines?: string;
  readonly policy?: readonly string[];
  readonly load?: readonly number[];
  readonly beta?: readonly number[];
  readonly threads?: number;
  readonly quiet?: true;
}

export function loadCommand(): Command {
  const command = new Command("load")
    .description("how long jobs wait under each heuristic as the load rises (section 6)")
    .option(
      "--machines <spec>",
      "a file, a shorthand, or a known farm's name; a synthetic pool brings its own",
    )
    .option("--policy <names>", `${loadPolicies.join(", ")} unless given`, names)
    .option(
      "--load <loads>",
      "offered loads, as fractions of the farm; unless given the log's own, and 0.6 to 1.0 above it",
      positives,
    )
    .option("--beta <factors>", "factors of the arrival times; 1 is the log's own pace", positives)
    .option("--threads <number>", "runs at the same time (as many as there are cores)", positiveInteger)
    .option("--quiet", "no progress");
  return studyOptions(command).action(run);
}

async function run(name: string, flags: LoadFlags): Promise<void> {
  for (const policy of flags.policy ?? []) resolvePolicy(policy);
  if (flags.out !== undefined) await checkFolder(flags.out);
  const given = flags.machines === undefined ? undefined : await readMachines(flags.machines);
  const { workload, pool, generator } = await loadStudied(name, flags);
  const machines = given ?? generator?.machines();
  if (machines === undefined)
    throw new InputError("give the machines of the log: --machines FILE or 64x8c64g");
  const policies = flags.policy ?? applicable(loadPolicies, workload, machines);
  const leftOut = (flags.policy ?? loadPolicies).filter((each) => !policies.includes(each));
  if (leftOut.length > 0) say(`left out, as there is no memory to decide by: ${leftOut.join(", ")}`);

  const progress = new ProgressLine(flags.quiet === true);
  let runs: RunResult[];
  try {
    runs = await studyLoad(workload, machines, {
      policies,
      paces: pacesGiven(flags) ?? defaultPaces(workload, machines),
      ...(flags.threads === undefined ? {} : { threads: flags.threads }),
      onProgress: (now) => progress.show(now),
    });
  } finally {
    progress.clear();
  }

  const claims = judgeClaims(loadClaims, runs, pool);
  const facts = { workload: workloadFacts(workload, machines), machines: machineFacts(machines) };
  const title = `${heading(workload, formatCount(workload.count))} under load on ${machines.name}`;
  const input = { ...facts, title, runs, claims, command: commandLine(), version };
  await putOut(flags, {
    text: [title, "", renderTable(runs), claimsTable(claims)].join("\n"),
    json: { ...facts, runs: runs.map(figures), claims },
    page: () => renderReport(input),
    results: input,
  });
}

function pacesGiven({ load = [], beta = [] }: LoadFlags): Pace[] | undefined {
  const paces = [...beta.map((beta) => ({ beta })), ...load.map((load) => ({ load }))];
  return paces.length === 0 ? undefined : paces;
}

/** The figures of a run, without its course over time: that is in the report's `results.json`. */
function figures({ series: _series, days: _days, ...rest }: RunResult): Omit<RunResult, "series" | "days"> {
  return rest;
}
