import { basename, dirname, join, resolve } from "node:path";

import { Command } from "commander";

import {
  csvText,
  ratiosOf,
  renderSweepPage,
  renderSweepTable,
  sweepData,
  sweepMeasures,
  type SweepInput,
  type SweepRow,
} from "../../report/index.ts";
import { writeFileAtomically } from "../../workload/index.ts";
import { wholeOf } from "../../workload/input/bytes.ts";
import { KeptRuns } from "../kept-runs.ts";
import { farmAsked, onFarmOptions, type OnFarmFlags } from "../on-farm/flags.ts";
import { positiveInteger } from "../options.ts";
import { version } from "../package.ts";
import { isFarm } from "../simulate/place.ts";
import { tryFolder } from "../simulate/out-folder.ts";
import { keptRunIn, type KeptRun } from "../sweep/kept-run.ts";
import { openSource, type Source } from "../sweep/load-log.ts";
import { batchesOf, checkLog, makeRuns, type CheckedLog } from "../sweep/make-runs.ts";
import { makeSweepOnFarm } from "../sweep/on-farm.ts";
import { partOf } from "../sweep/part-of.ts";
import { readSweep, type Sweep } from "../sweep/read-sweep.ts";
import { cellsOf, drawsOf, type Cell } from "../sweep/units.ts";
import { print, say } from "../terminal.ts";

interface SweepFlags extends Omit<OnFarmFlags, "onPool"> {
  readonly pool?: string;
  readonly out: string;
  readonly json?: true;
  readonly threads?: number;
  readonly quiet?: true;
}

export function sweepCommand(): Command {
  const command = new Command("sweep")
    .description(
      "study several logs at once: policies, loads, estimates and seeds; a second call takes up the first",
    )
    .argument("<file>", "what to study, YAML or JSON: logs, policies, loads, …")
    .requiredOption(
      "--out <folder>",
      "finished runs, results.csv, results.json and report.html; its runs are not made again",
    )
    .option("--json", "one JSON object on standard output instead of the table")
    .option(
      "--threads <number>",
      "runs at the same time (as many as there are cores; with --on, as the farm starts)",
      positiveInteger,
    )
    .option("--quiet", "no progress");
  for (const option of onFarmOptions("--pool")) command.addOption(option);
  return command.action(run);
}

async function run(path: string, flags: SweepFlags): Promise<void> {
  // 1. Read and check what is to be done.
  const onFarm = farmAsked({ ...flags, onPool: flags.pool }, "--pool");
  const { name, bytes } = await wholeOf(path);
  const sweep = await readSweep({ name, bytes }, dirname(path));
  if (onFarm !== null)
    sweep.plugin?.at.refuse("runs with a plugin are made by this command alone: leave out --on, or it");
  tryFolder(flags.out);
  const sources: Source[] = [];
  for (const log of sweep.logs) sources.push(await openSource(sweep, log));
  tellIdle(sweep, sources);

  // 2. Make the runs that are not there yet.
  const cells = sources.map((source) => cellsOf(sweep, source));
  const kept = new KeptRuns(flags.out, keptRunIn);
  const runs = new Map<string, KeptRun | null>();
  for (const { unit } of cells.flat()) if (!runs.has(unit.hash)) runs.set(unit.hash, kept.read(unit.hash));
  const done = [...runs.values()].filter((each) => each !== null).length;
  if (done > 0) say(`${flags.out}: ${done} of ${runs.size} runs were made before`);
  const batches = cells.flatMap((ofLog, i) =>
    batchesOf(ofLog, sources[i]!, (hash) => runs.get(hash) !== null),
  );
  // All are checked before the first run: otherwise a policy might be refused after all runs of the logs before it.
  const logs: CheckedLog[] = [];
  for (const [i, source] of sources.entries()) logs.push(await checkLog(sweep, source, cells[i]!, batches));
  const { threads, quiet = false } = flags;
  if (onFarm === null)
    await makeRuns(sweep, batches, logs, kept, {
      ...(threads === undefined ? {} : { threads }),
      quiet,
      done,
    });
  else
    await makeSweepOnFarm(sweep, batches, kept, {
      ...onFarm,
      out: resolve(flags.out),
      work: { name, folder: resolve(dirname(path)), text: new TextDecoder().decode(bytes) },
      ...(threads === undefined ? {} : { most: threads }),
      quiet,
      done,
    });

  // 3. Tell what came of them: from the files, so that it is the same whichever call made them.
  const input = inputOf(
    sweep,
    sources,
    logs.map(({ unseen }) => unseen),
    cells.flat(),
    basename(path),
    (hash) => runs.get(hash) ?? kept.read(hash),
  );
  const results = {
    ...input,
    ratios: sweepMeasures.map((measure) => ratiosOf(input, measure)),
    versions: { croft: version, node: process.versions.node },
  };
  await writeFileAtomically(join(flags.out, "results.csv"), [csvText(sweepData(input))]);
  await writeFileAtomically(join(flags.out, "results.json"), [JSON.stringify(results, null, 2), "\n"]);
  const report = join(flags.out, "report.html");
  await writeFileAtomically(report, [renderSweepPage(input)]);
  await print(flags.json === true ? JSON.stringify(results) : renderSweepTable(input));
  if (flags.json === true) say(`report: ${report}`);
  else await print(`report: ${report}`);
}

/** Says which seeds and estimates change nothing. */
function tellIdle(sweep: Sweep, sources: readonly Source[]): void {
  const fixed = sources.filter((source) => !drawsOf(source)).map(({ log }) => log.name);
  if (sweep.seeds.length > 1 && fixed.length > 0)
    say(`seeds have no effect on ${fixed.join(", ")}: nothing is drawn there, and one run stands for all`);
  if (sweep.estimates.length === 1) return;
  const cells = sources.flatMap((source) => cellsOf({ ...sweep, loads: [null], seeds: [1] }, source));
  const idle = sweep.policies.filter((policy) =>
    cells.every((cell) => cell.policy !== policy || cell.unit.settings.estimates === undefined),
  );
  if (idle.length > 0)
    say(
      `estimates have no effect on ${idle.join(", ")}: only backfilling plans with run times, and one run stands for all`,
    );
}

function inputOf(
  sweep: Sweep,
  sources: readonly Source[],
  unseen: readonly (readonly string[])[],
  cells: readonly Cell[],
  file: string,
  runOf: (hash: string) => KeptRun | null,
): SweepInput {
  const rows = cells.map(({ log, seed, load, estimates, policy, unit }): SweepRow => {
    const made = runOf(unit.hash);
    if (made === null) throw new Error(`the run ${unit.hash} was made and is gone: was its file removed?`);
    const { offeredLoad, jobs, rejected, waitMeanSeconds, waitMedianSeconds, waitP95Seconds } = made;
    const { slowdownMean, boundedSlowdownMean, queueLengthMean, coreUtilizationMean, makespanSeconds } = made;
    const waits = { waitMeanSeconds, waitMedianSeconds, waitP95Seconds, slowdownMean, boundedSlowdownMean };
    const run = {
      offeredLoad,
      jobs,
      rejected,
      ...waits,
      queueLengthMean,
      coreUtilizationMean,
      makespanSeconds,
    };
    return { log, policy, load, estimates: String(estimates), seed, run };
  });
  const { intervalSeconds, warmupSeconds, cooldownSeconds } = sweep;
  return {
    title: sweep.title,
    logs: sources.map(({ log, place, generator }, i) => ({
      name: log.name,
      synthetic: generator !== null,
      on: place === null ? "machines inferred from the log" : `${isFarm(place) ? "farm " : ""}${place.name}`,
      ...partOf(log.spec),
      unseen: unseen[i]!,
    })),
    policies: sweep.policies,
    baseline: sweep.baseline,
    loads: sweep.loads,
    estimates: sweep.estimates.map(String),
    rows,
    settings: [
      {
        name: "Scheduling cycle",
        value: intervalSeconds === null ? "each policy's own" : `${intervalSeconds} s`,
      },
      { name: "Left out at the start", value: `${warmupSeconds} s` },
      { name: "Left out at the end", value: `${cooldownSeconds} s` },
      { name: "Seeds", value: sweep.seeds.join(", ") },
      ...(sweep.plugin === null ? [] : [{ name: "Plugin", value: basename(sweep.plugin.file) }]),
    ],
    command: `croft sweep ${file} --out FOLDER`,
    version,
  };
}
