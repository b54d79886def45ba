import { InvalidArgumentError, type Command } from "commander";

import { Client, serverOf, type ServerFlags } from "../../live/client/client.ts";
import { FarmError } from "../../live/client/farm-error.ts";
import { InputError } from "../../workload/errors.ts";
import { parseMemory } from "../../workload/units.ts";
import { say } from "../terminal.ts";
import { EXIT_STATUS_HELP, statusOfAnswer } from "./exit-status.ts";

/** Every command that asks a farm has these. */
export function addFarmOptions(command: Command): Command {
  return command
    .option("--server <url>", "a farm's address (CROFT_SERVER, with its token in CROFT_TOKEN)")
    .option("--socket <path>", "a farm's socket (CROFT_SOCKET; your own farm's)")
    .addHelpText("after", EXIT_STATUS_HELP);
}

export function farmOf(flags: ServerFlags): Client {
  return new Client(serverOf(flags, process.env), { say: (text) => say(`croft: ${text}`) });
}

/** A command that does one thing to each job that is named. */
export interface JobsFlags extends ServerFlags {
  readonly json?: true;
}

/** What `jobNames` takes, for help. */
export const JOBS_HELP = "their numbers, or ranges such as 12-20";

const MAX_IN_RANGE = 100_000;

/** Numbers of jobs, ranges (`12-20`), UUIDs; several of them with commas between. */
export function jobNames(texts: readonly string[]): string[] {
  const parts = texts.flatMap((text) => text.split(","));
  return parts.flatMap((text) => {
    const [, first, last] = /^(\d+)-(\d+)$/.exec(text) ?? [];
    if (first !== undefined && last !== undefined) {
      const count = Number(last) - Number(first) + 1;
      if (count > MAX_IN_RANGE)
        throw new InputError(
          `${text} are more jobs than a range may have (${MAX_IN_RANGE}): choose them by what they are (--state waiting, --name 'sim*')`,
        );
      if (count < 1) throw new InputError(`${text} is no range of jobs: give one such as 12-20`);
      return Array.from({ length: count }, (_, at) => String(Number(first) + at));
    }
    if (!/^([1-9]\d{0,14}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(text))
      throw new InputError(`${JSON.stringify(text)} is no job: give its number`);
    return [text];
  });
}

/**
 * Does something to each job that is named. What the farm refuses of one job is told, and the others are tried all
 * the same: the exit status is then that of the first refusal.
 */
export async function eachJob<Answer>(
  texts: readonly string[],
  ask: (name: string) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const name of jobNames(texts)) {
    try {
      answers.push(await ask(name));
    } catch (error) {
      if (!(error instanceof FarmError) || error.status === 0) throw error;
      sayRefused(error);
    }
  }
  return answers;
}

/** What the farm refuses of one of many. */
export function sayRefused({ status, message }: { readonly status: number; readonly message: string }): void {
  say(`croft: ${message}`);
  process.exitCode ??= statusOfAnswer(status);
}

/** An amount of memory in MiB, such as 4G or 512M. */
export function memory(text: string): number {
  // Somebody who writes 4 hardly means 4 MiB.
  if (/^[0-9.]*[1-9][0-9.]*$/.test(text.trim()))
    throw new InvalidArgumentError("Give the unit as well: 512M, 4G.");
  const amount = Math.ceil(parseMemory(text, "MiB"));
  if (!(amount >= 0 && amount < 2 ** 31))
    throw new InvalidArgumentError("Give an amount such as 512M or 4G.");
  return amount;
}

export function priority(text: string): number {
  if (!/^\d{1,2}$/.test(text)) throw new InvalidArgumentError("Give a whole number from 0 to 99.");
  return Number(text);
}
