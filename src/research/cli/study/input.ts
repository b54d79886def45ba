import { existsSync } from "node:fs";

import { Option, type Command } from "commander";

import { applicable, poolNamed, type ThesisPool } from "../../study/index.ts";
import {
  generators,
  InputError,
  type Machines,
  type NetbatchModel,
  type ReadOptions,
  type Workload,
  type WorkloadGenerator,
} from "../../../workload/index.ts";
import { addWorkloadOptions, loadWorkload, type WorkloadFlags } from "../../../cli/input.ts";
import { modelOption } from "../../../cli/model-option.ts";
import { positiveInteger, wholeNumber } from "../../../cli/options.ts";
import { say } from "../../../cli/terminal.ts";

/** What every study takes. */
export interface StudiedFlags extends WorkloadFlags {
  readonly jobs?: number;
  readonly seed?: number;
  readonly model?: Partial<NetbatchModel>;
  readonly json?: true;
  readonly out?: string;
}

/** What a study takes that judges the thesis's claims. */
export interface StudyFlags extends StudiedFlags {
  readonly pool?: ThesisPool;
}

/** @param usual the workload studied unless another is given; without it, the argument is required */
export function studyOptions(command: Command, usual?: string): Command {
  return studiedOptions(command, usual).addOption(
    new Option(
      "--pool <letter>",
      "which of the thesis's pools the log is of; its name tells otherwise",
    ).choices(["a", "b", "c", "d"]),
  );
}

/** The options of a study that judges no claims. */
export function studiedOptions(command: Command, usual?: string): Command {
  const names = generators.map(({ name }) => name).join(", ");
  command
    .argument(
      usual === undefined ? "<workload>" : "[workload]",
      `a log, or a synthetic workload to make: ${names}`,
      usual,
    )
    .option("--jobs <number>", "how many jobs to make; a month's unless given", positiveInteger)
    .option("--seed <number>", "the same seed makes the same workload (1)", wholeNumber)
    .addOption(modelOption())
    .option("--json", "print one JSON object instead of the tables")
    .option("--out <folder>", "write report.html and results.json there");
  return addWorkloadOptions(command);
}

/** A workload to study, and its origin. */
interface Studied {
  readonly workload: Workload;
  /** The pool of the thesis that it is of, or stands in for; null: none. */
  readonly pool: ThesisPool | null;
  /** Null: it was read from a file. */
  readonly generator: WorkloadGenerator | null;
}

/**
 * @param defaults how a file is read where the flags do not say
 * @throws InputError where there is no such file, or it is given options that only a generator takes
 */
export async function loadStudied(
  name: string,
  flags: StudyFlags,
  defaults: ReadOptions = {},
): Promise<Studied> {
  const { jobs, seed, pool, model } = flags;
  const generator = existsSync(name) ? undefined : generators.find((each) => each.name === name);
  if (generator === undefined && (jobs !== undefined || seed !== undefined || model !== undefined)) {
    throw new InputError(`--jobs, --seed and --model are for synthetic workloads, and ${name} is none`);
  }
  const workload =
    generator === undefined
      ? await loadWorkload(name, flags, defaults)
      : generator.generate({
          ...(jobs === undefined ? {} : { jobs }),
          ...(seed === undefined ? {} : { seed }),
          ...(model === undefined ? {} : { model }),
        });
  return { workload, pool: pool ?? poolNamed(workload.name), generator: generator ?? null };
}

/** The policies given; else those of the usual ones that can decide on these machines, and a line on the others. */
export function studiedPolicies(
  given: readonly string[] | undefined,
  usual: readonly string[],
  workload: Workload,
  machines: Machines,
): readonly string[] {
  if (given !== undefined) return given;
  const policies = applicable(usual, workload, machines);
  const leftOut = usual.filter((each) => !policies.includes(each));
  if (leftOut.length > 0) say(`left out, as there is no memory to decide by: ${leftOut.join(", ")}`);
  return policies;
}
