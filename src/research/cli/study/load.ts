import { Command, Option } from "commander";

import { formatCount, renderTable } from "../../../report/index.ts";
import { renderLoadPage } from "../../report/index.ts";
import { presets, resolvePolicy } from "../../../simulation/index.ts";
import {
  defaultPaces,
  judgeClaims,
  loadClaims,
  loadPolicies,
  loadRuns,
  loadStudyOf,
  makeLoadRuns,
  type ListedStudy,
  type LoadRun,
  type Pace,
  type StudyRuns,
  type ThesisPool,
} from "../../study/index.ts";
import { InputError, type Machines, type Workload } from "../../../workload/index.ts";
import { machineFacts, workloadFacts } from "../../../cli/facts.ts";
import { leaveOutDownOption, loadGivenMachines } from "../../../cli/input.ts";
import { figures, untimed } from "../../../cli/figures.ts";
import { onFarmOptions, type OnFarmFlags } from "../../../cli/on-farm/flags.ts";
import { duration, names, positiveInteger, positives } from "../../../cli/options.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { version } from "../../../cli/package.ts";
import { loadStudied, studiedPolicies, studyOptions, type StudyFlags } from "./input.ts";
import { farmOfStudy, makeStudy, type StudyWork } from "./on-farm.ts";
import { claimsTable, commandOf, heading, putOut } from "./output.ts";

export interface LoadFlags extends StudyFlags, OnFarmFlags {
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
    .option(
      "--threads <number>",
      "runs at the same time (as many as there are cores; with --on, as the farm starts)",
      positiveInteger,
    )
    .option("--quiet", "no progress");
  for (const option of onFarmOptions()) command.addOption(option);
  return studyOptions(command).action(run);
}

async function run(log: string, asked: LoadFlags): Promise<void> {
  const { farm, work } = farmOfStudy({ study: "load", log, flags: asked });
  const { flags } = work;
  if (flags.out !== undefined) tryFolder(flags.out);
  const study = await listLoad(work);
  const { workload, pool, machines } = study;
  const [made] = await makeStudy(study, work, farm);
  const { runs, parts } = loadStudyOf(workload, made!);
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
    command: commandOf(flags),
    version,
  };
  await putOut(flags, {
    text: [input.title, "", renderTable(runs), claimsTable(claims)].join("\n"),
    json: { ...facts, runs: runs.map((each) => untimed(figures(each))), claims },
    page: () => renderLoadPage(input),
    results: { ...input, runs: runs.map(untimed) },
  });
}

interface ListedLoad extends ListedStudy<StudyRuns<Machines>, LoadRun> {
  readonly workload: Workload;
  readonly pool: ThesisPool | null;
  readonly machines: Machines;
}

/** Reads or makes the jobs, and lists the runs over them. */
export async function listLoad({ log, flags }: StudyWork<LoadFlags>): Promise<ListedLoad> {
  for (const policy of flags.policy ?? []) resolvePolicy(policy);
  for (const heuristic of flags.maxJobs ?? []) resolvePolicy("max-jobs", [heuristic]);
  const preset = presets.find(({ name }) => name === flags.preset);
  const given = await loadGivenMachines(flags, preset?.machines);
  const { workload, pool, generator } = await loadStudied(log!, flags, preset?.workload);
  const machines = given?.(workload) ?? generator?.machines();
  if (machines === undefined)
    throw new InputError("give the machines of the log: --machines FILE or 64x8c64g");
  const list = loadRuns(workload, machines, {
    policies: studiedPolicies(flags.policy, loadPolicies, workload, machines),
    paces: pacesGiven(flags) ?? defaultPaces(workload, machines),
    settings: {
      ...preset?.settings,
      ...(flags.maxJobs === undefined ? {} : { maxJobsList: flags.maxJobs }),
      // `--interval` asks for cycles, and so overrides a preset's event order.
      ...(flags.interval === undefined ? {} : { intervalSeconds: flags.interval, eventOrder: "instant" }),
    },
  });
  return { workload, pool, machines, lists: [list], make: makeLoadRuns };
}

function pacesGiven({ load = [], beta = [] }: LoadFlags): Pace[] | undefined {
  const paces = [...beta.map((beta) => ({ beta })), ...load.map((load) => ({ load }))];
  return paces.length === 0 ? undefined : paces;
}
