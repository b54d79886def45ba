import { Command } from "commander";

import type { Client, ServerFlags } from "../../../live/client/client.ts";
import { InputError } from "../../../workload/errors.ts";
import { addFarmOptions, eachJob, farmOf, JOBS_HELP } from "../../live/farm.ts";
import { namedOrChosen } from "../../live/chosen-names.ts";
import { addFilterOptions, type FilterFlags } from "../../live/job-filter.ts";
import { showBoth, showOutput } from "../../live/job-output.ts";
import type { JobDetails } from "../../live/job-text.ts";
import { followOwn, showOwn } from "../../live/own-output.ts";
import { positiveInteger } from "../../options.ts";
import { print } from "../../terminal.ts";

interface LogsFlags extends ServerFlags, FilterFlags {
  readonly follow?: true;
  readonly stderr?: true;
  readonly attempt?: number;
}

export function logsCommand(): Command {
  const command = new Command("logs")
    .description("show what jobs have printed")
    .argument("[job...]", `${JOBS_HELP}; or choose them by what they are:`);
  addFilterOptions(command)
    .option("--follow", "go on until it is over; of one job")
    .option("--stderr", "its error output alone, as output (it comes on the error output)")
    .option("--attempt <number>", "of an earlier attempt (the last)", positiveInteger);
  return addFarmOptions(command).action(logs);
}

async function logs(texts: readonly string[], flags: LogsFlags): Promise<void> {
  const farm = farmOf(flags);
  const names = await namedOrChosen(farm, texts, flags);
  if (names.length === 1 && texts.length > 0) return logsOf(farm, names[0]!, flags);
  if (flags.follow === true) throw new InputError("--follow is of one job: several print at the same time");
  await eachJob(names, async (name) => {
    // As tail has it.
    await print(`${name === names[0] ? "" : "\n"}==> job ${name} <==`);
    await logsOf(farm, name, flags);
  });
}

async function logsOf(farm: Client, name: string, flags: LogsFlags): Promise<void> {
  const job = await farm.get<JobDetails>(`/v1/jobs/${name}`);
  const pattern = flags.stderr === true ? (job.errorOutput ?? job.output) : job.output;
  if (pattern !== null && flags.follow === true) return followOwn(farm, pattern, job.number, flags.attempt);
  if (pattern !== null) {
    if (job.attempt > 0) await showOwn(farm, pattern, job, flags.attempt ?? job.attempt);
    return;
  }
  const shown = {
    attempt: flags.attempt ?? Math.max(1, job.attempt),
    goesOn: flags.attempt === undefined,
    follows: flags.follow === true,
  };
  if (flags.stderr === true) return showOutput(farm, name, "stderr", shown);
  // With --error it is in a file of the user's.
  if (job.errorOutput !== null) return showOutput(farm, name, "stdout", shown);
  await showBoth(farm, name, shown);
}
