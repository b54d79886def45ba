import { Command } from "commander";

import { formatCount, renderReschedulingPage } from "../../report/index.ts";
import {
  judgeRescheduling,
  studyRescheduling,
  type ReschedulingResult,
  type ReschedulingRow,
} from "../../study/index.ts";
import { commandLine } from "../command-line.ts";
import { positiveInteger, wholeNumber } from "../options.ts";
import { tryFolder } from "../simulate/out-folder.ts";
import { ProgressLine } from "../simulate/progress.ts";
import { version } from "../version.ts";
import { claimsTable, columns, putOut } from "./study-output.ts";

interface ReschedulingFlags {
  readonly jobs?: number;
  readonly seed?: number;
  readonly year?: boolean;
  readonly threads?: number;
  readonly json?: true;
  readonly out?: string;
  readonly quiet?: true;
}

export function reschedulingCommand(): Command {
  return new Command("rescheduling")
    .description("what restarting suspended and waiting jobs elsewhere saves (Zhang 2010, section 3)")
    .option(
      "--jobs <number>",
      "jobs of the synthetic week (248000); fewer on a smaller farm",
      positiveInteger,
    )
    .option("--seed <number>", "the same seed makes the same weeks (1)", wholeNumber)
    .option("--no-year", "leave out the year of Figures 2 and 4")
    .option("--threads <number>", "runs at the same time (as many as there are cores)", positiveInteger)
    .option("--json", "print one JSON object instead of the tables")
    .option("--out <folder>", "write report.html and results.json there")
    .option("--quiet", "no progress")
    .action(run);
}

async function run(flags: ReschedulingFlags): Promise<void> {
  const { jobs, seed, year, threads } = flags;
  if (flags.out !== undefined) tryFolder(flags.out);
  const progress = new ProgressLine(flags.quiet === true);
  let result: ReschedulingResult;
  try {
    result = await studyRescheduling({
      ...(jobs === undefined ? {} : { jobs }),
      ...(seed === undefined ? {} : { seed }),
      ...(year === undefined ? {} : { year }),
      ...(threads === undefined ? {} : { threads }),
      onProgress: (now) => progress.show(now),
    });
  } finally {
    progress.clear();
  }
  const claims = judgeRescheduling(result);
  const title = `Dynamic rescheduling on ${formatCount(result.jobs)} jobs of a synthetic week`;
  await putOut(flags, {
    text: [
      title,
      "",
      table(result.rows),
      "",
      claimsTable(claims, "Claims of Zhang 2010, on these synthetic weeks:"),
    ].join("\n"),
    json: { rows: result.rows, claims },
    page: () =>
      renderReschedulingPage({
        title,
        workload: { name: "netbatch-week", synthetic: true, jobs: result.jobs },
        result,
        claims,
        settings: [
          { name: "seed", value: String(seed ?? 1) },
          { name: "high load", value: "the same jobs, half the machines of every kind in every pool" },
          { name: "waiting jobs", value: "looked at every minute, moved after 30 min" },
        ],
        command: commandLine(),
        version,
      }),
    results: { ...result, claims },
  });
}

/** Times are mean minutes; the last three add up to the fourth from the end. */
function table(rows: readonly ReschedulingRow[]): string {
  const minutes = (value: number | null): string => (value === null ? "–" : value.toFixed(1));
  return columns([
    [
      "scenario",
      "routing",
      "strategy",
      "susp.",
      "CT susp.",
      "CT all",
      "ST",
      "wasted",
      "wait",
      "susp.",
      "restart",
    ],
    ...rows.map((row) => [
      row.scenario,
      row.routing,
      row.strategy,
      `${(row.suspendRate * 100).toFixed(2)} %`,
      minutes(row.completionMeanSuspendedMinutes),
      minutes(row.completionMeanMinutes),
      minutes(row.suspendedMeanMinutes),
      minutes(row.wastedMeanMinutes),
      minutes(row.wastedWaitMinutes),
      minutes(row.wastedSuspendMinutes),
      minutes(row.wastedRestartMinutes),
    ]),
  ]);
}
