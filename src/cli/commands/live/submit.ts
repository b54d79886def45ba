import { fstatSync, type Stats } from "node:fs";
import { resolve } from "node:path";

import { Command, Option } from "commander";

import type { Client, ServerFlags } from "../../../live/client/client.ts";
import type { Notify } from "../../../live/store/job-request.ts";
import type { SubmittedJob } from "../../../live/service/submitting.ts";
import { InputError } from "../../../workload/errors.ts";
import { liveStatuses } from "../../live/exit-status.ts";
import { arrayIndexes, type ArrayIndexes } from "../../live/array-indexes.ts";
import { addFarmOptions, farmOf } from "../../live/farm.ts";
import { showBoth, showOutput } from "../../live/job-output.ts";
import { readJobFile } from "../../live/job-file.ts";
import {
  addRequestOptions,
  defined,
  nowFor,
  requestFields,
  type RequestFlags,
} from "../../live/request-options.ts";
import { outputPath } from "../../live/output-path.ts";
import { scriptHints } from "../../live/script-hints.ts";
import { notify } from "../../live/notify.ts";
import { submittersLimits } from "../../live/soft-limits.ts";
import { tags } from "../../live/tags.ts";
import { exitAs, untilOver } from "../../live/until-over.ts";
import { print, say } from "../../terminal.ts";

interface SubmitFlags extends ServerFlags, RequestFlags {
  readonly file?: string;
  readonly array?: ArrayIndexes;
  readonly env?: readonly string[];
  readonly cleanEnv?: true;
  readonly cwd?: string;
  readonly input?: string;
  readonly output?: string;
  readonly error?: string;
  readonly makeFolders?: true;
  readonly notify?: readonly Notify[];
  readonly comment?: string;
  readonly tag?: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly wait?: true;
  readonly follow?: true;
  readonly json?: true;
}

export function submitCommand(): Command {
  const command = new Command("submit")
    .description("submit a job to a farm, or many at once; prints their numbers")
    .usage("[options] -- <command...>\n       croft submit [options] --file <file>")
    .argument("[command...]", "what to run, after -- where it has options of its own; no shell reads it")
    // Grid Engine and PBS hold a job by -h: help would look like a job that was taken.
    .helpOption("--help", "display help for command")
    .passThroughOptions();
  addRequestOptions(command)
    .option(
      "--array <range>",
      "a job for each number: 1-1000, 1-10:2, 1,3,5, 1-1000%20 (20 at once); CROFT_JOB_INDEX tells a job its own",
      arrayIndexes,
    )
    .addOption(
      new Option(
        "--file <file>",
        "many jobs, all of them or none: a line a job, as JSON with the fields of REST; - is standard input",
      ).conflicts("array"),
    )
    .option("--env <name=value>", "sets a variable of the job; a name alone passes yours on", collected)
    .option("--clean-env", "does not pass your environment on to the job")
    .option("--cwd <folder>", "its working directory (this one)")
    .option("--input <file>", "what it reads as its standard input (nothing)")
    .option(
      "--output <file>",
      "where its output goes: %j is its number, %A its array's, %a its index there, %t the attempt, %u you, %x its name, %% a percent sign (the farm keeps it: croft logs)",
    )
    .option("--error <file>", "where its error output goes (with its output)")
    .option("--make-folders", "makes the folders of these files")
    .option(
      "--notify <channel[:start,end,fail]>",
      "tells a channel of the farm at each start, when it is over (unless given), or when it has failed; several may be given",
      notify,
    )
    .option("--comment <text>", "a note that croft job shows")
    .option("--tag <key=value>", "by which it is found again: croft jobs --tag; several may be given", tags)
    .option("--key <text>", "a second submission with the same key makes no new job")
    .option("--wait", "wait until all are over; exit with the status of the first that has failed")
    .addOption(
      new Option("--follow", "show what the job prints, until it is over; exit with its status").conflicts([
        "file",
        "array",
        "json",
        "output",
      ]),
    )
    .option("--json", "print an object with id and number");
  return addFarmOptions(command).action(submit);
}

async function submit(command: string[], flags: SubmitFlags): Promise<void> {
  const { file, array } = flags;
  if (file === undefined && command.length === 0)
    throw new InputError("say what to run: croft submit -- ./run.sh 17; or give many jobs with --file");
  if (file !== undefined && command.length > 0)
    throw new InputError("--file has the jobs with their commands: leave the command out");
  const farm = farmOf(flags);
  const job = {
    directory: absolute("--cwd", flags.cwd ?? "."),
    umask: process.umask().toString(8).padStart(3, "0"),
    ...defined({ softLimits: submittersLimits() }),
    ...requestFields(flags, await nowFor(farm, flags)),
    ...defined({
      input: flags.input === undefined ? undefined : inputOf(flags.input),
      output: pathOf("--output", flags.output),
      errorOutput: pathOf("--error", flags.error),
      makeFolders: flags.makeFolders,
      notify: flags.notify,
      comment: flags.comment,
      tags: flags.tag,
    }),
  };
  const environment = environmentOf(flags);
  if (file === undefined && flags.input === undefined) sayWhatIsDropped();
  for (const hint of scriptHints(command)) say(`croft: ${hint}`);
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
  // What the job prints is the output then.
  else if (flags.follow === true) say(`croft: job ${first.number}`);
  else await print(jobs.length === 1 ? String(first.number) : `${first.number}-${last.number}`);
  const waits = flags.wait === true || flags.follow === true;
  // Who waits is told by what comes of them.
  if (!waits) sayWhichAre("cancelled", jobs);
  if (sayWhichAre("rejected", jobs)) process.exitCode = liveStatuses.rejected[0];
  else if (waits) await waitFor(farm, jobs, flags);
}

/** Says which jobs were over as soon as they were taken, and why; whether there are any. */
function sayWhichAre(state: "cancelled" | "rejected", jobs: readonly SubmittedJob[]): boolean {
  const [first, ...more] = jobs.filter((job) => job.state === state);
  if (first === undefined) return false;
  const others =
    more.length === 0 ? "" : `, and ${more.length} more of them ${more.length === 1 ? "is" : "are"} ${state}`;
  say(`croft: job ${first.number} was ${state}: ${first.reason}${others}`);
  return true;
}

/** The command ends as its jobs do; if it is interrupted, they go on. */
async function waitFor(
  farm: Client,
  jobs: readonly SubmittedJob[],
  { follow, error }: SubmitFlags,
): Promise<void> {
  const names = jobs.map(({ number }) => String(number));
  const which = names.length === 1 ? `job ${names[0]}` : `jobs ${names[0]}-${names.at(-1)}`;
  // Before the handler of all commands, which ends the process.
  process.prependOnceListener("SIGINT", () => {
    say(`croft: ${which} ${names.length === 1 ? "goes" : "go"} on: croft cancel ends, croft wait waits`);
    process.exit(130);
  });
  const shown = { attempt: 1, goesOn: true, follows: true };
  if (follow === true && error === undefined) await showBoth(farm, names[0]!, shown);
  else if (follow === true) await showOutput(farm, names[0]!, "stdout", shown);
  exitAs(await untilOver(farm, names));
}

/** The job's shell has its own. The last folder may have a name that is no text, which no job can be submitted with. */
const WHERE_THIS_IS: ReadonlySet<string> = new Set(["PWD", "OLDPWD"]);

/** The job's variables: one's own, and what is set for it. */
function environmentOf({ env = [], cleanEnv }: SubmitFlags): Record<string, string> {
  // With no prototype, as any name may come.
  const all = Object.create(null) as Record<string, string>;
  // Variables that tell this client where its farm is are not passed to the job.
  const passed = cleanEnv === true ? [] : Object.entries(process.env);
  for (const [name, value] of passed)
    if (
      value !== undefined &&
      !WHERE_THIS_IS.has(name) &&
      (!name.startsWith("CROFT_") || name.startsWith("CROFT_SIMULATED_"))
    )
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

/** @throws InputError where the path begins at a folder that is not there any more */
function pathOf(option: string, path: string | undefined): string | undefined {
  return path === undefined ? undefined : absolute(option, path, outputPath);
}

/** @throws InputError where it is empty, which would be this folder */
function absolute(option: string, path: string, whole: (path: string) => string = resolve): string {
  if (path === "") throw new InputError(`${option}: give a path, not nothing`);
  try {
    return whole(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new InputError(
      "the folder that you are in was deleted, so the job cannot start there: go to another one, or give --cwd and whole paths",
    );
  }
}

function inputOf(file: string): string {
  if (file === "-")
    throw new InputError(
      "a farm keeps no standard input for a job: write it to a file, and name that with --input",
    );
  return absolute("--input", file);
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
      "croft: a job does not get the standard input of croft submit: name a file with --input; with </dev/null this is not said",
    );
}

function collected(text: string, earlier: readonly string[] = []): string[] {
  return [...earlier, text];
}
