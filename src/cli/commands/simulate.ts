import { Command } from "commander";

import {
  counted,
  brokenPromiseLines,
  formatPercent,
  renderFailuresTable,
  renderFarmTable,
  renderPackingTable,
  renderTable,
  renderVerdict,
  tabulate,
  terminalText,
  verdictOf,
  type MachineUse,
  type Trials,
} from "../../report/index.ts";
import {
  loadPlugin,
  printedPolicyName,
  ScheduleFile,
  scheduleFormat,
  type RunResult,
  type SimulationSettings,
} from "../../simulation/index.ts";
import { characterise, timeOnLog, workloadFrom, workloadTo, type Workload } from "../../workload/index.ts";
import { characterization } from "../characterization.ts";
import { commandLine } from "../command-line.ts";
import { withoutLimits } from "../simulate/without-limits.ts";
import { arrivalFacts, farmFacts, machineFacts, machineUse, workloadFacts } from "../facts.ts";
import { fidelityFigures, figures, recordedFigures, verdictFigures } from "../figures.ts";
import { areInferred, loadWorkload } from "../input.ts";
import { toMachinesOfQueues } from "../machines-of-queues.ts";
import { refuseOverwriting, replacing } from "../overwriting.ts";
import { asItWas, checkAgainstRecord } from "../simulate/as-it-was.ts";
import { describeSettings } from "../simulate/describe.ts";
import { readFailures } from "../simulate/failures.ts";
import { writeFarmFiles } from "../simulate/farm-files.ts";
import { writeFigures } from "../simulate/figure-files.ts";
import { simulateOptions, type SimulateFlags } from "../simulate/flags.ts";
import { tryFolder, writeFolder } from "../simulate/out-folder.ts";
import { checksOf, inferPlace, isFarm, loadPlace, machinesOf, type Place } from "../simulate/place.ts";
import { nextSteps, systemOf } from "../simulate/next-steps.ts";
import { ProgressLine } from "../simulate/progress.ts";
import { rejectionAdvice } from "../simulate/rejection-advice.ts";
import { rejections } from "../simulate/rejections.ts";
import { idleOwners, isPluginUsed, refuseOptions, remarksOn } from "../simulate/remarks.ts";
import { runAll } from "../simulate/run-all.ts";
import { chosenPolicies, planRuns, presetOf, type PlannedRun } from "../simulate/runs.ts";
import { readShares, unusedShares, usageOf } from "../simulate/shares.ts";
import { unattainable } from "../simulate/attainable.ts";
import { checkDraws, makeTrials, type Judgement } from "../simulate/trials.ts";
import { print, say } from "../terminal.ts";
import { version } from "../package.ts";

export function simulateCommand(): Command {
  const command = new Command("simulate")
    .description("replay a workload on a farm, under several policies at several loads")
    .argument(
      "<workload>",
      "the log: as Slurm, PBS, LSF, Grid Engine, HTCondor or Kubernetes write it, CSV, SWF, NetBatch, OpenB, tasks, accounting or Parquet; plain, gzip or zstd; - is standard input",
    );
  return simulateOptions(command).action(simulate);
}

/** What `croft simulate` is to do: all runs, and what they are made on. */
export interface Prepared {
  readonly place: Place;
  readonly workload: Workload;
  readonly planned: readonly PlannedRun[];
  /** Where the log says that its jobs ran. */
  readonly use: MachineUse | undefined;
  /** Remarks on options and columns without effect, a line each. */
  readonly remarks: readonly string[];
  /** Why nothing can be said of policies; absent: something can. */
  readonly tooLittle?: string;
}

/**
 * Reads and checks everything before the first run is made.
 *
 * @throws InputError if an option is wrong, or options exclude each other
 */
export async function prepare(path: string, flags: SimulateFlags): Promise<Prepared> {
  // 1. Check all that can be checked before the log is read.
  const plugin = flags.plugin === undefined ? null : await loadPlugin(flags.plugin);
  chosenPolicies(flags);
  const usage = usageOf(flags);
  if (flags.schedule !== undefined) {
    scheduleFormat(flags.schedule);
    const { machines, farm, shares, failures } = flags;
    refuseOverwriting(flags.schedule, [path, machines, farm, shares, failures, flags.plugin]);
  }
  if (flags.out !== undefined) tryFolder(flags.out);
  if (flags.figures !== undefined) tryFolder(flags.figures);
  const preset = presetOf(flags);
  const shares =
    flags.shares !== undefined ? await readShares(flags.shares) : flags.fairShare === undefined ? null : [];
  const given = await loadPlace(flags, preset);
  if (given !== null) refuseOptions(flags, given);

  // 2. Read the log, and plan the runs.
  const checks = given === null ? {} : checksOf(given);
  const log = await loadWorkload(path, flags, { ...checks, ...preset.workload });
  const place = given ?? inferPlace(log, flags);
  if (given === null) refuseOptions(flags, place);
  const begun = flags.from === undefined ? log : workloadFrom(log, timeOnLog(flags.from, log));
  const asRead = flags.to === undefined ? begun : workloadTo(begun, timeOnLog(flags.to, log));
  const queued = isFarm(place) ? null : toMachinesOfQueues(asRead, place);
  const workload = queued?.workload ?? asRead;
  checkDraws(flags.resample, workload);
  const failures =
    flags.failures === undefined ? null : await readFailures(flags.failures, machinesOf(place), workload);
  const planned = planRuns(flags, { shares, usage, failures }, workload, place);
  const remarks = remarksOn(flags, planned, place, asRead);
  if (plugin !== null && !isPluginUsed(plugin, planned, place, workload))
    remarks.push("--plugin has no effect: no run, pool or job names anything of it");
  const unused = unusedShares(shares ?? [], workload.project?.names ?? []);
  if (unused.length > 0)
    remarks.push(`${flags.shares}: no job counts against ${unused.slice(0, 5).join(", ")}`);
  const owners = idleOwners(place, workload);
  if (owners.length > 0)
    remarks.push(`${place.name}: no job is of a group that owns machines: ${owners.slice(0, 5).join(", ")}`);
  const use = machineUse(asRead, place, areInferred(flags), queued?.queues ?? null);
  return { place, workload, planned, use, remarks };
}

async function simulate(path: string, flags: SimulateFlags): Promise<void> {
  await report(await prepare(path, flags), flags);
}

/**
 * Makes the runs, and prints and writes what came of them.
 *
 * @param more further facts for `--json`
 */
export async function report(prepared: Prepared, flags: SimulateFlags, more: object = {}): Promise<void> {
  const { place, workload, planned, use, remarks } = prepared;
  for (const remark of remarks) say(remark);
  const machines = machinesOf(place);
  const asked = flags.baseline === undefined ? undefined : printedPolicyName(flags.baseline);
  const was = asItWas(workload, place, planned, asked);
  if (was !== null && was.leftOut !== null) say(`not run to compare with the record: ${was.leftOut}`);
  const made = await makeRuns(prepared, was?.extras ?? [], flags);
  const runs = made.slice(0, planned.length);
  const fidelity = was === null ? undefined : checkAgainstRecord(was, workload, machines, made);
  const advice = runs.some(({ rejected }) => rejected > 0)
    ? rejectionAdvice(workload, machines, areInferred(flags))
    : undefined;
  if (flags.failures !== undefined && runs.every(({ unavailableCoreHours }) => unavailableCoreHours === 0))
    say("--failures has no effect: no machine was down between the first submission and the last completion");
  for (const rejection of rejections(runs)) say(`${workload.name}: rejected: ${rejection}`);
  for (const line of brokenPromiseLines(runs)) say(`${workload.name}: ${line}`);

  const facts = workloadFacts(workload, machines);
  const title = `${workload.name} on ${areInferred(flags) ? "the machines that it shows" : place.name}`;
  const unlimited = withoutLimits(workload, planned);
  const known = {
    ...(asked === undefined ? {} : { baseline: asked }),
    ...(was === null ? {} : { recorded: was.recorded }),
    ...(fidelity === undefined ? {} : { fidelity }),
    ...(advice === undefined ? {} : { rejectionAdvice: advice }),
    ...given({ machineUse: use, withoutLimits: unlimited }),
    ...given({ arrivals: arrivalFacts(workload), tooLittle: prepared.tooLittle }),
    unattainable: unattainable(workload.format, runs, flags.reservations !== 0),
  };
  const first = verdictOf({ runs, workload: facts, ...known });
  const judgement = { verdict: first, workload, place, planned, made, was, fidelity };
  const trials = await makeTrialsOf(
    { ...judgement, lacksLimits: unlimited !== undefined && systemOf(workload.format) !== "grid-engine" },
    flags,
  );
  const basis = { ...known, ...given({ trials }) };
  const verdict = verdictOf({ runs, workload: facts, ...basis });
  for (const { offeredLoad } of tabulate(runs).loads)
    if (offeredLoad > 1.5 && offeredLoad !== verdict.offeredLoad)
      say(
        `${terminalText(formatPercent(offeredLoad))} load: more work arrives than the machines can do; waits are the log's length`,
      );
  const next = nextSteps(verdict, workload, machines, fidelity, flags, known.recorded);
  const input = {
    title,
    workload: facts,
    machines: machineFacts(machines),
    runs,
    ...basis,
    ...(next === undefined ? {} : { next }),
    characterization: characterization(characterise(workload)),
    settings: describeSettings(flags, planned, place, workload),
    command: commandLine(),
    version,
  };
  const report = flags.out === undefined ? undefined : await writeFolder(flags.out, input);
  const drawn = flags.figures === undefined ? 0 : await writeFigures(flags.figures, input);
  const pictures =
    flags.out === undefined
      ? null
      : await writeFarmFiles(flags.out, runs, flags.frames, title, workload.synthetic);
  if (flags.json === true) {
    const farm = isFarm(place) ? { farm: farmFacts(place, machines) } : {};
    const recorded = was === null ? {} : { recorded: recordedFigures(was.recorded) };
    const check = fidelity === undefined ? {} : { fidelity: fidelityFigures(fidelity) };
    await print(
      JSON.stringify({
        workload: facts,
        ...farm,
        ...recorded,
        ...check,
        verdict: verdictFigures(verdict),
        ...(next === undefined ? {} : { next }),
        runs: runs.map(figures),
        ...more,
      }),
    );
  } else {
    const tables = [
      renderTable(runs, was?.recorded),
      renderFarmTable(runs),
      renderFailuresTable(runs),
      renderPackingTable(runs, flags.clock !== "order"),
      renderVerdict(verdict, next),
    ];
    await print(tables.filter((text) => text !== "").join("\n"));
  }
  if (report !== undefined) {
    if (flags.json === true) say(`report: ${report}`);
    else await print(`report: ${report}`);
  }
  if (flags.figures !== undefined) say(`${counted(drawn, "figure")}: ${flags.figures}`);
  if (pictures !== null) say(`the farm over time: ${pictures}`);
}

/** The field, where it is there. */
function given<T extends object>(field: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(field).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}

async function makeTrialsOf(judgement: Judgement, flags: SimulateFlags): Promise<Trials | undefined> {
  const progress = new ProgressLine(flags.quiet === true);
  try {
    return await makeTrials(judgement, flags.resample, {
      ...(flags.threads === undefined ? {} : { threads: flags.threads }),
      ...(flags.plugin === undefined ? {} : { plugin: flags.plugin }),
      onProgress: (now) => progress.show(now),
    });
  } finally {
    progress.clear();
  }
}

/** @param extras more runs, which are not written to the schedule file */
async function makeRuns(
  { place, workload, planned }: Prepared,
  extras: readonly SimulationSettings[],
  flags: SimulateFlags,
): Promise<RunResult[]> {
  const file =
    flags.schedule === undefined
      ? undefined
      : await ScheduleFile.open(flags.schedule, workload, machinesOf(place));
  const instead = flags.schedule === undefined ? "" : replacing(flags.schedule);
  const progress = new ProgressLine(flags.quiet === true);
  try {
    const runs = await runAll(workload, place, [...planned, ...extras.map((settings) => ({ settings }))], {
      ...(flags.threads === undefined ? {} : { threads: flags.threads }),
      ...(flags.plugin === undefined ? {} : { plugin: flags.plugin }),
      ...(file === undefined
        ? {}
        : {
            onSchedule: async (schedule, run) => {
              const plan = planned[run];
              if (plan !== undefined) await file.add(schedule, plan.labels);
            },
          }),
      onProgress: (now) => progress.show(now),
    });
    await file?.commit();
    if (instead !== "") say(`${flags.schedule}: written${instead}`);
    return runs;
  } catch (error) {
    await file?.discard();
    throw error;
  } finally {
    progress.clear();
  }
}
