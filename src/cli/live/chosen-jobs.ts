import { liveStatuses } from "./exit-status.ts";
import { createInterface } from "node:readline/promises";

import type { Command } from "commander";

import type { Client } from "../../live/client/client.ts";
import { InputError } from "../../workload/errors.ts";
import { say } from "../terminal.ts";
import { tellDeadlines } from "./named-jobs.ts";
import { printable } from "./printable.ts";
import { addFilterOptions, filterFields, type FilterFlags } from "./job-filter.ts";

export interface ChoiceFlags extends FilterFlags {
  readonly yes?: true;
}

/** What came of something that was to be done to all jobs of a choice. */
export interface ActedOnChosen {
  readonly selected: number;
  readonly users: number;
  readonly done: number;
  readonly leftOut: number;
  readonly rerunBefore: number;
  readonly withoutDeadline: number;
  readonly refused: number;
  readonly errors: readonly { readonly job: number; readonly error: string }[];
  readonly submitted: readonly { readonly first: number; readonly last: number }[];
}

/** Every command that does something to jobs takes their numbers, or these. */
export function addChoiceOptions(command: Command, poolOption?: string): Command {
  return addFilterOptions(command, poolOption).option(
    "--yes",
    "do it to all jobs of the choice without asking",
  );
}

/**
 * Whether jobs are named by their numbers, and not chosen by what they are.
 *
 * @throws InputError where they are neither, or both
 */
export function areNamed(texts: readonly string[], flags: ChoiceFlags): boolean {
  const isChosen = Object.keys(filterFields(flags)).length > 0;
  if (isChosen && texts.length > 0)
    throw new InputError(
      "name jobs by their numbers, or choose them by --user, --state and the like: not both",
    );
  if (!isChosen && texts.length === 0)
    throw new InputError(
      "say which jobs: their numbers (12-20), or what they are (--state waiting, --name 'sim*', --tag k=v)",
    );
  if (!isChosen && flags.yes === true)
    throw new InputError("--yes is for jobs that are chosen by what they are: leave it out");
  return !isChosen;
}

/**
 * Does something to all jobs of a choice, once a person has said so. What the farm refuses is told, and the exit status is
 * that of the first refusal.
 *
 * @returns null where nothing was done
 */
export async function toChosen(
  farm: Client,
  verb: string,
  flags: ChoiceFlags,
  more: object = {},
): Promise<ActedOnChosen | null> {
  const path = `/v1/job-selections/${verb}`;
  const body = { ...filterFields(flags), ...more };
  if (flags.yes !== true) {
    const counted = await farm.send<ActedOnChosen>("POST", path, { ...body, countOnly: true });
    if (counted.selected === 0) {
      say(`croft: no job is of that choice${rerunText(counted)}`);
      return null;
    }
    if (!(await isMeant(`${verb} ${countText(counted)}${rerunText(counted)}`))) {
      say("croft: nothing was done");
      process.exitCode = liveStatuses.refused[0];
      return null;
    }
  }
  const answer =
    verb === "rerun"
      ? await farm.sendOnce<ActedOnChosen>(path, body, null)
      : await farm.send<ActedOnChosen>("POST", path, body);
  tell(verb, answer);
  return answer;
}

function countText({ selected, users }: ActedOnChosen): string {
  const whose = users > 1 ? ` of ${users} users` : "";
  return `${selected.toLocaleString("en")} ${selected === 1 ? "job" : "jobs"}${whose}`;
}

/** @throws InputError where nobody can be asked */
async function isMeant(what: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new InputError(`to ${what} is not done without --yes, since there is no terminal to ask at`);
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  // While it reads a terminal, Ctrl-C comes as a character.
  asking.once("SIGINT", () => {
    process.stderr.write("\n");
    process.kill(process.pid, "SIGINT");
  });
  const answer = await asking.question(`croft: ${what}? [y/N] `).catch((error: Error) => {
    if (error.name !== "AbortError") throw error;
    // Ctrl-D is no yes.
    process.stderr.write("\n");
    return "";
  });
  asking.close();
  return /^\s*y(es)?\s*$/i.test(answer);
}

const SHOWN_ERRORS = 10;

/** What is not done once more without a word. */
function rerunText({ rerunBefore }: ActedOnChosen): string {
  return rerunBefore === 0
    ? ""
    : `, without ${rerunBefore.toLocaleString("en")} that ${rerunBefore === 1 ? "was" : "were"} rerun before (by their numbers they run once more)`;
}

function tell(verb: string, answer: ActedOnChosen): void {
  const { done, leftOut, refused, errors } = answer;
  const changed = leftOut === 0 ? "" : `; ${leftOut} had started, ended or gone elsewhere meanwhile`;
  say(
    `croft: ${verb}: ${done.toLocaleString("en")} ${done === 1 ? "job" : "jobs"}${changed}${rerunText(answer)}`,
  );
  tellDeadlines(answer);
  for (const { error } of errors.slice(0, SHOWN_ERRORS)) say(`croft: ${printable(error)}`);
  if (refused === 0) return;
  process.exitCode ??= liveStatuses.refused[0];
  if (refused > SHOWN_ERRORS) say(`croft: ${refused} were refused`);
}
