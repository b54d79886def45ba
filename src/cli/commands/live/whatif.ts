import { Command } from "commander";

import { farmChecks, resolvePolicy, type Estimates } from "../../../simulation/index.ts";
import { openPast, readHistory, withFeedback, type History } from "../../../whatif/index.ts";
import { InputError } from "../../../workload/index.ts";
import { machineUse } from "../../facts.ts";
import { checkDraws } from "../../simulate/trials.ts";
import { tryFolder } from "../../simulate/out-folder.ts";
import { duration, estimates, names, positiveInteger, positives, wholeNumber } from "../../options.ts";
import { print, say } from "../../terminal.ts";
import { addDataOption, databaseOf, type DataFlags } from "../../whatif/data.ts";
import { addedMachines, otherFarm, withMachines, type Added } from "../../whatif/farms.ts";
import { checkText, limitLines, tooLittleText } from "../../whatif/history-text.ts";
import { planWhatIf } from "../../whatif/plan.ts";
import { report } from "../simulate.ts";
import { fitsCommand } from "./whatif-fits.ts";

interface WhatIfFlags extends DataFlags {
  readonly policy?: readonly string[];
  readonly strategy?: readonly string[];
  readonly routing?: string;
  readonly maxJobs?: readonly string[];
  readonly estimates?: Estimates;
  readonly seed?: number;
  readonly load?: readonly number[];
  readonly since?: number;
  readonly farm?: string;
  readonly addMachines?: readonly Added[];
  readonly feedback?: true;
  readonly resample?: number;
  readonly json?: true;
  readonly out?: string;
  readonly quiet?: true;
  readonly threads?: number;
}

export function whatIfCommand(): Command {
  const command = new Command("whatif")
    .description("try other policies, or another farm, on what a live farm has done")
    .option("--policy <names>", "a policy or several; see `croft policies`", names)
    .option("--strategy <names>", "what is done for suspended and stuck jobs; one or several", names)
    .option("--routing <name>", "how every virtual pool chooses a pool, instead of its own way")
    .option("--max-jobs <heuristics>", "the list that max-jobs and its like try", names)
    .option(
      "--estimates <source>",
      "what backfilling expects of run times: log (as asked for), exact, predicted, or a factor",
      estimates,
    )
    .option("--farm <file>", "another farm file: other pools, machines, owners, rules")
    .option(
      "--add-machines <number>",
      "so many machines more, like those that there are: 10, north=10",
      addedMachines,
    )
    .option("--load <loads>", "the same jobs, coming faster or slower: 0.8 of the farm, 0.95, …", positives)
    .option("--since <time>", "only what happened in the last 30d, 12h, … (all that is kept)", duration)
    .option("--feedback", "users react: a job comes a think time after the last of its user has ended")
    .option(
      "--resample <number>",
      "histories drawn from this one, to say how sure the verdict is; 0: none (20 for short runs)",
      wholeNumber,
    )
    .option("--seed <number>", "of what strategies draw at random (1)", wholeNumber)
    .option("--out <folder>", "write report.html and results.json there")
    .option("--json", "print one JSON object instead of the table")
    .option("--quiet", "no progress")
    .option("--threads <number>", "runs at the same time (as many as there are cores)", positiveInteger);
  command.addCommand(fitsCommand());
  return addDataOption(command).action(whatIf).addHelpText("after", afterHelp);
}

async function whatIf(flags: WhatIfFlags): Promise<void> {
  for (const name of flags.policy ?? []) resolvePolicy(name, flags.maxJobs);
  for (const name of flags.strategy ?? []) farmChecks.strategy!(name);
  if (flags.routing !== undefined) farmChecks.routing!(flags.routing);
  if (flags.out !== undefined) tryFolder(flags.out);
  if (flags.feedback === true && (flags.resample ?? 0) > 0)
    throw new InputError(
      "--feedback and --resample do not go together: in a history that was drawn nobody knows what a user waited for",
    );
  const history = await readPast(flags);
  const { farm } = history;
  const workload = flags.feedback === true ? withFeedback(history.workload) : history.workload;
  checkDraws(flags.resample, workload);
  if (flags.json === true) say(checkText(history));
  else await print(`${checkText(history)}\n`);
  const given = flags.farm === undefined ? farm : await otherFarm(flags.farm, farm);
  const added = flags.addMachines === undefined ? given : withMachines(given, flags.addMachines);
  const planned = planWhatIf(flags, history, added === farm ? null : added);
  const { check, counts, policies } = history;
  const remarks = [...limitLines(history), ...(added === farm ? [] : [`"new": ${added.name}`])];
  const tooLittle = tooLittleText(workload);
  const prepared = { place: farm, workload, planned, use: machineUse(workload, farm, false, null), remarks };
  await report(
    { ...prepared, ...(tooLittle === null ? {} : { tooLittle }) },
    // What batch systems would be set to is none of a live farm's business.
    { ...flags, ...(flags.feedback === true ? { resample: 0 } : {}), farm: "the farm's own" },
    { history: { check, counts, policies } },
  );
}

async function readPast({ since, ...flags }: WhatIfFlags): Promise<History> {
  const connection = openPast(databaseOf(flags));
  try {
    return await readHistory(connection, since === undefined ? undefined : Date.now() / 1000 - since);
  } finally {
    connection.close();
  }
}

const afterHelp = `
Examples:
  croft whatif --policy easy/mix-fit,max-jobs --since 30d
  croft whatif --add-machines 10
  croft whatif fits --cores 64 --memory 512G
At length: docs/what-if.md`;
