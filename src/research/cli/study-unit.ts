import { Command } from "commander";

import { makeUnit, planHelp } from "../../cli/on-farm/make-unit.ts";
import type { Unit } from "../../cli/on-farm/plans.ts";
import { listLoad, type LoadFlags } from "./study/load.ts";
import { listPacking, type PackingStudyFlags } from "./study/packing.ts";
import { listRescheduling, type ReschedulingFlags } from "./study/rescheduling.ts";
import { makeStudyUnit, under, type StudyWork } from "./study/on-farm.ts";

/** What a farm runs for each unit of `croft study … --on`: it prints the finished run. */
export function studyUnitCommand(): Command {
  return new Command("study-unit")
    .description("make one run of a study and print it: croft study … --on submits this")
    .argument("<plan>", planHelp)
    .action((place: string) =>
      makeUnit(place, (work, unit, root) => make(under(root, work as StudyWork), unit)),
    );
}

async function make(work: StudyWork, unit: Unit): Promise<string> {
  // Flags are those that the study's own command has parsed.
  switch (work.study) {
    case "load":
      return makeStudyUnit(await listLoad(work as StudyWork<LoadFlags>), work, unit);
    case "packing":
      return makeStudyUnit(await listPacking(work as StudyWork<PackingStudyFlags>), work, unit);
    default:
      return makeStudyUnit(await listRescheduling(work as StudyWork<ReschedulingFlags>), work, unit);
  }
}
