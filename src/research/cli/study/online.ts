import { basename, join } from "node:path";

import { Command, InvalidArgumentError, Option } from "commander";

import { priorities } from "../../fractional/index.ts";
import { formatCount, formatDuration, formatNumber } from "../../../report/index.ts";
import { priorityCaption, priorityTable, renderStudyPage } from "../../report/index.ts";
import {
  judgeClaims,
  onlineAlgorithms,
  onlineClaims,
  onlineStudyDefaults,
  otherPriorities,
  studyName,
  studyOnline,
  summarise,
  weeksOf,
  type OnlineProgress,
  type OnlineRow,
  type OnlineSummary,
} from "../../study/index.ts";
import { printedPolicyName } from "../../../simulation/index.ts";
import { InputError, makeFolder, type Workload } from "../../../workload/index.ts";
import { commandLine } from "../../../cli/command-line.ts";
import {
  addWorkloadOptions,
  leaveOutDownOption,
  loadMachines,
  loadWorkload,
  type WorkloadFlags,
} from "../../../cli/input.ts";
import { durations, names, positive, positiveInteger, positives } from "../../../cli/options.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { say, StatusLine } from "../../../cli/terminal.ts";
import { version } from "../../../cli/package.ts";
import { claimsTable, columns, putOut } from "./output.ts";

/** The cluster of the slides. */
const MACHINES = "128x4c";
/** The priority of all runs but those that vary it. */
const usualPriority = priorities[0]!.word;
/** Weeks with fewer jobs are left out. */
const MIN_JOBS = 50;

interface OnlineFlags extends WorkloadFlags {
  readonly traces?: number;
  readonly jobs?: number;
  readonly load?: readonly number[];
  readonly policy?: readonly string[];
  readonly penalty?: readonly number[];
  readonly period?: readonly number[];
  readonly priority?: readonly string[];
  readonly nodeMemory?: number;
  readonly machines?: string;
  readonly leaveOutDown?: true;
  readonly workload?: string;
  readonly slices?: "week";
  readonly most?: number;
  readonly results?: string;
  readonly threads?: number;
  readonly json?: true;
  readonly out?: string;
  readonly quiet?: true;
}

export function onlineCommand(): Command {
  const { traces, jobs, loads, penaltiesSeconds, periodsSeconds } = onlineStudyDefaults;
  const command = new Command("online")
    .description("nodes shared in parts against batch scheduling: stretch and bandwidth (Stillwell 2014)")
    .option("--traces <number>", `synthetic traces of Lublin's model (${traces})`, positiveInteger)
    .option("--jobs <number>", `jobs of each (${formatCount(jobs)})`, positiveInteger)
    .option("--load <loads>", `offered loads (${loads.join(", ")})`, positives)
    .option("--policy <names>", `${onlineAlgorithms.join(", ")} unless given`, names)
    .option(
      "--penalty <times>",
      `of a pause and resume, or a move (${penaltiesSeconds.join(", ")})`,
      durations,
    )
    .option(
      "--period <times>",
      `periods to try besides 600 s (${periodsSeconds.join(", ")}; 600: none)`,
      durations,
    )
    .option(
      "--priority <names>",
      `priorities to try besides ${usualPriority} (${otherPriorities.join(", ")}; ${usualPriority}: none)`,
      priorityWords,
    )
    .option("--node-memory <GiB>", "a node's memory, for the bandwidth (the machines', else 8)", positive)
    .option("--machines <spec>", `equal nodes (${MACHINES})`)
    .addOption(leaveOutDownOption())
    .option("--workload <file>", "a log to take instead of synthetic traces; give its machines")
    .addOption(new Option("--slices <span>", "what a log is cut into (week)").choices(["week"]))
    .option("--most <number>", "slices to take at most, spread over the log", positiveInteger)
    .option("--results <file>", "keep runs there as they are made; an interrupted study continues from it")
    .option("--threads <number>", "runs at the same time (as many as there are cores)", positiveInteger)
    .option("--json", "print one JSON object instead of the tables")
    .option(
      "--out <folder>",
      "write report.html and results.json there, and runs.jsonl unless --results is given",
    )
    .option("--quiet", "no progress");
  return addWorkloadOptions(command).action(run);
}

async function run(flags: OnlineFlags): Promise<void> {
  const algorithms = flags.policy && [...new Set(flags.policy.map(printedPolicyName).map(studyName))];
  if (flags.out !== undefined) tryFolder(flags.out);
  const machines = await loadMachines({ ...flags, machines: flags.machines ?? MACHINES });
  const slices = await slicesOf(flags);
  const { traces, jobs, load, penalty, period, priority, nodeMemory, threads } = flags;
  const results = flags.results ?? (flags.out === undefined ? undefined : join(flags.out, "runs.jsonl"));
  // Made now, since the runs are kept there as they come.
  if (flags.out !== undefined) makeFolder(flags.out);
  const progress = new StudyProgress(flags.quiet === true);
  let rows;
  try {
    rows = await studyOnline(machines, slices, {
      ...(traces === undefined ? {} : { traces }),
      ...(jobs === undefined ? {} : { jobs }),
      ...(load === undefined ? {} : { loads: load }),
      ...(algorithms === undefined ? {} : { algorithms }),
      ...(penalty === undefined ? {} : { penaltiesSeconds: penalty }),
      ...(period === undefined ? {} : { periodsSeconds: period.filter((seconds) => seconds !== 600) }),
      ...(priority === undefined ? {} : { priorities: priority.filter((word) => word !== usualPriority) }),
      ...(nodeMemory === undefined ? {} : { nodeMemoryGiB: nodeMemory }),
      ...(threads === undefined ? {} : { threads }),
      ...(results === undefined ? {} : { resultsFile: results }),
      onProgress: (now) => progress.show(now),
    });
  } finally {
    progress.clear();
  }
  const summaryOf = (some: readonly OnlineRow[]): OnlineSummary =>
    summarise(some, slices !== null, algorithms ?? onlineAlgorithms);
  const summary = summaryOf(rows);
  const names = [...new Set(rows.map(({ trace }) => trace))];
  const claims = judgeClaims(onlineClaims, summary, null, {
    what: slices === null ? "traces" : "slices",
    alone: names.map((name) => summaryOf(rows.filter(({ trace }) => trace === name))),
    without:
      names.length === 1 ? [] : names.map((name) => summaryOf(rows.filter(({ trace }) => trace !== name))),
  });
  const isSynthetic = slices === null || slices.some(({ synthetic }) => synthetic);
  const name = slices === null ? "Lublin's model" : `${basename(flags.workload!)} in weeks`;
  const title = `Online fractional scheduling, ${summary.traces} ${slices === null ? "synthetic traces of" : "slices:"} ${name} on ${machines.name}`;
  const json = { machines: machines.name, synthetic: isSynthetic, summary, claims };
  await putOut(flags, {
    text: [
      title,
      "",
      ...tables(summary),
      "",
      claimsTable(claims, "Claims of Stillwell 2014, in these runs:"),
    ].join("\n"),
    json,
    page: () =>
      renderStudyPage({
        title,
        workload: {
          name,
          synthetic: isSynthetic,
          jobs: slices?.reduce((sum, { count }) => sum + count, 0) ?? summary.jobs,
        },
        online: summary,
        claims,
        command: commandLine(),
        version,
      }),
    results: { ...json, rows },
  });
}

async function slicesOf(flags: OnlineFlags): Promise<Workload[] | null> {
  const { workload: path, slices, most, load, traces, jobs } = flags;
  if (path === undefined) {
    if (slices !== undefined || most !== undefined)
      throw new InputError("--slices and --most cut a log: give --workload");
    return null;
  }
  if (flags.machines === undefined) throw new InputError("give the machines of the log: --machines 120x2c2g");
  if (load !== undefined || traces !== undefined || jobs !== undefined)
    throw new InputError(
      "--load, --traces and --jobs are for synthetic traces: a log's slices are taken as they are",
    );
  const weeks = weeksOf(await loadWorkload(path, flags), MIN_JOBS);
  if (weeks.length === 0) throw new InputError(`no week has ${MIN_JOBS} jobs`, { file: path });
  const step = Math.max(1, weeks.length / (most ?? weeks.length));
  return Array.from({ length: Math.floor(weeks.length / step) }, (_, i) => weeks[Math.floor(i * step)]!);
}

/** Shows how far the study is, and how long it will take. */
class StudyProgress {
  private readonly line: StatusLine;
  private readonly startedAt = performance.now();

  constructor(quiet: boolean) {
    this.line = new StatusLine(quiet);
  }

  show({ runsDone, runs, runsKept }: OnlineProgress): void {
    const rate = (runsDone - runsKept) / ((performance.now() - this.startedAt) / 1000);
    const left = rate > 0 ? `, ${formatDuration((runs - runsDone) / rate)} left` : "";
    const kept = runsKept === 0 ? "" : `, ${formatCount(runsKept)} of them earlier`;
    this.line.show(`${formatCount(runsDone)} of ${formatCount(runs)} runs${kept}${left}`);
    if (runsDone === runs && runsKept > 0) say(`${formatCount(runsKept)} runs were there already`);
  }

  clear(): void {
    this.line.clear();
  }
}

function priorityWords(text: string, earlier: readonly string[] = []): string[] {
  return names(text, earlier).map((given) => {
    const known = priorities.find(({ word }) => word.toLowerCase() === given.toLowerCase());
    if (known !== undefined) return known.word;
    throw new InvalidArgumentError(
      `There is no priority ${given}: ${priorities.map(({ word, name }) => `${word} (${name})`).join(", ")}.`,
    );
  });
}

function tables(summary: OnlineSummary): string[] {
  const { degradation, loads, bandwidth, bandwidthLoad, byPeriod, byPriority } = summary;
  const against = degradation.flatMap(({ penaltySeconds, lines }) => [
    `Maximum stretch ÷ bound, penalty ${penaltySeconds} s`,
    columns([
      ["load", ...loads.map((load) => load.toFixed(1))],
      ...lines.map(({ policy, points }) => [
        policy,
        ...loads.map((load) => {
          const value = points.find(([x]) => x === load)?.[1];
          return value === undefined ? "" : formatNumber(value);
        }),
      ]),
    ]),
    "",
  ]);
  const beside = (own: number, published: number | undefined): string =>
    `${own.toFixed(2)} (${published?.toFixed(2) ?? "–"})`;
  const moved = [
    `GB/s at loads of ${bandwidthLoad} and more; in brackets what was published, which seems to count a pause once, not out and back`,
    columns([
      ["", "pauses, mean", "most", "moves, mean", "most"],
      ...bandwidth.map(({ published, ...row }) => [
        row.policy,
        beside(row.pauseMean, published?.pauseMean),
        beside(row.pauseMax, published?.pauseMax),
        beside(row.migrationMean, published?.migrationMean),
        beside(row.migrationMax, published?.migrationMax),
      ]),
    ]),
  ];
  if (byPriority !== null) moved.push("", priorityCaption(byPriority), columns(priorityTable(byPriority)));
  if (byPeriod === null) return [...against, ...moved];
  const periods = byPeriod.degradation[0]!.points.map(([x]) => x);
  return [
    ...against,
    ...moved,
    "",
    `Against the period, ${byPeriod.load === null ? "all slices" : `at load ${byPeriod.load}`}, penalty ${byPeriod.penaltySeconds} s`,
    columns([
      ["period in s", ...periods.map(String)],
      ...byPeriod.bandwidth.map(({ policy, points }) => [
        `${policy}, GB/s`,
        ...points.map(([, y]) => y.toFixed(3)),
      ]),
      ...byPeriod.degradation.map(({ policy, points }) => [
        `${policy}, degradation`,
        ...points.map(([, y]) => formatNumber(y)),
      ]),
    ]),
  ];
}
