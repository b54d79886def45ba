import { Command, Option } from "commander";

import { formatCount } from "../../report/index.ts";
import {
  explainRows,
  farmChecks,
  longestWaits,
  parseJobName,
  resolvePolicy,
  rowsOfJob,
  type GivenSettings,
  type JobName,
} from "../../simulation/index.ts";
import { farmOfMachines, InputError, readFarm, type Farm, type Workload } from "../../workload/index.ts";
import { explanationText } from "../explain/text.ts";
import {
  addMachinesOptions,
  addWorkloadOptions,
  areInferred,
  inferMachines,
  loadMachines,
  loadWorkload,
  sayMachinesNotes,
  type MachinesFlags,
  type WorkloadFlags,
} from "../input.ts";
import { duration, positive, positiveInteger, wholeNumber } from "../options.ts";
import { isFarm, machinesOf, type Place } from "../simulate/place.ts";
import { print, say } from "../terminal.ts";

interface ExplainFlags extends WorkloadFlags, Omit<MachinesFlags, "machines"> {
  readonly machines?: string;
  readonly farm?: string;
  readonly policy?: string;
  readonly interval?: number;
  readonly strategy?: string;
  readonly routing?: string;
  readonly beta?: number;
  readonly load?: number;
  readonly seed?: number;
  readonly longest?: number;
  readonly json?: true;
}

/** Jobs of one number that are told. */
const MOST_JOBS = 20;

export function explainCommand(): Command {
  const command = new Command("explain")
    .description("tell why a job waited, was suspended or moved: makes the run again up to its end")
    .usage("<job> <workload> [options]\n       croft explain --longest <jobs> <workload> [options]")
    .argument("<job>", "the log's number of the job; of an array, 4711_3 is one and 4711 all")
    .argument("[workload]", "the log, as `croft simulate` takes it")
    .option("--longest <jobs>", "instead of a job: those that waited longest in the run", positiveInteger);
  addMachinesOptions(command, false);
  command
    .addOption(
      new Option("--farm <file>", "a farm of several pools, YAML or JSON").conflicts([
        "machines",
        "machineMemoryUnit",
        "leaveOutDown",
      ]),
    )
    .option("--policy <name>", "the policy of all pools (the farm's own; first-fit with --machines)")
    .option("--interval <time>", "between scheduling cycles, in all pools (0: after every event)", duration)
    .option("--strategy <name>", "on a farm: what is done for suspended and stuck jobs")
    .option("--routing <name>", "on a farm: how every virtual pool chooses a pool")
    .addOption(
      new Option("--beta <factor>", "arrival times are multiplied by this (1)")
        .argParser(positive)
        .conflicts("load"),
    )
    .option("--load <load>", "offered load to reach, as a fraction of the farm: 0.95", positive)
    .option("--seed <number>", "of the random draws of strategies (1)", wholeNumber)
    .option("--json", "print one JSON object instead of the text");
  return addWorkloadOptions(command).action(explain);
}

async function explain(job: string, path: string | undefined, flags: ExplainFlags): Promise<void> {
  const { longest } = flags;
  if (longest === undefined) {
    const name = parseJobName(job);
    await explainJobs(path, flags, (workload) => named(name, workload));
  } else if (path !== undefined)
    throw new InputError("--longest says which jobs: leave out the job's number");
  else await explainJobs(job, flags, (...run) => longestWaits(longest, ...run));
}

async function explainJobs(
  path: string | undefined,
  flags: ExplainFlags,
  choose: (workload: Workload, farm: Farm, settings: GivenSettings) => readonly number[],
): Promise<void> {
  if (path === undefined)
    throw new InputError("give the job's number and the log, or --longest 5 and the log");
  const { policy, interval, strategy, routing, beta, load, seed } = flags;
  if (policy !== undefined) resolvePolicy(policy);
  if (strategy !== undefined) farmChecks.strategy!(strategy);
  if (routing !== undefined) farmChecks.routing!(routing);
  const given = areInferred(flags) ? null : await placeOf(flags);
  const log = await loadWorkload(path, flags);
  const place = given ?? inferMachines(log);
  const farm = isFarm(place) ? place : farmOfMachines(place);
  if (flags.farm === undefined && log.nodeCpu !== undefined) {
    throw new InputError(
      "its jobs ask for parts of nodes, which `croft simulate --machines` then gives out in parts or whole: " +
        "only runs of a pool that gives out cores and memory can be explained",
      { file: path },
    );
  }
  // One pool takes all jobs, whichever they name.
  const workload = flags.farm === undefined ? { ...log, pools: null, site: null } : log;
  const asked: Farm = {
    ...farm,
    pools: farm.pools.map((pool) => ({
      ...pool,
      ...(policy === undefined ? {} : { policy, maxJobsList: [] }),
      ...(interval === undefined ? {} : { intervalSeconds: interval }),
    })),
  };
  const settings = {
    strategy: strategy ?? null,
    routing: routing ?? null,
    ...(beta === undefined ? {} : { beta }),
    ...(load === undefined ? {} : { load }),
    ...(seed === undefined ? {} : { seed }),
  };
  const rows = choose(workload, asked, settings);
  const explanations = explainRows(rows, workload, asked, settings, machinesOf(place).ids);
  const [first] = explanations;
  const text = explanations.map((each) => explanationText(each, log.farm?.unixStartSeconds)).join("\n\n\n");
  if (flags.json !== true) await print(text);
  else
    await print(
      JSON.stringify(flags.longest === undefined && explanations.length === 1 ? first : explanations),
    );
}

/** The rows of the job that is asked for; of more than can be told, the first. */
function named(name: JobName, workload: Workload): readonly number[] {
  const rows = rowsOfJob(name, workload);
  if (rows.length > 1)
    say(
      `${workload.name}: jobs of the number ${name.number}: ${formatCount(rows.length)}` +
        (rows.length > MOST_JOBS ? `; the first ${MOST_JOBS} are told` : ""),
    );
  return rows.slice(0, MOST_JOBS);
}

async function placeOf(flags: ExplainFlags): Promise<Place> {
  const { farm, machines } = flags;
  if (farm !== undefined) return readFarm(farm, { ...farmChecks, machines: sayMachinesNotes });
  if (machines === undefined)
    throw new InputError("say what the job ran on: --machines, or --farm for several pools");
  return loadMachines({ ...flags, machines });
}
