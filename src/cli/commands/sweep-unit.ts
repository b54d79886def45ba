import { Command } from "commander";

import { simulate } from "../../simulation/index.ts";
import { InputError } from "../../workload/index.ts";
import { version } from "../package.ts";
import { endedBySignals } from "../signals.ts";
import { keptText } from "../sweep/kept-runs.ts";
import { loadSource, openSource } from "../sweep/load-log.ts";
import { FetchedFiles } from "../sweep/on-farm/fetch-files.ts";
import { planIn, readPlan, SENT, type PlannedUnit, type TaskPlan } from "../sweep/on-farm/plans.ts";
import { farmOfTask } from "../sweep/on-farm/task-server.ts";
import { readSweep } from "../sweep/read-sweep.ts";
import { cellsOf } from "../sweep/units.ts";
import { print } from "../terminal.ts";

/** What a farm runs for each unit of `croft sweep --on`: it prints the finished run. */
export function sweepUnitCommand(): Command {
  return new Command("sweep-unit")
    .description(
      "make one run of a sweep, that of CROFT_JOB_INDEX, and print it: croft sweep --on submits this",
    )
    .argument(
      "<plan>",
      "the plan that croft sweep has written, or sha256: and the hash of the one that it has sent",
    )
    .action(run);
}

async function run(place: string): Promise<void> {
  if (!place.startsWith(SENT)) {
    const plan = await readPlan(place);
    return make(plan, unitOf(plan));
  }
  const files = new FetchedFiles(farmOfTask(process.env));
  try {
    const plan = planIn(await files.text(place.slice(SENT.length)), place);
    const unit = unitOf(plan);
    await make(plan, unit, await files.atTheirPaths(plan.files?.[unit.log] ?? {}));
  } finally {
    files.remove();
  }
}

/** @throws InputError where this is no task of the plan, or another Croft has made it */
function unitOf(plan: TaskPlan): PlannedUnit {
  if (plan.version !== version)
    throw new InputError(
      `the sweep is of croft ${plan.version}, and this machine's croft is ${version}: name the same one with --croft`,
    );
  const index = process.env["CROFT_JOB_INDEX"];
  const unit = plan.units[Number(index ?? NaN)];
  if (unit === undefined)
    throw new InputError(`CROFT_JOB_INDEX is ${index ?? "not set"}: the plan has ${plan.units.length} runs`);
  return unit;
}

/** @param root under which the files are at their paths; absent: they are where they are */
async function make({ file: { name, folder, text } }: TaskPlan, unit: PlannedUnit, root = ""): Promise<void> {
  // 1. Find the run, by all that its result depends on.
  const sweep = { ...(await readSweep({ name, bytes: Buffer.from(text) }, folder)), root };
  const log = sweep.logs.find((each) => each.name === unit.log)!;
  const source = await openSource(sweep, log);
  const cell = cellsOf(sweep, source).find((each) => each.unit.hash === unit.hash);
  if (cell === undefined)
    throw new InputError(
      `${log.name}: the log, or what it runs on, is not what it was when the sweep was sent: call croft sweep again`,
    );

  // 2. Make it.
  const { workload, place } = await loadSource(sweep, source, cell.seed ?? 1);
  const { result } = endedBySignals(() => simulate(workload, place, cell.unit.settings));
  await print(keptText(cell, result));
}
