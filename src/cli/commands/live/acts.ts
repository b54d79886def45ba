import { Command, Option } from "commander";

import type { JobView } from "../../../live/store/job-views.ts";
import { JOBS_HELP, addFarmOptions, farmOf, type JobsFlags } from "../../live/farm.ts";
import { addChoiceOptions, areNamed, toChosen, type ChoiceFlags } from "../../live/chosen-jobs.ts";
import { toNamed } from "../../live/named-jobs.ts";
import { print } from "../../terminal.ts";

/** Commands that do one thing to each job that is named. */
type Act = "cancel" | "hold" | "release" | "suspend" | "resume" | "rerun";

const summaries: Readonly<Record<Act, string>> = {
  cancel: "cancel jobs, and end those that run",
  hold: "keep waiting jobs from starting",
  release: "release held jobs, so that they can start",
  suspend: "stop running jobs; they keep their cores and memory",
  resume: "resume jobs that were suspended by hand",
  rerun: "submit jobs again as they were, waiting for no others; prints the new numbers",
};

export function actCommand(act: Act): Command {
  const command = new Command(act)
    .description(summaries[act])
    .argument("[job...]", `${JOBS_HELP}; or choose them by what they are:`);
  addChoiceOptions(command);
  if (act === "rerun")
    command.addOption(new Option("--failed", "those that have failed or were lost").conflicts("state"));
  command.option("--json", "print the jobs as a JSON array; of a choice, what came of it");
  return addFarmOptions(command).action(async (texts: string[], given: ActFlags) => {
    const flags = given.failed === true ? { ...given, state: FAILED } : given;
    const farm = farmOf(flags);
    if (!areNamed(texts, flags)) {
      const answer = await toChosen(farm, act, flags);
      if (answer === null) return;
      if (flags.json === true) await print(JSON.stringify(answer, null, 2));
      else if (act === "rerun" && answer.submitted.length > 0)
        await print(answer.submitted.map(rangeText).join("\n"));
      return;
    }
    const jobs = await toNamed<JobView>(farm, texts, act);
    if (flags.json === true) await print(JSON.stringify(jobs, null, 2));
    else if (act === "rerun" && jobs.length > 0) await print(jobs.map(({ number }) => number).join("\n"));
  });
}

interface ActFlags extends JobsFlags, ChoiceFlags {
  readonly failed?: true;
}

const FAILED = ["failed", "lost"];

/** As `croft submit` prints the jobs of an array. */
function rangeText({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? String(first) : `${first}-${last}`;
}
