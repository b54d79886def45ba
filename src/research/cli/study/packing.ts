import { Command } from "commander";

import { formatCount, packingName, renderPackingTable } from "../../../report/index.ts";
import { renderStudyPage } from "../../report/index.ts";
import { familyName, parseFamily, type Family, type RunResult } from "../../../simulation/index.ts";
import {
  judgeClaims,
  makePackingRuns,
  packingClaims,
  packingRuns,
  packingStudyOf,
  studiedTtls,
  type ListedStudy,
  type PackingChoices,
  type PackingStudyResult,
  type StudyRuns,
} from "../../study/index.ts";
import { InputError, type Machines, type Workload } from "../../../workload/index.ts";
import { machineFacts, workloadFacts } from "../../../cli/facts.ts";
import { leaveOutDownOption, loadGivenMachines } from "../../../cli/input.ts";
import { figures, untimed } from "../../../cli/figures.ts";
import { onFarmOptions, type OnFarmFlags } from "../../../cli/on-farm/flags.ts";
import { duration, durations, positiveInteger } from "../../../cli/options.ts";
import { writeFarmFiles } from "../../../cli/simulate/farm-files.ts";
import { families as familiesGiven, familyHelp, queueHelp } from "../../../cli/simulate/packing.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { say } from "../../../cli/terminal.ts";
import { version } from "../../../cli/package.ts";
import { loadStudied, studyOptions, type StudyFlags } from "./input.ts";
import { farmOfStudy, makeStudy, type StudyWork } from "./on-farm.ts";
import { claimsTable, columns, commandOf, heading, putOut } from "./output.ts";

export interface PackingStudyFlags extends StudyFlags, OnFarmFlags {
  readonly machines?: string;
  readonly leaveOutDown?: true;
  readonly family?: readonly Family[];
  readonly ttl?: readonly number[];
  readonly warmup?: number;
  readonly queue?: number;
  readonly threads?: number;
  readonly quiet?: true;
}

const usualWorkload = "accounting";
const usualFamily = "queue=ams";
/** Twelve days of the farm's clock: a fifth of the month that the generator makes unless told otherwise. */
const usualJobs = 1_000_000;

export function packingCommand(): Command {
  const command = new Command("packing")
    .description("what packing policies do to a farm that is never short of jobs (Dal Pra 2014, section 4)")
    .option("--machines <spec>", "equal nodes of slots; a synthetic workload brings its own (800x8c)")
    .addOption(leaveOutDownOption())
    .option("--family <what>", `${familyHelp} (${usualFamily})`, familiesGiven)
    .option("--ttl <times>", "times to live to try (1h,6h,1d)", durations)
    .option("--queue <jobs>", queueHelp, positiveInteger)
    .option("--warmup <time>", "left out of the figures at the beginning (1d)", duration)
    .option(
      "--threads <number>",
      "runs at the same time (as many as there are cores; with --on, as the farm starts)",
      positiveInteger,
    )
    .option("--quiet", "no progress");
  for (const option of onFarmOptions()) command.addOption(option);
  return studyOptions(command, usualWorkload).action(run);
}

async function run(log: string, asked: PackingStudyFlags): Promise<void> {
  const { farm, work } = farmOfStudy({ study: "packing", log, flags: asked });
  const { flags } = work;
  if (flags.out !== undefined) tryFolder(flags.out);
  const study = await listPacking(work);
  const { workload, machines, choices } = study;
  const { families } = choices;
  const [made] = await makeStudy(study, work, farm);
  const result = packingStudyOf(workload, machines, choices, made!);
  const claims = judgeClaims(packingClaims, result, null);
  const facts = { workload: workloadFacts(workload, machines), machines: machineFacts(machines) };
  const title = `${heading(workload, formatCount(workload.count))} packed on ${formatCount(machines.count)} nodes of ${result.machines.slots} slots`;
  const runs = result.runs.map(({ run }) => run);
  const page = {
    title,
    workload: facts.workload,
    packing: result,
    claims,
    settings: [
      { name: "Families", value: families.map(familyName).join("; ") },
      { name: "Clock", value: "the farm's own: jobs come one after the other, in the log's order" },
      { name: "Jobs that wait at a time", value: String(flags.queue ?? "as many as there are nodes") },
      { name: "Left out at the beginning", value: `${result.warmupSeconds} s` },
    ],
    command: commandOf(flags),
    version,
  };
  await putOut(flags, {
    text: [
      title,
      "",
      renderPackingTable(runs, false),
      ...describe(result),
      "",
      claimsTable(claims, "Claims of Dal Pra 2014, on this workload:"),
    ].join("\n"),
    json: {
      ...facts,
      ...result,
      runs: result.runs.map(({ run, throughput }) => ({ ...untimed(figures(run)), throughput })),
      claims,
    },
    page: () => renderStudyPage(page),
    results: {
      ...facts,
      ...result,
      runs: result.runs.map(({ run, throughput }) => ({ run: untimed(run), throughput })),
      claims,
    },
  });
  if (flags.out === undefined) return;
  const pictures = await writeFarmFiles(flags.out, runs, undefined, title, workload.synthetic);
  if (pictures !== null) say(`the farm over time: ${pictures}`);
}

interface ListedPacking extends ListedStudy<StudyRuns<Machines>, RunResult> {
  readonly workload: Workload;
  readonly machines: Machines;
  readonly choices: PackingChoices;
}

/** Reads or makes the jobs, and lists the runs over them. */
export async function listPacking({ log, flags }: StudyWork<PackingStudyFlags>): Promise<ListedPacking> {
  const given = await loadGivenMachines(flags);
  const isUsual = log === usualWorkload && flags.jobs === undefined;
  const { workload, generator } = await loadStudied(log!, isUsual ? { ...flags, jobs: usualJobs } : flags);
  const machines = given?.(workload) ?? generator?.machines();
  if (machines === undefined) throw new InputError("give the nodes of the farm: --machines 800x8c");
  if (flags.ttl?.length === 0) throw new InputError("give at least one time to live");
  const choices = {
    families: flags.family ?? [parseFamily(usualFamily)],
    ttlSeconds: flags.ttl ?? studiedTtls,
    ...(flags.warmup === undefined ? {} : { warmupSeconds: flags.warmup }),
    ...(flags.queue === undefined ? {} : { queuedJobs: flags.queue }),
    pictures: flags.out !== undefined,
  };
  const list = packingRuns(workload, machines, choices);
  return { workload, machines, choices, lists: [list], make: makePackingRuns };
}

function describe({ runs, locks }: PackingStudyResult): string[] {
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
  const hours = (seconds: number): string => `${(seconds / 3600).toFixed(1)} h`;
  return [
    "Throughput lost against relaxed, and its 95 % confidence interval",
    columns(
      runs.map(({ run, throughput: { loss, interval } }) => [
        packingName(run),
        percent(loss),
        interval === null ? "-" : `${percent(interval.low)} to ${percent(interval.high)}`,
      ]),
    ),
    "",
    "The constructed lock: slots are free and jobs wait, and none starts",
    columns(
      locks.map(({ policy, ttlSeconds, lockedSeconds, idleShare }) => [
        ttlSeconds === undefined ? policy : `${policy}, ${hours(ttlSeconds)} to live`,
        hours(lockedSeconds),
        `${percent(idleShare)} of the slots free`,
      ]),
    ),
  ];
}
