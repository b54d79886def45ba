import { Command, Option } from "commander";

import { presets, type Estimates } from "../../simulation/index.ts";
import {
  addWorkloadOptions,
  leaveOutDownOption,
  machineMemoryUnitHelp,
  machinesHelp,
  type MachinesFlags,
  type WorkloadFlags,
} from "../input.ts";
import {
  duration,
  estimates,
  fairShareOfOption,
  fairShareOption,
  halfLifeOption,
  onePlugin,
  names,
  nodeSpeeds,
  positive,
  positiveInteger,
  positives,
  reservations,
  wholeNumber,
} from "../options.ts";
import { packingOptions, packingOutputOptions, type PackingFlags } from "./packing.ts";
import type { FairShareFlags } from "./shares.ts";

/** What the user gave `croft simulate`; absent: not given. */
export interface SimulateFlags
  extends WorkloadFlags, PackingFlags, FairShareFlags, Omit<MachinesFlags, "machines"> {
  readonly machines?: string;
  readonly from?: string;
  readonly to?: string;
  readonly resample?: number;
  readonly farm?: string;
  readonly strategy?: readonly string[];
  readonly failures?: string;
  readonly plugin?: string;
  readonly routing?: string;
  readonly seed?: number;
  readonly poolDetail?: true;
  readonly policy?: readonly string[];
  readonly baseline?: string;
  readonly beta?: readonly number[];
  readonly load?: readonly number[];
  readonly interval?: number;
  readonly estimates?: Estimates;
  readonly preset?: string;
  readonly maxJobs?: readonly string[];
  readonly shares?: string;
  readonly reservations?: number;
  readonly examine?: number;
  readonly warmup?: number;
  readonly cooldown?: number;
  readonly penalty?: number;
  readonly period?: number;
  readonly mvt?: number;
  readonly mft?: number;
  readonly nodeSpeeds?: readonly number[];
  readonly nodeMemory?: number;
  readonly scaleCores?: number;
  readonly scaleMemory?: number;
  readonly schedule?: string;
  readonly json?: true;
  readonly out?: string;
  readonly figures?: string;
  readonly threads?: number;
  readonly quiet?: true;
}

/** Begins a group of options in `croft simulate --help`. */
function group(command: Command, heading: string): Command {
  return command.optionsGroup(`${heading}:`);
}

/** What is run: several values of these make several runs. */
const several = {
  policy: "a policy, several, or all; see `croft policies`",
  load: "offered load to reach, as a fraction of the farm: 0.8,0.95",
  strategy: "on a farm: what is done for suspended and stuck jobs; several, or all",
};
/** The same for a command that explains one run. */
const single: typeof several = {
  policy: "the run's policy; see `croft policies`",
  load: "the offered load of the run, as a fraction of the farm: 0.8",
  strategy: "on a farm: what is done for suspended and stuck jobs",
};

/** The options for what to run, on what, and how; also for commands that explain a run. */
export function runOptions(command: Command, isOneRun = false): Command {
  const says = isOneRun ? single : several;
  command
    .option("--machines <spec>", machinesHelp)
    .option("--farm <file>", "a farm of several pools, YAML or JSON, instead of --machines")
    .option("--policy <names>", says.policy, names)
    .option("--load <loads>", says.load, positives)
    .option("--strategy <names>", says.strategy, names)
    .option("--failures <what>", "machines fail: a CSV of machine,down,up; or mtbf=30d,mttr=4h[,shape=1]");

  group(command, "Input");
  addWorkloadOptions(command)
    .option("--from <time>", "leave out jobs submitted before: seconds on the log's clock, or a date")
    .option("--to <time>", "leave out jobs submitted after: seconds on the log's clock, or a date")
    .addOption(
      new Option("--beta <factors>", "arrival times, since the log's start, are multiplied by this (1)")
        .argParser(positives)
        .conflicts("load"),
    )
    .option("--machine-memory-unit <unit>", machineMemoryUnitHelp)
    .addOption(leaveOutDownOption())
    .option("--scale-cores <factor>", "multiply the cores of every machine, rounded down", positive)
    .option("--scale-memory <factor>", "multiply the memory of every machine, rounded down", positive)
    .addOption(
      new Option(
        "--preset <name>",
        `settings that other options then override: ${presets.map(({ name, summary }) => `${name}, ${summary}`).join("; ")}`,
      ).choices(presets.map(({ name }) => name)),
    );

  group(command, "Policy");
  command
    .option("--interval <time>", "between scheduling cycles (30s; 0: after every event)", duration)
    .option(
      "--estimates <source>",
      "what backfilling expects of run times: log, exact, predicted, or a factor",
      estimates,
    )
    .option("--max-jobs <heuristics>", "the list that max-jobs and its like try", names)
    .addOption(fairShareOption())
    .addOption(halfLifeOption())
    .addOption(fairShareOfOption())
    .option("--shares <file>", "CSV of project,share for --fair-share; a project not named has 1")
    .option(
      "--reservations <jobs>",
      "all, none, or how many of a cycle's first jobs may reserve",
      reservations,
    )
    .option("--examine <jobs>", "waiting jobs that a cycle looks at, at most", positiveInteger)
    .option(
      "--plugin <file>",
      "a TypeScript or JavaScript module with heuristics, policies, … of your own",
      onePlugin,
    );

  group(command, "Farm");
  command
    .option("--routing <name>", "how every virtual pool chooses a pool, instead of its own way")
    .option("--seed <number>", "of what strategies and failures draw at random (1)", wholeNumber);

  group(command, "Packing");
  return packingOptions(command);
}

export function simulateOptions(command: Command): Command {
  group(command, "Common options");
  command
    .option("--baseline <policy>", "the policy that you run today: the others are compared with it")
    .option(
      "--resample <number>",
      "logs drawn from this one and simulated, to say how sure the verdict is; 0: none (20 for short runs)",
      wholeNumber,
    )
    .option("--out <folder>", "write report.html, results.json and settings.yaml there")
    .option(
      "--figures <folder>",
      "write each figure there as SVG, PDF and CSV, and the results as CSV and LaTeX",
    )
    .option("--schedule <file>", "write what became of each job: .csv, .csv.gz, .csv.zst or .parquet")
    .option("--json", "print one JSON object instead of the table");
  runOptions(command);
  packingOutputOptions(command);

  group(command, "Nodes shared in parts");
  command
    .option("--penalty <time>", "no progress after a pause and resume, or a move (0)", duration)
    .option("--period <time>", "between the periods of /per and /stretch-per (600s)", duration)
    .option("--mvt <time>", "the virtual time under which /MVT leaves a job where it is (600s)", duration)
    .option("--mft <time>", "the time since submission under which /MFT does so (600s)", duration)
    .option(
      "--node-speeds <list>",
      "speeds of the nodes, in order, as parts of the fastest kind's: 64x1,64x0.5 (all alike)",
      nodeSpeeds,
    )
    .option(
      "--node-memory <GiB>",
      "a node's memory, for the bandwidth of pauses and moves (the machines', else 8)",
      positive,
    );

  group(command, "Output");
  command
    .option("--quiet", "no progress")
    .option("--pool-detail", "each pool's use and the farm over time, with --json or --out")
    .option(
      "--warmup <time>",
      "leave jobs submitted in the first 1d, 12h, 30m, … out of the figures",
      duration,
    )
    .option("--cooldown <time>", "leave jobs submitted in the last … out of the figures", duration)
    .option("--threads <number>", "runs at the same time (as many as there are cores)", positiveInteger);
  return command.addHelpText("after", afterHelp);
}

export const exitStatuses = `Exit status: 0 done; 1 failed (disk full, an error of Croft's); 2 bad usage or bad input, with what to do
about it; 130, 143 or 129 ended by Ctrl-C, SIGTERM or SIGHUP.`;

const afterHelp = `
Example:
  croft simulate jobs.csv --machines 64x8c64g --policy first-fit,mix-fit,easy --load 0.8,0.95 --out report

What goes with what: docs/combinations.md. At length: docs/simulate.md, docs/farm.md, docs/packing.md
${exitStatuses}`;
