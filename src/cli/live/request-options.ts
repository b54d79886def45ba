import { InvalidArgumentError, type Command } from "commander";

import { MOST_AFTER } from "../../live/limits.ts";
import { duration, positive, wholeNumber } from "../options.ts";
import { memory, priority as priorityOf } from "./farm.ts";

/** What a job asks for, as options give it. */
export interface RequestFlags {
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
  readonly after?: readonly { readonly job: number; readonly condition: string }[];
  readonly hold?: true;
  readonly retries?: number;
}

/** Every command that takes a request for a job has these. */
export function addRequestOptions(command: Command): Command {
  command
    .option("--cores <number>", "cores that it takes (1)", positive)
    .option(
      "--memory <amount>",
      "memory that it takes at most, such as 4G (not counted, and not limited)",
      memory,
    )
    .option("--gpus <number>", "GPUs that it takes (0)", positive)
    .option("--time <time>", "how long it may run: 30m, 12h, 1:30:00 (as long as it takes)", duration)
    .option("--priority <0-99>", "a higher one goes first (50)", priorityOf)
    .option("--pool <name>", "the pool, or virtual pool, to run in (the farm chooses)")
    .option("--requires <expression>", 'what its machine must have: os == "linux" and memory >= 16000')
    .option("--licences <list>", "the licences of its pool that it holds while it runs: matlab=2,vcs")
    .option("--project <path>", "whose share it counts against, where pools have shares")
    .option("--group <name>", "the group whose own machines it comes first on")
    .option("--name <name>", "display name (the program's name)")
    .option(
      "--after <jobs[:ok|failed|any]>",
      "starts when these jobs have ended (ok: with status 0): 12, 12-20:any",
      after,
    )
    .option("--hold", "waits to be released")
    .option("--retries <number>", "how often it runs again after it failed or was lost (0)", wholeNumber);
  return command;
}

/** The request's fields, as REST has them. */
export function requestFields(flags: RequestFlags): Record<string, unknown> {
  const { cores, gpus, priority, pool, requires, licences, project, group, name, hold, retries } = flags;
  const { memory: memoryMiB, time: timeSeconds, after: others } = flags;
  return defined({
    cores,
    memoryMiB,
    gpus,
    timeSeconds,
    priority,
    pool,
    requires,
    licences,
    project,
    group,
    name,
    hold,
    retries,
    after: others,
  });
}

export function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function after(
  text: string,
  earlier: readonly { job: number; condition: string }[] = [],
): { job: number; condition: string }[] {
  const parts = text.split(",").flatMap((part) => {
    const [, first, last = first, condition = "ok"] =
      /^([1-9]\d*)(?:-([1-9]\d*))?(?::(ok|failed|any))?$/.exec(part.trim()) ?? [];
    if (first === undefined)
      throw new InvalidArgumentError("Give jobs' numbers, and what it waits for: 12, 12-20, 12:any.");
    if (!Number.isSafeInteger(Number(last)) || !Number.isSafeInteger(Number(first)))
      throw new InvalidArgumentError(`No job has so high a number: ${part.trim()}.`);
    const count = Number(last) - Number(first) + 1;
    if (!(count >= 1 && count <= MOST_AFTER))
      throw new InvalidArgumentError(
        `A job waits for ${MOST_AFTER} others at most: give a range such as 12-20.`,
      );
    return Array.from({ length: count }, (_, at) => ({ job: Number(first) + at, condition }));
  });
  return [...earlier, ...parts];
}
