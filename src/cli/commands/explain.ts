import { Command, Option } from "commander";

import { explainJob, farmChecks, resolvePolicy } from "../../simulation/index.ts";
import { farmOfMachines, InputError, readFarm, type Farm } from "../../workload/index.ts";
import { explainLive } from "../live/explain.ts";
import { addFarmOptions } from "../live/farm.ts";
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
import { duration, positive, wholeNumber } from "../options.ts";
import { print } from "../terminal.ts";

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
  readonly json?: true;
  readonly server?: string;
  readonly socket?: string;
}

export function explainCommand(): Command {
  const command = new Command("explain")
    .description(
      "tell why a job waited, was suspended or moved: of a log, by making the run again up to its end; or on a farm that runs",
    )
    .argument("<job>", "the number of the job, in the log or on a farm that runs", wholeNumber)
    .argument("[workload]", "the log, as `croft simulate` takes it; without one a farm that runs is asked");
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
  addFarmOptions(command);
  return addWorkloadOptions(command).action(explain);
}

async function explain(job: number, path: string | undefined, flags: ExplainFlags): Promise<void> {
  if (path === undefined) {
    await explainLive(job, flags);
    return;
  }
  const { policy, interval, strategy, routing, beta, load, seed } = flags;
  if (policy !== undefined) resolvePolicy(policy);
  if (strategy !== undefined) farmChecks.strategy!(strategy);
  if (routing !== undefined) farmChecks.routing!(routing);
  const given = flags.machines !== undefined && areInferred(flags.machines) ? null : await farmOf(flags);
  const log = await loadWorkload(path, flags);
  const farm = given ?? farmOfMachines(inferMachines(log));
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
  const explanation = explainJob(job, workload, asked, {
    strategy: strategy ?? null,
    routing: routing ?? null,
    ...(beta === undefined ? {} : { beta }),
    ...(load === undefined ? {} : { load }),
    ...(seed === undefined ? {} : { seed }),
  });
  await print(flags.json === true ? JSON.stringify(explanation) : explanationText(explanation));
}

async function farmOf(flags: ExplainFlags): Promise<Farm> {
  const { farm, machines } = flags;
  if (farm !== undefined) return readFarm(farm, { ...farmChecks, machines: sayMachinesNotes });
  if (machines === undefined)
    throw new InputError("say what the job ran on: --machines, or --farm for several pools");
  const list = await loadMachines({ ...flags, machines });
  return farmOfMachines(list);
}
