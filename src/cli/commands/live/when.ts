import { Command, CommanderError } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import type { JobForecast } from "../../../live/forecasting/start-forecast.ts";
import { InputError } from "../../../workload/errors.ts";
import { addFarmOptions, eachJob, farmOf, jobNames } from "../../live/farm.ts";
import { addRequestOptions, nowFor, requestFields, type RequestFlags } from "../../live/request-options.ts";
import { whenText } from "../../live/when-text.ts";
import { print } from "../../terminal.ts";

interface WhenFlags extends ServerFlags, RequestFlags {
  readonly json?: true;
}

/** How long a forecast may take, with others before it. */
const PATIENCE_SECONDS = 60;

export function whenCommand(): Command {
  const command = new Command("when")
    .description("forecast when jobs of a farm start, or when one would that is not submitted")
    .usage("<job...>\n       croft when -- [options of croft submit] [command...]")
    .argument("[job...]", "numbers of jobs; or, after --, what croft submit would be given")
    .option("--json", "as JSON: an object for one job, an array for several");
  addFarmOptions(command);
  command.optionsGroup("A job that is not submitted:");
  return addRequestOptions(command).optionsGroup("Settings:").addHelpText("after", afterHelp).action(when);
}

const afterHelp = `
Examples:
  croft when 4711
  croft when -- --cores 4 --memory 16G --time 2h

At length: docs/when.md
`;

async function when(words: string[], flags: WhenFlags): Promise<void> {
  const farm = farmOf(flags);
  const now = await nowFor(farm, flags);
  const own = requestFields(flags, now);
  let forecasts: JobForecast[];
  // Behind the -- stands what one asks for that is not submitted.
  const isNamed = words.length > 0 && (!process.argv.includes("--") || isJob(words[0]!));
  if (isNamed) {
    if (Object.keys(own).length > 0 || process.argv.includes("--"))
      throw new InputError("a job is named, and what one that is not submitted asks for: give one of them");
    forecasts = await eachJob(words, (name) =>
      farm.get<JobForecast>(`/v1/jobs/${name}/forecast`, PATIENCE_SECONDS),
    );
    if (forecasts.length === 0) return;
  } else {
    const { command, fields } = readRequest(words, now);
    const asked = { ...own, ...fields };
    if (command.length === 0 && Object.keys(asked).length === 0)
      throw new InputError(
        "give the number of a job; or what one would ask for: croft when -- --cores 4 --memory 16G",
      );
    const body = { ...asked, ...(command.length === 0 ? {} : { command }) };
    forecasts = [await farm.send<JobForecast>("POST", "/v1/forecasts", body)];
  }
  const isOne = !isNamed || jobNames(words).length === 1;
  if (flags.json === true) await print(JSON.stringify(isOne ? forecasts[0] : forecasts, null, 2));
  else await print(forecasts.map((each) => whenText(each, farm.unixMilliseconds)).join("\n\n"));
}

/** A number, a range, a UUID: no program is called so. */
function isJob(word: string): boolean {
  return /^([1-9]\d*(-\d+)?|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.test(word);
}

/** What stands behind the --: options of `croft submit`, and a command. */
function readRequest(
  words: readonly string[],
  now: number,
): { command: string[]; fields: Record<string, unknown> } {
  const command = new Command("croft when --").argument("[command...]").passThroughOptions().exitOverride();
  try {
    addRequestOptions(command)
      .configureOutput({ writeErr: () => undefined })
      .helpOption(false)
      .parse([...words], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const what = error.message.replace(/^error: /, "");
    throw new InputError(
      error.code === "commander.unknownOption"
        ? `${what}: behind -- stand the options of croft submit that say what one job asks for (croft when --help)`
        : what,
    );
  }
  return { command: command.args, fields: requestFields(command.opts<RequestFlags>(), now) };
}
