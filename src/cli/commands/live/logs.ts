import { createReadStream } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

import { Command } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import { addFarmOptions, farmOf, jobNames } from "../../live/farm.ts";
import type { JobDetails } from "../../live/job-text.ts";
import { ownPart, type Part } from "../../live/own-part.ts";
import { positiveInteger } from "../../options.ts";

interface LogsFlags extends ServerFlags {
  readonly follow?: true;
  readonly stderr?: true;
  readonly attempt?: number;
}

const LOOK_MILLISECONDS = 200;

export function logsCommand(): Command {
  const command = new Command("logs")
    .description("show what a job has printed")
    .argument("<job>", "its number")
    .option("--follow", "go on until it is over")
    .option("--stderr", "its error output")
    .option("--attempt <number>", "of an earlier attempt (the last)", positiveInteger);
  return addFarmOptions(command).action(logs);
}

async function logs(text: string, flags: LogsFlags): Promise<void> {
  const farm = farmOf(flags);
  const [name] = jobNames([text]);
  const job = await farm.get<JobDetails>(`/v1/jobs/${name}`);
  const own = flags.stderr === true ? (job.errorOutput ?? job.output) : job.output;
  // The file is the user's own, so it is read directly, with the user's rights, and not through the farm.
  if (own !== null && flags.follow !== true) {
    const attempt = flags.attempt ?? job.attempt;
    if (job.attempt === 0) return;
    const bytes = await ownPart(own, job, attempt);
    if (bytes.to > bytes.from) await copy(own, bytes);
    return;
  }
  const stream = flags.stderr === true ? "stderr" : "stdout";
  let attempt = flags.attempt ?? Math.max(1, job.attempt);
  let from = 0;
  for (;;) {
    const path = `/v1/jobs/${name}/output?stream=${stream}&attempt=${attempt}&from=${from}`;
    const { headers, body } = await farm.insist(() => farm.raw("GET", path));
    await write(body);
    from += body.length;
    if (body.length > 0) continue;
    const last = Number(headers["croft-job-attempt"]);
    if (flags.follow !== true || (attempt >= last && headers["croft-job-over"] === "true")) return;
    if (attempt < last) {
      if (flags.attempt !== undefined) return;
      // It runs again: what it prints then is another text.
      attempt++;
      from = 0;
      continue;
    }
    await pause(LOOK_MILLISECONDS);
  }
}

async function copy(path: string, { from, to }: Part): Promise<void> {
  for await (const chunk of createReadStream(path, { start: from, end: to - 1 }))
    await write(chunk as Buffer);
}

/** Writes bytes unchanged, since output need not be text. */
function write(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
