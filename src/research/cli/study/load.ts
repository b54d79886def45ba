import { Command, Option } from "commander";

import { formatCount, renderTable } from "../../../report/index.ts";
import { renderLoadPage } from "../../report/index.ts";
import { presets, resolvePolicy, type Preset } from "../../../simulation/index.ts";
import {
  defaultPaces,
  judgeClaims,
  loadClaims,
  loadPolicies,
  studyLoad,
  type LoadStudy,
  type Pace,
} from "../../study/index.ts";
import { InputError, type Machines, type Workload } from "../../../workload/index.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { machineFacts, workloadFacts } from "../../../cli/facts.ts";
import { leaveOutDownOption, loadGivenMachines } from "../../../cli/input.ts";
import { figures } from "../../../cli/figures.ts";
import { duration, names, positiveInteger, positives } from "../../../cli/options.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { ProgressLine } from "../../../cli/simulate/progress.ts";
import { version } from "../../../cli/package.ts";
import { loadStudied, studiedPolicies, studyOptions, type StudyFlags } from "./input.ts";
import { claimsTable, heading, putOut } from "./output.ts";

interface LoadFlags extends StudyFlags {
  readonly machines?: string;
  readonly leaveOutDown?: true;
  readonly policy?: readonly string[];
  readonly maxJobs?: readonly string[];
  readonly load?: readonly number[];
  readonly beta?: readonly number[];
  readonly interval?: number;
  readonly preset?: string;
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
    .addOption(leaveOutDownOption())
    .option("--policy <names>", `${loadPolicies.join(", ")} unless given`, names)
    .option("--max-jobs <heuristics>", "the list that max-jobs tries; the first wins its ties", names)
    .option(
      "--load <loads>",
      "offered loads, as fractions of the farm; unless given the log's own, and 0.6 to 1.0 above it",
      positives,
    )
    .option("--beta <factors>", "factors of the arrival times; 1 is the log's own pace", positives)
    .option("--interval <time>", "between scheduling cycles (30s)", duration)
    .addOption(
      new Option(
        "--preset <name>",
        `settings that other options then override: ${presets.map(({ name, summary }) => `${name}, ${summary}`).join("; ")}`,
      ).choices(presets.map(({ name }) => name)),
    )
    .option("--threads <number>", "runs at the same time (as many as there are cores)", positiveInteger)
    .option("--quiet", "no progress");
  return studyOptions(command).action(run);
}

async function run(name: string, flags: LoadFlags): Promise<void> {
  for (const policy of flags.policy ?? []) resolvePolicy(policy);
  if (flags.out !== undefined) tryFolder(flags.out);
  const preset = presets.find(({ name }) => name === flags.preset);
  for (const heuristic of flags.maxJobs ?? []) resolvePolicy("max-jobs", [heuristic]);
  const given = await loadGivenMachines(flags, preset?.machines);
  const { workload, pool, generator } = await loadStudied(name, flags, preset?.workload);
  const machines = given?.(workload) ?? generator?.machines();
  if (machines === undefined)
    throw new InputError("give the machines of the log: --machines FILE or 64x8c64g");

  const { runs, parts } = await makeRuns(workload, machines, flags, preset);
  const claims = judgeClaims(loadClaims, runs, pool, parts);
  const facts = { workload: workloadFacts(workload, machines), machines: machineFacts(machines) };
  const input = {
    ...facts,
    title: `${heading(workload, formatCount(workload.count))} under load on ${machines.name}`,
    runs,
    claims,
    settings: [
      { name: "preset", value: flags.preset ?? "none" },
      ...(flags.maxJobs === undefined ? [] : [{ name: "Max-Jobs tries", value: flags.maxJobs.join(", ") }]),
    ],
    command: commandLine(),
    version,
  };
  await putOut(flags, {
    text: [input.title, "", renderTable(runs), claimsTable(claims)].join("\n"),
    json: { ...facts, runs: runs.map(figures), claims },
    page: () => renderLoadPage(input),
    results: input,
  });
}

async function makeRuns(
  workload: Workload,
  machines: Machines,
  flags: LoadFlags,
  preset: Preset | undefined,
): Promise<LoadStudy> {
  const policies = studiedPolicies(flags.policy, loadPolicies, workload, machines);
  const progress = new ProgressLine(flags.quiet === true);
  try {
    return await studyLoad(workload, machines, {
      policies,
      paces: pacesGiven(flags) ?? defaultPaces(workload, machines),
      settings: {
        ...preset?.settings,
        ...(flags.maxJobs === undefined ? {} : { maxJobsList: flags.maxJobs }),
        // `--interval` asks for cycles, and so overrides a preset's event order.
        ...(flags.interval === undefined ? {} : { intervalSeconds: flags.interval, eventOrder: "instant" }),
      },
      ...(flags.threads === undefined ? {} : { threads: flags.threads }),
      onProgress: (now) => progress.show(now),
    });
  } finally {
    progress.clear();
  }
}

function pacesGiven({ load = [], beta = [] }: LoadFlags): Pace[] | undefined {
  const paces = [...beta.map((beta) => ({ beta })), ...load.map((load) => ({ load }))];
  return paces.length === 0 ? undefined : paces;
}
