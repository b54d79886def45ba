import { InvalidArgumentError, type Command } from "commander";

import type { Client } from "../../live/client/client.ts";
import { warningSignals, type WarningSignal } from "../../live/engines/engine.ts";
import { MOST_AFTER } from "../../live/limits.ts";
import { retryCauses, type RetryCause } from "../../live/store/job-request.ts";
import { InputError } from "../../workload/errors.ts";
import { duration, names, positive, wholeNumber } from "../options.ts";
import { memory, priority as priorityOf } from "./farm.ts";
import { moment, type Moment } from "./moments.ts";

/** How many GPUs, and of what kind; absent: of any. */
export interface AskedGpus {
  readonly gpus: number;
  readonly gpuKind?: string;
}

interface After {
  readonly job: number;
  readonly condition: string;
}

/** What a job asks for, as options give it. */
export interface RequestFlags {
  readonly cores?: number;
  readonly memory?: number;
  readonly gpus?: AskedGpus;
  readonly time?: number;
  readonly signal?: Signal;
  readonly priority?: number;
  readonly pool?: string;
  readonly requires?: string;
  readonly licences?: string;
  readonly project?: string;
  readonly group?: string;
  readonly name?: string;
  readonly after?: readonly After[];
  readonly afterArray?: readonly After[];
  readonly afterEach?: readonly After[];
  readonly hold?: true;
  readonly begin?: Moment;
  readonly deadline?: Moment;
  readonly retries?: number;
  readonly retryOn?: readonly RetryCause[];
  readonly retryDelay?: number;
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
    .option("--gpus <number>", "GPUs that it takes: 2, or of a kind a100:2 (0)", gpusOf)
    .option("--time <time>", "how long it may run: 30m, 12h, 1:30:00 (as long as it takes)", duration)
    .option(
      "--signal <name@time>",
      "the signal that its command gets so long before its --time is over: USR1@60 (60 s)",
      signal,
    )
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
    .option(
      "--after-array <job[:ok|failed|any]>",
      "starts when all jobs of the array have ended of which this is one",
      after,
    )
    .option(
      "--after-each <job[:ok|failed|any]>",
      "each job of an array starts when the one of the same index of that array has ended",
      after,
    )
    .option("--hold", "waits to be released")
    .option("--begin <time>", "does not start before: 22:00, +2h, 2026-10-01T22:00", moment)
    .option(
      "--deadline <time>",
      "has to be over by then; it is cancelled when it cannot start in time, with its --time, any more",
      moment,
    )
    .option("--retries <number>", "how often it runs again after it failed or was lost (0)", wholeNumber)
    .option("--retry-on <causes>", `for which of ${retryCauses.join(", ")} (all)`, causes)
    .option("--retry-delay <time>", "how long it waits before that (0)", duration);
  return command;
}

/**
 * The request's fields, as REST has them.
 *
 * @param now the farm's time, in milliseconds
 */
export function requestFields(flags: RequestFlags, now: number): Record<string, unknown> {
  if ((flags.retryOn ?? flags.retryDelay) !== undefined && flags.retries === undefined)
    throw new InputError(
      "--retry-on and --retry-delay are of a job that runs again: say how often with --retries",
    );
  const { cores, gpus, priority, pool, requires, licences, project, group, name, hold, retries } = flags;
  const { memory: memoryMiB, time: timeSeconds } = flags;
  const time = (at: Moment | undefined): string | undefined =>
    at === undefined ? undefined : new Date(at(now)).toISOString();
  const others = [
    ...(flags.after ?? []),
    ...(flags.afterArray ?? []).map((each) => ({ ...each, of: "array" })),
    ...(flags.afterEach ?? []).map((each) => ({ ...each, of: "index" })),
  ];
  return defined({
    cores,
    memoryMiB,
    ...gpus,
    timeSeconds,
    signal: flags.signal,
    priority,
    pool,
    requires,
    licences,
    project,
    group,
    name,
    hold,
    beginAt: time(flags.begin),
    deadlineAt: time(flags.deadline),
    retries,
    retryOn: flags.retryOn,
    retryDelaySeconds: flags.retryDelay,
    after: others.length === 0 ? undefined : others,
  });
}

/** The farm's time, in milliseconds, where the request depends on it: a simulated farm has a time of its own. */
export async function nowFor(farm: Client, { begin, deadline }: RequestFlags): Promise<number> {
  return begin === undefined && deadline === undefined ? farm.unixMilliseconds : farm.time();
}

export function defined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

interface Signal {
  readonly name: WarningSignal;
  readonly secondsBefore: number;
}

const SECONDS_BEFORE = 60;

function signal(text: string): Signal {
  const [, given = "", time] = /^(?:SIG)?([A-Z0-9]+)(?:@(.+))?$/i.exec(text.trim()) ?? [];
  const name = warningSignals.find((each) => each === given.toUpperCase());
  if (name === undefined)
    throw new InvalidArgumentError(
      `Give one of ${warningSignals.join(", ")}, and how long before: USR1@60, USR1@5m.`,
    );
  const secondsBefore = time === undefined ? SECONDS_BEFORE : duration(time);
  if (secondsBefore === 0) throw new InvalidArgumentError("Give a time above 0: USR1@60.");
  return { name, secondsBefore };
}

function causes(text: string): RetryCause[] {
  return names(text).map((name) => {
    const cause = retryCauses.find((each) => each === name);
    if (cause === undefined) throw new InvalidArgumentError(`Allowed choices are ${retryCauses.join(", ")}.`);
    return cause;
  });
}

/** `2`, `0.5`, `a100`, `a100:2`. */
export function gpusOf(text: string): AskedGpus {
  const [, kind, number = "1"] =
    /^(?:([A-Za-z0-9][A-Za-z0-9_.-]*):([^:]+)|([A-Za-z].*))$/
      .exec(text)
      ?.filter((part) => part !== undefined) ?? [];
  return kind === undefined ? { gpus: positive(text) } : { gpus: positive(number), gpuKind: kind };
}

function after(text: string, earlier: readonly After[] = []): After[] {
  const parts = text.split(",").flatMap((part) => {
    const [, first, last = first, condition = "ok"] =
      /^([1-9]\d*)(?:-([1-9]\d*))?(?::(ok|failed|any))?$/.exec(part.trim()) ?? [];
    if (first === undefined)
      throw new InvalidArgumentError("Give jobs' numbers, and what it waits for: 12, 12-20, 12:any.");
    if (!Number.isSafeInteger(Number(last)) || !Number.isSafeInteger(Number(first)))
      throw new InvalidArgumentError(`No job has so high a number: ${part.trim()}.`);
    const count = Number(last) - Number(first) + 1;
    if (count < 1) throw new InvalidArgumentError(`The range ends before it begins: ${part.trim()}.`);
    if (count > MOST_AFTER)
      throw new InvalidArgumentError(
        `A job waits for ${MOST_AFTER} others at most: give a range such as 12-20.`,
      );
    return Array.from({ length: count }, (_, at) => ({ job: Number(first) + at, condition }));
  });
  return [...earlier, ...parts];
}
