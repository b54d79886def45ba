import { Command } from "commander";

import {
  farmGenerators,
  generators,
  InputError,
  type NetbatchModel,
  writeFarm,
  type FarmGenerator,
  type WorkloadGenerator,
} from "../../../workload/index.ts";
import { modelOption } from "../../model-option.ts";
import { positive, positiveInteger, wholeNumber } from "../../options.ts";
import { targetOption, writerFor, writeWorkload, type TargetFlags } from "../../target.ts";
import { say } from "../../terminal.ts";

interface GenerateFlags extends TargetFlags {
  readonly jobs?: number;
  readonly seed?: number;
  readonly load?: number;
  readonly model?: Partial<NetbatchModel>;
  readonly out: string;
  readonly farmOut?: string;
}

const all = (): readonly (WorkloadGenerator | FarmGenerator)[] => [...generators, ...farmGenerators];

export function generateCommand(): Command {
  const list = all()
    .map(({ name, summary }) => `  ${name}  ${summary}`)
    .join("\n");
  return new Command("generate")
    .description("make a synthetic workload where no log is to be had")
    .argument("<generator>", "its name")
    .option(
      "--jobs <number>",
      "how many jobs; as many as the original has unless given, 1,000 of lublin's",
      positiveInteger,
    )
    .option("--load <load>", "lublin: the offered load to stretch the times between arrivals to", positive)
    .addOption(modelOption())
    .option("--seed <number>", "the same seed gives the same workload (1)", wholeNumber)
    .requiredOption("--out <file>", "what to write: its name tells the format")
    .option("--farm-out <file>", "write the farm that the jobs are for, as YAML or .json")
    .addOption(targetOption())
    .addHelpText(
      "after",
      `\nGenerators:\n${list}\n\nThe machines of netbatch-a to -d: croft simulate … --machines NAME\nThe farms of the others: --farm-out FILE, then croft simulate … --farm FILE`,
    )
    .action(generate);
}

async function generate(name: string, flags: GenerateFlags): Promise<void> {
  const { jobs, seed, load, model, out, farmOut } = flags;
  const generator = all().find((each) => each.name === name);
  if (generator === undefined) {
    const known = all()
      .map((each) => each.name)
      .join(", ");
    throw new InputError(`no generator "${name}": choose ${known}`);
  }
  if (farmOut !== undefined && !("farm" in generator)) {
    throw new InputError(`--farm-out: ${name} is for one pool; simulate it with --machines ${name}`);
  }
  if (load !== undefined && "farm" in generator) {
    throw new InputError(`--load: ${name} has a load of its own; simulate it with --load`);
  }
  if (model !== undefined && "farm" in generator) {
    throw new InputError(`--model is for netbatch-a to -d: ${name} has no such parameters`);
  }
  const writer = writerFor(out, flags);
  const workload = generator.generate({
    ...(jobs === undefined ? {} : { jobs }),
    ...(seed === undefined ? {} : { seed }),
    ...(load === undefined ? {} : { load }),
    ...(model === undefined ? {} : { model }),
  });
  await writeWorkload(workload, out, writer);
  if (farmOut === undefined || !("farm" in generator)) return;
  await writeFarm(generator.farm(jobs), farmOut, "Synthetic: made by a generator, after Zhang 2010.");
  say(`${farmOut}: the farm written`);
}
