import { Command, InvalidArgumentError } from "commander";

import type { ServerFlags } from "../../../live/client/client.ts";
import { InputError } from "../../../workload/errors.ts";
import { addFarmOptions, farmOf, jobNames } from "../../live/farm.ts";
import { duration, wholeNumber } from "../../options.ts";

interface ChangeFlags extends ServerFlags {
  readonly priority?: number;
  readonly time?: number | null;
}

export function changeCommand(): Command {
  const command = new Command("change")
    .description("change what waiting jobs ask for")
    .argument("<job...>", "their numbers")
    .option("--priority <0-99>", "a higher one goes first", wholeNumber)
    .option("--time <time>", "how long they may run: 30m, 12h, none", timeOrNone);
  return addFarmOptions(command).action(
    async (texts: string[], { priority, time, ...server }: ChangeFlags) => {
      if (priority === undefined && time === undefined)
        throw new InputError("say what to change: --priority, --time");
      const farm = farmOf(server);
      for (const name of jobNames(texts))
        await farm.send("PATCH", `/v1/jobs/${name}`, {
          ...(priority === undefined ? {} : { priority }),
          ...(time === undefined ? {} : { timeSeconds: time }),
        });
    },
  );
}

function timeOrNone(text: string): number | null {
  if (text === "none") return null;
  const seconds = duration(text);
  if (seconds === 0) throw new InvalidArgumentError("Give a time above 0, or none.");
  return seconds;
}
