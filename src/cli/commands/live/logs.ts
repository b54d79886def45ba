import { createReadStream } from "node:fs";
import { normalize } from "node:path";

import { Command } from "commander";

import type { Client, ServerFlags } from "../../../live/client/client.ts";
import { FarmError } from "../../../live/client/farm-error.ts";
import { outputFile } from "../../../live/service/output-pattern.ts";
import type { Heading } from "../../../live/service/output-sections.ts";
import { InputError } from "../../../workload/errors.ts";
import { addFarmOptions, eachJob, farmOf, JOBS_HELP } from "../../live/farm.ts";
import { namedOrChosen } from "../../live/chosen-names.ts";
import { addFilterOptions, type FilterFlags } from "../../live/job-filter.ts";
import { showOutput, write } from "../../live/job-output.ts";
import type { JobDetails } from "../../live/job-text.ts";
import { ownPart, type Part } from "../../live/own-part.ts";
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
    .option("--stderr", "its error output")
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
  // The file is the user's own, so it is read directly, with the user's rights, and not through the farm.
  if (pattern !== null && flags.follow !== true) {
    const attempt = flags.attempt ?? job.attempt;
    if (job.attempt === 0) return;
    const own = outputFile(pattern, job, attempt);
    const bytes = await ownPart(own, job, attempt, (heading) => writesTo(farm, own, heading));
    if (bytes.to > bytes.from) await copy(own, bytes);
    return;
  }
  await showOutput(farm, name, {
    stream: flags.stderr === true ? "stderr" : "stdout",
    attempt: flags.attempt ?? Math.max(1, job.attempt),
    goesOn: flags.attempt === undefined,
    follows: flags.follow === true,
  });
}

/** Whether an attempt is told to write to a file; null: its job is not told of, or has gone into the history. */
async function writesTo(farm: Client, path: string, { job, attempt }: Heading): Promise<boolean | null> {
  const found = await farm.get<JobDetails>(`/v1/jobs/${job}`).catch((error: unknown) => {
    if (error instanceof FarmError && (error.status === 404 || error.status === 403)) return null;
    throw error;
  });
  if (found === null) return null;
  return [found.output, found.errorOutput].some(
    (pattern) => pattern !== null && normalize(outputFile(pattern, found, attempt)) === normalize(path),
  );
}

async function copy(path: string, { from, to }: Part): Promise<void> {
  for await (const chunk of createReadStream(path, { start: from, end: to - 1 }))
    await write(chunk as Buffer);
}
