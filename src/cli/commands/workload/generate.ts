import { Command } from "commander";

import { generators, InputError } from "../../../workload/index.ts";
import { positive, positiveInteger, wholeNumber } from "../../options.ts";
import { targetOption, writerFor, writeWorkload, type TargetFlags } from "../../target.ts";

interface GenerateFlags extends TargetFlags {
  readonly jobs?: number;
  readonly seed?: number;
  readonly load?: number;
  readonly out: string;
}

export function generateCommand(): Command {
  const list = generators.map(({ name, summary }) => `  ${name}  ${summary}`).join("\n");
  return new Command("generate")
    .description("make a synthetic workload where no log is to be had")
    .argument("<generator>", "its name")
    .option("--jobs <number>", "how many jobs; a month's unless given, 1,000 of lublin's", positiveInteger)
    .option("--load <load>", "lublin: the offered load to stretch the times between arrivals to", positive)
    .option("--seed <number>", "the same seed gives the same workload (1)", wholeNumber)
    .requiredOption("--out <file>", "what to write: its name tells the format")
    .addOption(targetOption())
    .addHelpText("after", `\nGenerators:\n${list}\n\nTheir machines: croft simulate … --machines NAME`)
    .action(generate);
}

async function generate(name: string, flags: GenerateFlags): Promise<void> {
  const { jobs, seed, load, out } = flags;
  const generator = generators.find((each) => each.name === name);
  if (generator === undefined) {
    const known = generators.map((each) => each.name).join(", ");
    throw new InputError(`no generator "${name}": choose ${known}`);
  }
  const writer = writerFor(out, flags);
  const workload = generator.generate({
    ...(jobs === undefined ? {} : { jobs }),
    ...(seed === undefined ? {} : { seed }),
    ...(load === undefined ? {} : { load }),
  });
  await writeWorkload(workload, out, writer);
}
