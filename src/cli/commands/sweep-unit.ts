import { Command } from "commander";

import { simulate } from "../../simulation/index.ts";
import { InputError } from "../../workload/index.ts";
import { makeUnit, planHelp } from "../on-farm/make-unit.ts";
import type { Unit } from "../on-farm/plans.ts";
import { endedBySignals } from "../signals.ts";
import { keptText } from "../sweep/kept-run.ts";
import { loadSource, openSource } from "../sweep/load-log.ts";
import type { SweepWork } from "../sweep/on-farm.ts";
import { readSweep } from "../sweep/read-sweep.ts";
import { cellsOf } from "../sweep/units.ts";

/** What a farm runs for each unit of `croft sweep --on`: it prints the finished run. */
export function sweepUnitCommand(): Command {
  return new Command("sweep-unit")
    .description("make one run of a sweep and print it: croft sweep --on submits this")
    .argument("<plan>", planHelp)
    .action((place: string) => makeUnit(place, (work, unit, root) => make(work as SweepWork, unit, root)));
}

async function make({ name, folder, text }: SweepWork, unit: Unit, root: string): Promise<string> {
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
  return keptText(cell, result);
}
