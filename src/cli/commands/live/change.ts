import { Command, InvalidArgumentError } from "commander";

import type { JobView } from "../../../live/store/job-views.ts";
import { InputError } from "../../../workload/errors.ts";
import {
  JOBS_HELP,
  addFarmOptions,
  farmOf,
  memory as memoryOf,
  priority as priorityOf,
  type JobsFlags,
} from "../../live/farm.ts";
import { addChoiceOptions, areNamed, toChosen, type ChoiceFlags } from "../../live/chosen-jobs.ts";
import { toNamed } from "../../live/named-jobs.ts";
import { gpusOf, type AskedGpus } from "../../live/request-options.ts";
import { moment, type Moment } from "../../live/moments.ts";
import { duration, positive } from "../../options.ts";
import { print } from "../../terminal.ts";

interface ChangeFlags extends JobsFlags, Omit<ChoiceFlags, "pool"> {
  readonly inPool?: string;
  readonly priority?: number;
  readonly time?: number;
  readonly cores?: number;
  readonly memory?: number;
  readonly gpus?: AskedGpus;
  readonly pool?: string;
  readonly begin?: Moment | "none";
  readonly deadline?: Moment | "none";
}

export function changeCommand(): Command {
  const command = new Command("change")
    .description("change what waiting jobs ask for")
    .argument("[job...]", `${JOBS_HELP}; or choose them by what they are, with --in-pool for their pool`)
    .option("--priority <0-99>", "a higher one goes first", priorityOf)
    .option("--time <time>", "how long they may run: 30m, 12h, none", timeOrNone)
    .option("--cores <number>", "cores that each takes", positive)
    .option("--memory <amount>", "memory that each takes at most, such as 4G", memoryOf)
    .option("--gpus <number>", "GPUs that each takes: 2, or of another kind a100:2", (text): AskedGpus =>
      text === "0" ? { gpus: 0 } : gpusOf(text),
    )
    .option("--pool <name>", "they go to another pool, or to a virtual pool that chooses one")
    .option("--begin <time>", "they do not start before: 22:00, +2h, 2026-10-01T22:00, none", momentOrNone)
    .option("--deadline <time>", "they have to be over by then: a time as for --begin, or none", momentOrNone)
    .option("--json", "print the jobs as a JSON array; of a choice, what came of it");
  addChoiceOptions(command, "--in-pool <name>");
  return addFarmOptions(command).action(async (texts: string[], flags: ChangeFlags) => {
    const { priority, time, cores, memory, gpus, pool, begin, deadline, json } = flags;
    const farm = farmOf(flags);
    const now = begin === undefined && deadline === undefined ? 0 : await farm.time();
    const change = Object.fromEntries(
      Object.entries({
        priority,
        timeSeconds: time === Infinity ? null : time,
        cores,
        memoryMiB: memory,
        ...gpus,
        pool,
        beginAt: timeAt(begin, now),
        deadlineAt: timeAt(deadline, now),
      }).filter(([, value]) => value !== undefined),
    );
    if (Object.keys(change).length === 0)
      throw new InputError(
        "say what to change: --priority, --time, --cores, --memory, --gpus, --pool, --begin, --deadline",
      );
    const { pool: _, inPool, ...others } = flags;
    const choice = { ...others, ...(inPool === undefined ? {} : { pool: inPool }) };
    if (!areNamed(texts, choice)) {
      const answer = await toChosen(farm, "change", choice, { change });
      if (answer !== null && json === true) await print(JSON.stringify(answer, null, 2));
      return;
    }
    const jobs = await toNamed<JobView>(farm, texts, "change", { change });
    if (json === true) await print(JSON.stringify(jobs, null, 2));
  });
}

/** Infinity stands for none: Commander takes null for an option without a value. */
function timeOrNone(text: string): number {
  if (text === "none") return Infinity;
  const seconds = duration(text);
  if (seconds === 0) throw new InvalidArgumentError("Give a time above 0, or none.");
  return seconds;
}

function momentOrNone(text: string): Moment | "none" {
  return text.trim() === "none" ? "none" : moment(text);
}

function timeAt(at: Moment | "none" | undefined, now: number): string | null | undefined {
  return at === undefined ? undefined : at === "none" ? null : new Date(at(now)).toISOString();
}
