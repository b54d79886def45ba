import { Command } from "commander";

import { formatCount, formatPercent } from "../../../report/index.ts";
import { renderReschedulingPage } from "../../report/index.ts";
import { farmChecks, type FarmRunResult } from "../../../simulation/index.ts";
import {
  judgeRescheduling,
  logRuns,
  makeScenario,
  overSeeds,
  reschedulingOf,
  weekRuns,
  type Chapter,
  type ListedStudy,
  type ReschedulingRow,
  type ScenarioRuns,
} from "../../study/index.ts";
import { InputError, readFarm, type Farm, type Workload } from "../../../workload/index.ts";
import {
  addWorkloadOptions,
  loadWorkload,
  sayMachinesNotes,
  type WorkloadFlags,
} from "../../../cli/input.ts";
import { onFarmOptions, type OnFarmFlags } from "../../../cli/on-farm/flags.ts";
import { positiveInteger, wholeNumber } from "../../../cli/options.ts";
import { tryFolder } from "../../../cli/simulate/out-folder.ts";
import { checksOf } from "../../../cli/simulate/place.ts";
import { version } from "../../../cli/package.ts";
import { chapters, runChapters } from "./chapters.ts";
import { runWeekSensitivity } from "./week-sensitivity.ts";
import { farmOfStudy, makeStudy, type StudyFarm, type StudyWork } from "./on-farm.ts";
import { claimsTable, columns, commandOf, heading, putOut } from "./output.ts";

export interface ReschedulingFlags extends WorkloadFlags, OnFarmFlags {
  readonly farm?: string;
  readonly jobs?: number;
  readonly seed?: number;
  readonly seeds?: number;
  readonly sensitivity?: true;
  readonly chapters?: readonly Chapter[];
  readonly year?: boolean;
  readonly threads?: number;
  readonly json?: true;
  readonly out?: string;
  readonly quiet?: true;
}

/** For what takes hundreds of runs. */
const FEWER_JOBS = 31_000;

export function reschedulingCommand(): Command {
  const command = new Command("rescheduling")
    .description("what restarting suspended and waiting jobs elsewhere saves (Zhang 2010, section 3)")
    .argument("[workload]", "a log, with --farm; without it, synthetic weeks")
    .option("--farm <file>", "the farm of the log: several pools, and the rules between them")
    .option(
      "--jobs <number>",
      "jobs of the synthetic week (248000); fewer on a smaller farm",
      positiveInteger,
    )
    .option(
      "--seed <number>",
      "the same seed makes the same weeks, and the same draws of strategies (1)",
      wholeNumber,
    )
    .option(
      "--seeds <number>",
      "so many weeks, of seeds counting up from --seed: means, and how sure they are (1)",
      positiveInteger,
    )
    .option(
      "--sensitivity",
      `which claims hold as each parameter of the synthetic week is moved; ${formatCount(FEWER_JOBS)} jobs unless --jobs says`,
    )
    .option(
      "--chapters <names>",
      `what the paper left for later: these chapters, or "all"; ${formatCount(FEWER_JOBS)} jobs unless --jobs says`,
      chapters,
    )
    .option("--no-year", "leave out the year of Figures 2 and 4")
    .option(
      "--threads <number>",
      "runs at the same time (as many as there are cores; with --on, as the farm starts)",
      positiveInteger,
    )
    .option("--json", "print one JSON object instead of the tables")
    .option("--out <folder>", "write report.html and results.json there")
    .option("--quiet", "no progress");
  for (const option of onFarmOptions()) command.addOption(option);
  return addWorkloadOptions(command).action(run);
}

/** Options that only one of both kinds of study takes. */
const onlyWeeks = ["jobs", "seeds", "sensitivity", "year"] as const;
const onlyLogs = [
  "farm",
  "format",
  "jobShape",
  "memoryUnit",
  "memoryScope",
  "overrun",
  "timeZone",
  "strict",
  "columns",
] as const;

async function run(log: string | undefined, flags: ReschedulingFlags, command: Command): Promise<void> {
  const idle = (log === undefined ? onlyLogs : onlyWeeks).filter(
    (name) => command.getOptionValueSource(name) === "cli",
  );
  if (idle.length > 0) {
    const names = idle.map((name) =>
      name === "year" ? "--no-year" : `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    );
    throw new InputError(
      log === undefined
        ? `${names.join(", ")}: for a log, and none is given`
        : `${names.join(", ")}: for synthetic weeks, and ${log} is a log`,
    );
  }
  if (flags.chapters !== undefined) {
    if (flags.sensitivity === true) throw new InputError("give --chapters or --sensitivity, not both");
  }
  if (flags.year === false && (flags.chapters !== undefined || flags.sensitivity === true)) {
    const which = flags.chapters === undefined ? "--sensitivity" : "--chapters";
    throw new InputError(`${which} has no year: leave --no-year out`);
  }
  if (flags.on !== undefined && (flags.chapters !== undefined || flags.sensitivity === true)) {
    const which = flags.chapters === undefined ? "--sensitivity" : "--chapters";
    throw new InputError(`${which} is made on this machine: leave --on out`);
  }
  const { farm, work } = farmOfStudy({ study: "rescheduling", ...(log === undefined ? {} : { log }), flags });
  if (flags.out !== undefined) tryFolder(flags.out);
  if (log !== undefined) await runLog(work, farm);
  else if (flags.chapters !== undefined) await runChapters(flags.chapters, flags, FEWER_JOBS);
  else if (flags.sensitivity === true) await runWeekSensitivity(flags, FEWER_JOBS);
  else await runWeeks(work, farm);
}

type Work = StudyWork<ReschedulingFlags>;

/** Lists the runs on the log, or on all weeks. */
export async function listRescheduling(work: Work): Promise<ListedStudy<ScenarioRuns, FarmRunResult>> {
  if (work.log === undefined) return { lists: weeksOf(work).flat(), make: makeScenario };
  const { workload, farm } = await readLog(work);
  return { lists: logRuns(workload, farm, work.flags), make: makeScenario };
}

/** The runs of each week. */
function weeksOf({ flags: { jobs, seed = 1, seeds = 1, year } }: Work): ScenarioRuns[][] {
  return Array.from({ length: seeds }, (_, week) =>
    weekRuns({
      seed: seed + week,
      ...(jobs === undefined ? {} : { jobs }),
      ...(year === undefined ? {} : { year }),
    }),
  );
}

async function readLog({ log, flags }: Work): Promise<{ workload: Workload; farm: Farm }> {
  if (flags.farm === undefined) throw new InputError("give the farm of the log: --farm FILE");
  const farm = await readFarm(flags.farm, { ...farmChecks, machines: sayMachinesNotes });
  return { farm, workload: await loadWorkload(log!, flags, checksOf(farm)) };
}

async function runLog(work: Work, onFarm: StudyFarm | null): Promise<void> {
  const { flags } = work;
  const { seed = 1 } = flags;
  const { workload, farm } = await readLog(work);
  if (flags.chapters !== undefined) {
    await runChapters(flags.chapters, flags, FEWER_JOBS, { workload, farm });
    return;
  }
  const lists = logRuns(workload, farm, { seed });
  const result = reschedulingOf(lists, await makeStudy({ lists, make: makeScenario }, work, onFarm));
  const claims = judgeRescheduling(result);
  const { rejected, highLoadCores } = result.ofLog!;
  const highLoad = `the same jobs on half the machines of every kind, at least one: ${formatPercent(highLoadCores)} of the cores`;
  const lost = `${formatCount(rejected.normal)} under normal load, ${formatCount(rejected.highLoad)} under high load`;
  const suspended = (scenario: string): string =>
    formatCount(Math.round(result.rows.find((row) => row.scenario === scenario)!.suspendRate * result.jobs));
  const title = `Dynamic rescheduling on ${heading(workload, formatCount(result.jobs))}`;
  await putOut(flags, {
    text: [
      title,
      `High load: ${highLoad}.`,
      `Jobs suspended without rescheduling: ${suspended("normal")} under normal load, ${suspended("high-load")} under high load.`,
      ...(rejected.highLoad === 0 ? [] : [`Jobs that no pool can run, which are in no figure: ${lost}.`]),
      "",
      table(result.rows),
      "",
      claimsTable(claims, "Claims of Zhang 2010, on this log:"),
    ].join("\n"),
    json: { rows: result.rows, ofLog: result.ofLog, claims },
    page: () =>
      renderReschedulingPage({
        title,
        workload: { name: workload.name, synthetic: workload.synthetic, jobs: result.jobs },
        result,
        claims,
        settings: [
          { name: "farm", value: farm.name },
          { name: "seed of what strategies draw", value: String(seed) },
          { name: "high load", value: highLoad },
          { name: "jobs that no pool can run", value: lost },
        ],
        command: commandOf(flags),
        version,
      }),
    results: { ...result, claims },
  });
}

async function runWeeks(work: Work, onFarm: StudyFarm | null): Promise<void> {
  const { flags } = work;
  const { seed = 1, seeds = 1 } = flags;
  const lists = weeksOf(work);
  const made = await makeStudy({ lists: lists.flat(), make: makeScenario }, work, onFarm);
  const scenariosOfWeek = lists[0]!.length;
  const weeks = lists.map((ofWeek, week) =>
    reschedulingOf(ofWeek, made.slice(week * scenariosOfWeek, (week + 1) * scenariosOfWeek)),
  );
  const { mean: result, margins, claims } = overSeeds(weeks);
  const ofSeeds = seeds === 1 ? "a synthetic week" : `each of ${seeds} synthetic weeks`;
  const title = `Dynamic rescheduling on ${formatCount(result.jobs)} jobs of ${ofSeeds}`;
  await putOut(flags, {
    text: [
      title,
      "",
      table(result.rows),
      "",
      ...(margins === null
        ? []
        : ["With 95 % confidence the means over the weeks are right to within", table(margins), ""]),
      claimsTable(claims, "Claims of Zhang 2010, on these synthetic weeks:"),
    ].join("\n"),
    json: { rows: result.rows, margins, claims },
    page: () =>
      renderReschedulingPage({
        title,
        workload: { name: "netbatch-week", synthetic: true, jobs: result.jobs },
        result,
        claims,
        settings: [
          seeds === 1
            ? { name: "seed", value: String(seed) }
            : {
                name: "seeds",
                value: `${seed} to ${seed + seeds - 1}: means; what is over time is of the first`,
              },
          { name: "high load", value: "the same jobs, half the machines of every kind in every pool" },
          { name: "waiting jobs", value: "checked every minute, moved after 30 min" },
        ],
        command: commandOf(flags),
        version,
      }),
    results: { ...result, margins, claims, weeks: weeks.map(({ rows }) => rows) },
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
