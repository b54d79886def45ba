import { fstatSync, type Stats } from "node:fs";
import { resolve } from "node:path";

import { Command, InvalidArgumentError, Option } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import type { SubmittedJob } from "../../../live/service/submitting.ts";
import { InputError } from "../../../workload/errors.ts";
import { addFarmOptions, farmOf, memory, priority as priorityOf } from "../../live/farm.ts";
import { readJobFile } from "../../live/job-file.ts";
import { duration, positive, wholeNumber } from "../../options.ts";
import { print, say } from "../../terminal.ts";

interface SubmitFlags extends ServerFlags {
  readonly cores?: number;
  readonly memory?: number;
  readonly gpus?: number;
  readonly time?: number;
  readonly priority?: number;
  readonly pool?: string;
  readonly requires?: string;
  readonly licences?: string;
  readonly project?: string;
  readonly group?: string;
  readonly name?: string;
  readonly file?: string;
  readonly array?: { readonly from: number; readonly to: number };
  readonly after?: readonly { readonly job: number; readonly condition: string }[];
  readonly hold?: true;
  readonly retries?: number;
  readonly env?: readonly string[];
  readonly cleanEnv?: true;
  readonly cwd?: string;
  readonly output?: string;
  readonly error?: string;
  readonly key?: string;
  readonly json?: true;
}

export function submitCommand(): Command {
  const command = new Command("submit")
    .description("submit a job to a farm, or many at once; prints their numbers")
    .usage("[options] -- <command...>\n       croft submit [options] --file <file>")
    .argument("[command...]", "what to run, after -- where it has options of its own; no shell reads it")
    .passThroughOptions()
    .option("--cores <number>", "cores that it takes (1)", positive)
    .option(
      "--memory <amount>",
      "memory that it takes at most, such as 4G (not counted, and not limited)",
      memory,
    )
    .option("--gpus <number>", "GPUs that it takes (0)", positive)
    .option("--time <time>", "how long it may run: 30m, 12h (as long as it takes)", duration)
    .option("--priority <0-99>", "a higher one goes first (50)", priorityOf)
    .option("--pool <name>", "the pool, or virtual pool, to run in (the farm chooses)")
    .option("--requires <expression>", 'what its machine must have: os == "linux" and memory >= 16000')
    .option("--licences <list>", "the licences of its pool that it holds while it runs: matlab=2,vcs")
    .option("--project <path>", "whose share it counts against, where pools have shares")
    .option("--group <name>", "the group whose own machines it comes first on")
    .option("--name <name>", "display name (the program's name)")
    .option("--array <range>", "a job for each number: 1-1000; CROFT_JOB_INDEX tells a job its own", range)
    .addOption(
      new Option(
        "--file <file>",
        "many jobs, all of them or none: a line a job, as JSON with the fields of REST; - is standard input",
      ).conflicts("array"),
    )
    .option("--after <job[:ok|failed|any]>", "starts when that job has ended (ok: with status 0)", after)
    .option("--hold", "waits to be released")
    .option("--retries <number>", "how often it runs again after it failed or was lost (0)", wholeNumber)
    .option("--env <name=value>", "sets a variable of the job; a name alone passes yours on", collected)
    .option("--clean-env", "does not pass your environment on to the job")
    .option("--cwd <folder>", "its working directory (this one)")
    .option("--output <file>", "where its output goes (the farm keeps it: croft logs)")
    .option("--error <file>", "where its error output goes (with its output)")
    .option("--key <text>", "a second submission with the same key makes no new job")
    .option("--json", "print an object with id and number");
  return addFarmOptions(command).action(submit);
}

async function submit(command: string[], flags: SubmitFlags): Promise<void> {
  const { cores, gpus, time, priority, pool, requires, project, group, name, array, hold, retries } = flags;
  const { file, licences } = flags;
  if (file === undefined && command.length === 0)
    throw new InputError("say what to run: croft submit -- ./run.sh 17; or give many jobs with --file");
  if (file !== undefined && command.length > 0)
    throw new InputError("--file has the jobs with their commands: leave the command out");
  const job = {
    directory: resolve(flags.cwd ?? process.cwd()),
    umask: process.umask().toString(8).padStart(3, "0"),
    ...defined({
      cores,
      memoryMiB: flags.memory,
      gpus,
      timeSeconds: time,
      priority,
      pool,
      requires,
      licences,
      project,
      group,
      name,
      hold,
      retries,
      after: flags.after,
      output: flags.output === undefined ? undefined : resolve(flags.output),
      errorOutput: flags.error === undefined ? undefined : resolve(flags.error),
    }),
  };
  const environment = environmentOf(flags);
  if (file === undefined) sayWhatIsDropped();
  const farm = farmOf(flags);
  const send = (path: string, body: object): Promise<SubmittedJob | { jobs: SubmittedJob[] }> =>
    farm.sendOnce(path, { ...body, environment }, flags.key ?? null);
  let answer: SubmittedJob | { jobs: SubmittedJob[] };
  if (file === undefined) answer = await send("/v1/jobs", { command, ...job, ...defined({ array }) });
  else {
    const { jobs, located } = await readJobFile(file, job);
    answer = await send("/v1/job-lists", { jobs }).catch((error: unknown) => {
      throw located(error);
    });
  }
  const jobs = "jobs" in answer ? answer.jobs : [answer];
  const [first, last] = [jobs[0]!, jobs.at(-1)!];
  if (flags.json === true) await print(JSON.stringify(answer));
  else await print(jobs.length === 1 ? String(first.number) : `${first.number}-${last.number}`);
  const rejected = jobs.filter(({ state }) => state === "rejected");
  if (rejected.length === 0) return;
  const [{ number, reason }] = rejected as [SubmittedJob];
  const others = rejected.length === 1 ? "" : `, and ${rejected.length - 1} more of them are rejected`;
  say(`croft: job ${number} is rejected: ${reason}${others}`);
  process.exitCode = 1;
}

/** The job's variables: one's own, and what is set for it. */
function environmentOf({ env = [], cleanEnv }: SubmitFlags): Record<string, string> {
  const all: Record<string, string> = {};
  // Variables that tell this client where its farm is are not passed to the job.
  const passed = cleanEnv === true ? [] : Object.entries(process.env);
  for (const [name, value] of passed)
    if (value !== undefined && (!name.startsWith("CROFT_") || name.startsWith("CROFT_SIMULATED_")))
      all[name] = value;
  for (const text of env) {
    const equals = text.indexOf("=");
    const name = equals < 0 ? text : text.slice(0, equals);
    const value = equals < 0 ? process.env[text] : text.slice(equals + 1);
    if (name === "") throw new InputError(`--env ${JSON.stringify(text)}: give NAME=VALUE`);
    if (value === undefined) throw new InputError(`--env ${name}: your environment does not have it`);
    all[name] = value;
  }
  return all;
}

/** What is piped to this command is not the job's: a loop that reads a list may have its own list there. */
function sayWhatIsDropped(): void {
  let input: Stats;
  try {
    input = fstatSync(0);
  } catch {
    return;
  }
  if (input.isFIFO() || (input.isFile() && input.size > 0))
    say(
      "croft: a job does not get the standard input of croft submit: let it read a file (sh -c './run.sh <input'); with </dev/null this is not said",
    );
}

function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function range(text: string): { from: number; to: number } {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(text) ?? [];
  if (from === undefined || to === undefined) throw new InvalidArgumentError("Give a range such as 1-1000.");
  return { from: Number(from), to: Number(to) };
}

function after(
  text: string,
  earlier: readonly { job: number; condition: string }[] = [],
): { job: number; condition: string }[] {
  const parts = text.split(",").map((part) => {
    const [, job, condition = "ok"] = /^([1-9]\d*)(?::(ok|failed|any))?$/.exec(part.trim()) ?? [];
    if (job === undefined)
      throw new InvalidArgumentError("Give a job's number, and what it waits for: 12, 12:any.");
    return { job: Number(job), condition };
  });
  return [...earlier, ...parts];
}

function collected(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}
