import { existsSync } from "node:fs";

import { Command } from "commander";

import { formatCount, formatNumber, formatShare } from "../../../report/index.ts";
import { renderStudyPage, sensitivityTables } from "../../report/index.ts";
import {
  bucketClaims,
  bucketHeuristics,
  bucketMachines,
  judgeClaims,
  poolNamed,
  studyBuckets,
  studySensitivity,
  leavingOut,
  TENTHS,
  tenthsOf,
  bucketsTogether,
  type BucketsResult,
  type HeuristicWins,
  type Sensitivity,
} from "../../study/index.ts";
import {
  generators,
  InputError,
  type Machines,
  type NetbatchModel,
  type Workload,
} from "../../../workload/index.ts";
import { commandLine } from "../../../cli/command-line.ts";
import { machineFacts, workloadFacts } from "../../../cli/facts.ts";
import { leaveOutDownOption, loadGivenMachines } from "../../../cli/input.ts";
import { names, positiveInteger } from "../../../cli/options.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { StatusLine } from "../../../cli/terminal.ts";
import { version } from "../../../cli/package.ts";
import { loadStudied, studiedPolicies, studyOptions, type StudyFlags } from "./input.ts";
import { claimsTable, columns, heading, putOut } from "./output.ts";

/** A thousand buckets: shares are then known to within three points. */
const SENSITIVITY_JOBS = 1_000_000;

interface BucketsFlags extends StudyFlags {
  readonly machines: string;
  readonly leaveOutDown?: true;
  readonly heuristic?: readonly string[];
  readonly bucketSize: number;
  readonly sensitivity?: true;
}

export function bucketsCommand(): Command {
  const command = new Command("buckets")
    .description("which heuristic places the most of 1,000 jobs into an empty pool (section 3.3)")
    .option(
      "--machines <spec>",
      "the empty pool: a file, a shorthand, a known farm's name, or inferred from the log",
      bucketMachines,
    )
    .addOption(leaveOutDownOption())
    .option("--heuristic <names>", `those that compete; ${bucketHeuristics.join(", ")} unless given`, names)
    .option("--bucket-size <jobs>", "consecutive jobs in a bucket", positiveInteger, 1000)
    .option(
      "--sensitivity",
      `which claims hold as each guess in a synthetic pool is varied; ${formatCount(SENSITIVITY_JOBS)} jobs unless --jobs says`,
    );
  return studyOptions(command).action(run);
}

async function run(name: string, flags: BucketsFlags): Promise<void> {
  if (flags.out !== undefined) tryFolder(flags.out);
  const given = await loadGivenMachines(flags);
  if (flags.sensitivity === true) return sensitivity(name, flags, given!);
  const { workload, pool } = await loadStudied(name, flags);
  const machines = given!(workload);
  const heuristics = studiedPolicies(flags.heuristic, bucketHeuristics, workload, machines);

  const result = studyBuckets(workload, machines, { heuristics, jobsPerBucket: flags.bucketSize });
  const alone = tenthsOf(workload, flags.bucketSize).map((tenth) =>
    studyBuckets(tenth, machines, { heuristics, jobsPerBucket: flags.bucketSize }),
  );
  const claims = judgeClaims(bucketClaims, result, pool, {
    what: TENTHS,
    alone,
    without: leavingOut(alone).map(bucketsTogether),
  });
  const facts = { workload: workloadFacts(workload, machines), machines: machineFacts(machines) };
  const title = `${heading(workload, formatCount(workload.count))} in buckets on ${machines.name}`;
  const json = { ...facts, buckets: result, claims };
  const page = {
    title,
    workload: facts.workload,
    bucketWins: {
      buckets: result.buckets,
      jobs: result.jobsPerBucket,
      wins: Object.fromEntries(result.heuristics.map((row) => [row.heuristic, row.winShare])),
      soleWins: Object.fromEntries(
        result.heuristics.map((row) => [row.heuristic, row.soleWins / Math.max(1, result.buckets)]),
      ),
    },
    claims,
    settings: [
      {
        name: "Buckets",
        value: `${formatCount(result.buckets)} of ${formatCount(result.jobsPerBucket)} jobs`,
      },
      { name: "Pool of each bucket", value: `${machines.name}, empty` },
      { name: "Reservations", value: "none: jobs that find no machine are skipped" },
    ],
    command: commandLine(),
    version,
  };
  await putOut(flags, {
    text: [title, "", ...describe(result), "", claimsTable(claims)].join("\n"),
    json,
    page: () => renderStudyPage(page),
    results: json,
  });
}

/** @param machinesFor the pool of each bucket */
async function sensitivity(
  name: string,
  flags: BucketsFlags,
  machinesFor: (workload: Workload) => Machines,
): Promise<void> {
  if (flags.heuristic !== undefined || flags.bucketSize !== 1000)
    throw new InputError("--sensitivity judges the thesis's claims: leave --heuristic and --bucket-size out");
  const generator = generators.find((each) => each.name === name);
  const usual = generator?.model;
  if (generator === undefined || usual === undefined || existsSync(name))
    throw new InputError(`--sensitivity varies the guesses in netbatch-a to -d, and ${name} is none of them`);
  const { jobs = SENSITIVITY_JOBS, seed = 1, model = {} } = flags;
  const generate = (changed: Partial<NetbatchModel>): Workload =>
    generator.generate({ jobs, seed, model: { ...model, ...changed } });
  const machines = machinesFor(generate({}));
  const progress = new StatusLine(false);
  let result: Sensitivity;
  try {
    result = await studySensitivity(
      generate,
      { ...usual, ...model },
      machines,
      flags.pool ?? poolNamed(name),
      (done, of) => progress.show(`${done} of ${of} variants`),
    );
  } finally {
    progress.clear();
  }
  const title = `What the guesses in ${name} (synthetic) decide, in buckets on ${machines.name}`;
  const tables = sensitivityTables(result);
  await putOut(flags, {
    text: [
      title,
      "",
      ...tables.flatMap(({ caption, head, rows }) => [caption, "", columns([head, ...rows]), ""]),
    ].join("\n"),
    json: result,
    page: () =>
      renderStudyPage({
        title,
        workload: { name, synthetic: true, jobs },
        tables,
        command: commandLine(),
        version,
      }),
    results: result,
  });
}

function describe({
  buckets,
  jobsPerBucket,
  leftOverJobs,
  ineligibleJobs,
  tiedBuckets,
  ...wins
}: BucketsResult): string[] {
  const rest = leftOverJobs === 0 ? "" : `; the last ${formatCount(leftOverJobs)} jobs fill none`;
  const never = ineligibleJobs === 0 ? [] : [`${formatCount(ineligibleJobs)} jobs fit no machine at all`];
  return [
    `${formatCount(buckets)} buckets of ${formatCount(jobsPerBucket)} jobs${rest}`,
    `${formatCount(tiedBuckets)} buckets in which all match the same number of jobs`,
    ...never,
    "",
    ...table("All heuristics", wins.heuristics),
    ...(wins.singleResource.length === 0 || wins.singleResource.length === wins.heuristics.length
      ? []
      : ["", ...table("Single-resource heuristics among themselves", wins.singleResource)]),
  ];
}

function table(title: string, rows: readonly HeuristicWins[]): string[] {
  return [
    title,
    columns([
      ["heuristic", "wins", "alone", "jobs matched"],
      ...rows.map(({ heuristic, winShare, soleWins, matchedJobsMean }) => [
        heuristic,
        formatShare(winShare),
        formatCount(soleWins),
        formatNumber(matchedJobsMean),
      ]),
    ]),
  ];
}
