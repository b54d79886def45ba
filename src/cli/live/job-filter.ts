import { InvalidArgumentError, type Command } from "commander";

import { jobStates } from "../../live/store/job-states.ts";
import { names, positiveInteger } from "../options.ts";
import { tags } from "./tags.ts";

/** What jobs are chosen by, as options give it. */
export interface FilterFlags {
  readonly user?: string;
  readonly state?: readonly string[];
  readonly pool?: string;
  readonly name?: string;
  readonly project?: string;
  readonly tag?: Readonly<Record<string, string>>;
  readonly array?: number;
}

/**
 * Every command that chooses among jobs has these.
 *
 * @param poolOption where `--pool` means something else
 */
export function addFilterOptions(command: Command, poolOption = "--pool <name>"): Command {
  return command
    .option("--user <name>", "only this user's")
    .option(
      "--state <states>",
      "only in these states: waiting, held, running, suspended, ended, failed, …",
      states,
    )
    .option(
      "--name <pattern>",
      "only of this name: 'sim*', where * stands for any characters and ? for one; sim for those of an array, which are listed as sim[2]",
    )
    .option("--tag <key=value>", "only with this tag; several may be given", tags)
    .option(poolOption, "only in this pool")
    .option("--project <path>", "only of this project")
    .option("--array <job>", "only of the array of which this job is one", positiveInteger);
}

function states(text: string, earlier?: readonly string[]): string[] {
  const all = names(text, earlier);
  const unknown = all.find((each) => !jobStates.some((state) => state === each));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no state ${JSON.stringify(unknown)}: there are ${jobStates.join(", ")}.`,
    );
  return all;
}

/** As fields of REST; none where no option is given. */
export function filterFields(flags: FilterFlags): Record<string, unknown> {
  const { user, state: states, pool, name, project, tag: tags, array } = flags;
  return Object.fromEntries(
    Object.entries({ user, states, pool, name, project, tags, array }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

/** As the query of an address. */
export function filterQuery({
  user,
  state,
  pool,
  name,
  project,
  tag = {},
  array,
}: FilterFlags): URLSearchParams {
  const fields = { user, state: state?.join(","), pool, name, project, array };
  const query = new URLSearchParams();
  for (const [field, value] of Object.entries(fields))
    if (value !== undefined) query.set(field, String(value));
  for (const [key, value] of Object.entries(tag)) query.append("tag", `${key}=${value}`);
  return query;
}
