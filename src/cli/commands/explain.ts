import { Command } from "commander";

import { formatCount } from "../../report/index.ts";
import {
  explainRows,
  longestWaits,
  parseJobName,
  resolvePolicy,
  rowsOfJob,
  type JobName,
  type SimulationSettings,
} from "../../simulation/index.ts";
import { InputError, type Workload } from "../../workload/index.ts";
import { explanationText } from "../explain/text.ts";
import { explainAll, explainLive } from "../live/explain.ts";
import { addFarmOptions } from "../live/farm.ts";
import { positiveInteger } from "../options.ts";
import { exitStatuses, runOptions, type SimulateFlags } from "../simulate/flags.ts";
import { machinesOf, type Place } from "../simulate/place.ts";
import { print, say } from "../terminal.ts";
import { prepare } from "./simulate.ts";

interface ExplainFlags extends SimulateFlags {
  readonly all?: true;
  readonly longest?: number;
  readonly server?: string;
  readonly socket?: string;
}

/** The largest number of jobs with the same number that are explained. */
const MAX_JOBS = 20;

export function explainCommand(): Command {
  const command = new Command("explain")
    .description(
      "tell why a job waited, was suspended or moved: of a log, by making the run again up to its end; or on a farm that runs",
    )
    .usage(
      "<job> <workload> [options]\n       croft explain --longest <jobs> <workload> [options]\n       croft explain <job>\n       croft explain --all",
    )
    .argument("[job]", "the log's number of the job; of an array, 4711_3 is one and 4711 all")
    .argument("[workload]", "the log, as `croft simulate` takes it; without one a farm that runs is asked")
    .option("--longest <jobs>", "instead of a job: those that waited longest in the run", positiveInteger)
    .option("--all", "of a farm that runs: for what its jobs wait, and for what or whom most of them")
    .option("--json", "print JSON instead of the text: an object, or a list for several jobs");
  addFarmOptions(command);
  command.optionsGroup("The run:");
  return runOptions(command, true).optionsGroup("Settings:").addHelpText("after", afterHelp).action(explain);
}

const afterHelp = `
Examples:
  croft explain 4711 jobs.csv --machines 64x8c64g --policy easy
  croft explain 4711 --config report/settings.yaml --policy easy
  croft explain --longest 3 jobs.csv --machines 64x8c64g
  croft explain 12
  croft explain --all

At length: docs/explain.md
${exitStatuses}`;

async function explain(
  job: string | undefined,
  path: string | undefined,
  flags: ExplainFlags,
): Promise<void> {
  const { longest, server, socket } = flags;
  const isOfLog =
    longest !== undefined || path !== undefined || flags.machines !== undefined || flags.farm !== undefined;
  if (isOfLog && (server !== undefined || socket !== undefined))
    throw new InputError(
      "--server and --socket are for a farm that runs: leave out the log and its machines",
    );
  if (flags.all === true) {
    if (isOfLog || job !== undefined)
      throw new InputError("--all is for a farm that runs: leave out the job, and the log with its machines");
    sayIdle(flags);
    await explainAll(flags);
    return;
  }
  if (longest !== undefined) {
    if (path !== undefined) throw new InputError("--longest says which jobs: leave out the job's number");
    await explainJobs(job, flags, (...run) => longestWaits(longest, ...run));
    return;
  }
  if (job === undefined)
    throw new InputError("give the number of a job, and the log; --longest 5 and the log; or --all");
  if (isOfLog) {
    const name = parseJobName(job);
    await explainJobs(path, flags, (workload) => named(name, workload));
    return;
  }
  sayIdle(flags);
  await explainLive(liveNumber(job), flags);
}

/** A log's job may be a part of another one. */
function liveNumber(job: string): number {
  if (!/^[1-9]\d{0,14}$/.test(job))
    throw new InputError(
      `a farm that runs numbers its jobs 1, 2, 3, each of an array too: ${JSON.stringify(job)} is none of them`,
    );
  return Number(job);
}

function sayIdle(flags: ExplainFlags): void {
  const idle = runFlags(flags);
  if (idle.length > 0)
    say(`no effect, as a farm that runs is asked and no log is run again: ${idle.join(", ")}`);
}

/** The options given that say how a log is run again. */
function runFlags(flags: ExplainFlags): string[] {
  return Object.keys(flags)
    .filter((name) => !["all", "json", "server", "socket", "config"].includes(name))
    .map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
}

async function explainJobs(
  path: string | undefined,
  flags: ExplainFlags,
  choose: (workload: Workload, place: Place, settings: SimulationSettings) => readonly number[],
): Promise<void> {
  if (path === undefined)
    throw new InputError("give the job's number and the log, or --longest 5 and the log");
  // With a plugin, policies can only be checked once it is loaded.
  if (flags.plugin === undefined) for (const name of flags.policy ?? []) resolvePolicy(name, flags.maxJobs);
  const isChosen = flags.policy !== undefined || flags.farm !== undefined || flags.packing !== undefined;
  const one: SimulateFlags = isChosen ? flags : { ...flags, policy: ["first-fit"] };
  const { place, workload, planned, remarks } = await prepare(path, one);
  if (planned.length > 1)
    throw new InputError(
      `explain tells of one run, and these options make ${planned.length}: give one policy, load, strategy and way of packing`,
    );
  const { settings } = planned[0]!;
  for (const remark of remarks) say(remark);
  const rows = choose(workload, place, settings);
  const explanations = explainRows(rows, workload, place, settings, machinesOf(place).ids);
  const [first] = explanations;
  const unixStart = workload.farm?.unixStartSeconds;
  const text = explanations.map((each) => explanationText(each, unixStart)).join("\n\n\n");
  if (flags.json !== true) await print(text);
  else
    await print(
      JSON.stringify(flags.longest === undefined && explanations.length === 1 ? first : explanations),
    );
}

/** The rows of the job asked for, at most `MAX_JOBS`. */
function named(name: JobName, workload: Workload): readonly number[] {
  const rows = rowsOfJob(name, workload);
  if (rows.length > 1)
    say(
      `${workload.name}: jobs of the number ${name.number}: ${formatCount(rows.length)}` +
        (rows.length > MAX_JOBS ? `; the first ${MAX_JOBS} are explained` : ""),
    );
  return rows.slice(0, MAX_JOBS);
}
