import { Command } from "commander";

import { formatCount, formatNumber, formatShare, renderStudyPage } from "../../report/index.ts";
import {
  applicable,
  bucketClaims,
  bucketHeuristics,
  bucketMachines,
  judgeClaims,
  studyBuckets,
  type BucketsResult,
  type HeuristicWins,
} from "../../study/index.ts";
import { commandLine } from "../command-line.ts";
import { machineFacts, workloadFacts } from "../facts.ts";
import { leaveOutDownOption, loadGivenMachines } from "../input.ts";
import { names, positiveInteger } from "../options.ts";
import { tryFolder } from "../simulate/out-folder.ts";
import { say } from "../terminal.ts";
import { version } from "../version.ts";
import { loadStudied, studyOptions, type StudyFlags } from "./study-input.ts";
import { claimsTable, columns, heading, putOut } from "./study-output.ts";

interface BucketsFlags extends StudyFlags {
  readonly machines: string;
  readonly leaveOutDown?: true;
  readonly heuristic?: readonly string[];
  readonly bucketSize: number;
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
    .option("--bucket-size <jobs>", "consecutive jobs in a bucket", positiveInteger, 1000);
  return studyOptions(command).action(run);
}

async function run(name: string, flags: BucketsFlags): Promise<void> {
  if (flags.out !== undefined) tryFolder(flags.out);
  const given = await loadGivenMachines(flags);
  const { workload, pool } = await loadStudied(name, flags);
  const machines = given!(workload);
  const wanted = flags.heuristic ?? bucketHeuristics;
  const heuristics = flags.heuristic ?? applicable(bucketHeuristics, workload, machines);
  const leftOut = wanted.filter((each) => !heuristics.includes(each));
  if (leftOut.length > 0) say(`left out, as there is no memory to decide by: ${leftOut.join(", ")}`);

  const result = studyBuckets(workload, machines, { heuristics, jobsPerBucket: flags.bucketSize });
  const claims = judgeClaims(bucketClaims, result, pool);
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
