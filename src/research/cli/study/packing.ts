import { Command } from "commander";

import { formatCount, packingName, renderPackingTable } from "../../../report/index.ts";
import { renderStudyPage } from "../../report/index.ts";
import { familyName, parseFamily, type Family } from "../../../simulation/index.ts";
import {
  judgeClaims,
  packingClaims,
  studiedTtls,
  studyPacking,
  type PackingStudyResult,
} from "../../study/index.ts";
import { InputError } from "../../../workload/index.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { machineFacts, workloadFacts } from "../../../cli/facts.ts";
import { leaveOutDownOption, loadGivenMachines } from "../../../cli/input.ts";
import { figures } from "../../../cli/figures.ts";
import { duration, durations, positiveInteger } from "../../../cli/options.ts";
import { writeFarmFiles } from "../../../cli/simulate/farm-files.ts";
import { families as familiesGiven, familyHelp, queueHelp } from "../../../cli/simulate/packing.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { ProgressLine } from "../../../cli/simulate/progress.ts";
import { say } from "../../../cli/terminal.ts";
import { version } from "../../../cli/package.ts";
import { loadStudied, studyOptions, type StudyFlags } from "./input.ts";
import { claimsTable, columns, heading, putOut } from "./output.ts";

interface PackingStudyFlags extends StudyFlags {
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
    .option("--threads <number>", "runs at the same time (as many as there are cores)", positiveInteger)
    .option("--quiet", "no progress");
  return studyOptions(command, usualWorkload).action(run);
}

async function run(name: string, flags: PackingStudyFlags): Promise<void> {
  if (flags.out !== undefined) tryFolder(flags.out);
  const given = await loadGivenMachines(flags);
  const isUsual = name === usualWorkload && flags.jobs === undefined;
  const { workload, generator } = await loadStudied(name, isUsual ? { ...flags, jobs: usualJobs } : flags);
  const machines = given?.(workload) ?? generator?.machines();
  if (machines === undefined) throw new InputError("give the nodes of the farm: --machines 800x8c");
  const families = flags.family ?? [parseFamily(usualFamily)];
  if (flags.ttl?.length === 0) throw new InputError("give at least one time to live");

  const progress = new ProgressLine(flags.quiet === true);
  const result = await studyPacking(workload, machines, {
    families,
    ttlSeconds: flags.ttl ?? studiedTtls,
    ...(flags.warmup === undefined ? {} : { warmupSeconds: flags.warmup }),
    ...(flags.queue === undefined ? {} : { queuedJobs: flags.queue }),
    pictures: flags.out !== undefined,
    ...(flags.threads === undefined ? {} : { threads: flags.threads }),
    onProgress: (now) => progress.show(now),
  }).finally(() => progress.clear());

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
    command: commandLine(),
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
      runs: result.runs.map(({ run, throughput }) => ({ ...figures(run), throughput })),
      claims,
    },
    page: () => renderStudyPage(page),
    results: { ...facts, ...result, claims },
  });
  if (flags.out === undefined) return;
  const farm = await writeFarmFiles(flags.out, runs, undefined, title, workload.synthetic);
  if (farm !== null) say(`the farm over time: ${farm}`);
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
