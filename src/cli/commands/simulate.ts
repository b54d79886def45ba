import { Command } from "commander";

import { renderPackingTable, renderTable } from "../../report/index.ts";
import { scaleMachines, ScheduleFile, simulateAll, type RunResult } from "../../simulation/index.ts";
import {
  characterise,
  InputError,
  timeOnLog,
  workloadFrom,
  type Machines,
  type Workload,
} from "../../workload/index.ts";
import { characterization } from "../characterization.ts";
import { machineFacts, workloadFacts } from "../facts.ts";
import { figures } from "../figures.ts";
import { areInferred, inferMachines, loadMachines, loadWorkload } from "../input.ts";
import { simulateOnFarm } from "../simulate/farm.ts";
import { simulateOptions, type SimulateFlags } from "../simulate/flags.ts";
import { writeFarmFiles } from "../simulate/farm-files.ts";
import { tryFolder, writeFolder } from "../simulate/out-folder.ts";
import { ProgressLine } from "../simulate/progress.ts";
import { rejections } from "../simulate/rejections.ts";
import { chosenPolicies, planRuns, presetOf, type PlannedRun } from "../simulate/runs.ts";
import { describeSettings } from "../simulate/describe.ts";
import { readShares, unusedShares } from "../simulate/shares.ts";
import { print, say } from "../terminal.ts";
import { version } from "../version.ts";

export function simulateCommand(): Command {
  const command = new Command("simulate")
    .description("replay a workload on a farm, under several policies at several loads")
    .argument(
      "<workload>",
      "the log: of a batch system, SWF, CSV, Parquet or others (docs/workloads.md); plain, gzip or zstd; - is standard input",
    );
  return simulateOptions(command).action(simulate);
}

async function simulate(path: string, flags: SimulateFlags): Promise<void> {
  if (flags.farm !== undefined) {
    await simulateOnFarm(path, flags.farm, flags);
    return;
  }
  const { machines: spec } = flags;
  if (spec === undefined) throw new InputError("say what to run on: --machines, or --farm for several pools");

  // 1. What can be wrong without reading anything.
  refuseFarmOptions(flags);
  chosenPolicies(flags);
  if (flags.out !== undefined) tryFolder(flags.out);
  const preset = presetOf(flags);
  const shares =
    flags.shares !== undefined ? await readShares(flags.shares) : flags.fairShare === true ? [] : null;

  // 2. What to run.
  const configured = areInferred(spec)
    ? null
    : await loadMachines({ ...flags, machines: spec }, preset.machines);
  const log = await loadWorkload(path, flags, preset.workload);
  const machines = scaleMachines(
    configured ?? inferMachines(log),
    flags.scaleCores ?? 1,
    flags.scaleMemory ?? 1,
  );
  const workload = flags.from === undefined ? log : workloadFrom(log, timeOnLog(flags.from, log));
  const planned = planRuns(flags, shares, workload, machines);
  const unused = unusedShares(shares ?? [], workload.project?.names ?? []);
  if (unused.length > 0) say(`${flags.shares}: no job counts against ${unused.slice(0, 5).join(", ")}`);

  // 3. The runs.
  const runs = await makeRuns(workload, machines, planned, flags);
  for (const rejection of rejections(runs)) say(`${workload.name}: rejected: ${rejection}`);

  // 4. What came of them.
  const facts = workloadFacts(workload, machines);
  const title = `${workload.name} on ${machines.name}`;
  const report =
    flags.out === undefined
      ? undefined
      : await writeFolder(flags.out, {
          title,
          workload: facts,
          machines: machineFacts(machines),
          runs,
          characterization: characterization(characterise(workload)),
          settings: describeSettings(flags, planned),
          command: commandLine(),
          version,
        });
  const farm =
    flags.out === undefined
      ? null
      : await writeFarmFiles(flags.out, runs, flags.frames, title, workload.synthetic);
  if (flags.json === true) await print(JSON.stringify({ workload: facts, runs: runs.map(figures) }));
  else await print([renderTable(runs), renderPackingTable(runs)].filter((text) => text !== "").join("\n"));
  if (report !== undefined) {
    if (flags.json === true) say(`report: ${report}`);
    else await print(`report: ${report}`);
  }
  if (farm !== null) say(`the farm over time: ${farm}`);
}

/** Options on what only a farm of several pools does. */
function refuseFarmOptions(flags: SimulateFlags): void {
  for (const [option, value] of Object.entries({
    "--strategy": flags.strategy,
    "--routing": flags.routing,
    "--pool-detail": flags.poolDetail,
  })) {
    if (value !== undefined) throw new InputError(`${option} is for farms of several pools: give --farm`);
  }
}

async function makeRuns(
  workload: Workload,
  machines: Machines,
  planned: readonly PlannedRun[],
  flags: SimulateFlags,
): Promise<RunResult[]> {
  const file =
    flags.schedule === undefined ? undefined : await ScheduleFile.open(flags.schedule, workload, machines);
  const progress = new ProgressLine(flags.quiet === true);
  try {
    const runs = await simulateAll(
      workload,
      machines,
      planned.map(({ settings }) => settings),
      {
        ...(flags.threads === undefined ? {} : { threads: flags.threads }),
        ...(file === undefined
          ? {}
          : { onSchedule: (schedule, run) => file.add(schedule, planned[run]!.labels) }),
        onProgress: (now) => progress.show(now),
      },
    );
    await file?.commit();
    return runs;
  } catch (error) {
    await file?.discard();
    throw error;
  } finally {
    progress.clear();
  }
}

/** The command that makes this again, as a shell takes it. */
function commandLine(): string {
  const quoted = process.argv
    .slice(2)
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`));
  return ["croft", ...quoted].join(" ");
}
